import { createTenant } from '../helpers/accounts';
import { drainAt } from '../helpers/drain';
import { transcribed } from '../transcription/queued';
import { serveSpeechToText, serveVideo } from '../transcription/servers';
import { importInto, item } from './items';

/** A new account with a space, and how a video of it is sent. */
export async function newAccount() {
  const tenant = await createTenant();
  const space = (await tenant.space()).id;
  const video = (id: string, url: string, fields = {}) =>
    item(space, id, { type: 'video', video_url: url, ...fields });
  return { tenant, space, video };
}

/** An account with one video, which has been transcribed, or not yet tried. */
export async function withVideo({ isTried = true, fields = {} } = {}) {
  const account = await newAccount();
  const { tenant, video } = account;
  const media = await serveVideo();
  const service = await serveSpeechToText();
  service.answer = async (_, index) => ({
    body: { text: `Hello ${index}.`, language: 'english' },
  });
  const [id = ''] = idsOf(await importInto(tenant, [video('a', `${media.url}/1`, fields)]));
  if (isTried) await drainAt();
  const update = (one: unknown, options = {}) =>
    importInto(tenant, [one], { on_duplicate: 'update', ...options });
  const textOf = async () => (await tenant.api.get(`/testimonials/${id}`)).body.data.text_content;
  const lastEvent = async () => {
    const { type, data } = (await tenant.events()).at(-1) ?? {};
    const { text_content, ai_transcript, transcription, language } = Object(data);
    return [type, { text_content, ai_transcript, transcription, language }];
  };
  return { ...account, media, service, id, update, textOf, lastEvent };
}

export const english = (text: string) => transcribed(text, 'english');

export const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);
