import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Has whatever nobody holds collected now. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
