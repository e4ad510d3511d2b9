import { answerUnknownEndpoint } from '@/src/rest/web';

export const dynamic = 'force-dynamic';

export {
  answerUnknownEndpoint as DELETE,
  answerUnknownEndpoint as GET,
  answerUnknownEndpoint as HEAD,
  answerUnknownEndpoint as OPTIONS,
  answerUnknownEndpoint as PATCH,
  answerUnknownEndpoint as POST,
  answerUnknownEndpoint as PUT,
};
