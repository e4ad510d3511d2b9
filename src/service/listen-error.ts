import type { Env } from '../env';

/** What to do where the service cannot listen at its address; other errors as they are. */
export function listenError(
  error: NodeJS.ErrnoException,
  { HOST, PORT }: Pick<Env, 'HOST' | 'PORT'>,
): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new Error(`Port ${PORT} is in use. Set PORT to another one.`);
    case 'EACCES':
      return new Error(
        `This user may not listen at port ${PORT}. Set PORT to another one, 1024 or higher: those ` +
          'below are often kept for the administrator.',
      );
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Error(
        `${HOST} is no address of this machine (${error.code}). Set HOST to one that is, without a ` +
          'scheme or port, or leave it away to listen at all of them.',
      );
    case 'EMFILE':
    case 'ENFILE':
      return new Error(
        `No more files may be opened (${error.code}), and each connection is one. Raise the limit: ` +
          '"ulimit -n 65536" before the start, or LimitNOFILE in a unit of systemd.',
      );
    default:
      return error;
  }
}
