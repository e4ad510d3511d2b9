import { database } from '@/src/database/client';
import { createTenant } from '../helpers/accounts';
import { closeServers } from '../outbound/servers';
import { withOwnDatabase } from '../webhooks/own-database';
import { drainAt } from '../webhooks/sending';
import { makeShortVideo } from './media';
import { importVideos, jobsOf, stateOf, transcribed } from './queued';
import { file, serveMedia, serveSpeechToText } from './servers';

withOwnDatabase();

afterEach(closeServers);

test('a transcript is saved with another try where the database fails for a moment', async () => {
  const tenant = await createTenant();
  const media = await serveMedia(file(await makeShortVideo()));
  const service = await serveSpeechToText();
  service.answer = async () => ({ body: { text: 'Well said.' } });
  const [id = ''] = await importVideos(tenant, media.url, 1);
  // A sequence counts on where all else is undone.
  await database().$executeRaw`CREATE SEQUENCE saves`;
  await database().$executeRaw`
    CREATE FUNCTION fail_save() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('saves') = 1 THEN RAISE EXCEPTION 'cut' USING ERRCODE = '08006'; END IF;
      RETURN NEW;
    END $$`;
  await database().$executeRaw`
    CREATE TRIGGER fail_save BEFORE UPDATE OF transcription ON testimonials
    FOR EACH ROW EXECUTE FUNCTION fail_save()`;
  await drainAt();
  expect(await stateOf(tenant, id)).toEqual(transcribed('Well said.'));
  expect(await jobsOf(tenant)).toEqual([]);
  expect(service.received).toHaveLength(1);
  const types = (await tenant.events()).map(({ type }) => type);
  expect(types).toEqual(['testimonial.created', 'testimonial.updated']);
});
