import { createTenant } from '../helpers/accounts';
import { drainAt } from '../helpers/drain';
import { failChanges, mendChanges } from '../helpers/failing-changes';
import { withOwnDatabase } from '../helpers/own-database';
import { closeServers } from '../outbound/servers';
import { importVideos, jobsOf, stateOf, transcribed } from './queued';
import { serveSpeechToText, serveVideo } from './servers';

withOwnDatabase();

afterEach(closeServers);
afterEach(mendChanges);

test('a transcript is saved with another try where the database fails for a moment', async () => {
  const tenant = await createTenant();
  const media = await serveVideo();
  const service = await serveSpeechToText();
  service.answer = async () => ({ body: { text: 'Well said.' } });
  const [id = ''] = await importVideos(tenant, media.url, 1);
  await failChanges('UPDATE OF transcription', 'testimonials', { times: 1 });
  await drainAt();
  expect(await stateOf(tenant, id)).toEqual(transcribed('Well said.'));
  expect(await jobsOf(tenant)).toEqual([]);
  expect(service.received).toHaveLength(1);
  const types = (await tenant.events()).map(({ type }) => type);
  expect(types).toEqual(['testimonial.created', 'testimonial.updated']);
});
