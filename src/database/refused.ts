import { codeOf } from '../error-parts';
import { unwrapped } from './connections/advice';

/** Whether it is the values that the database refuses: "data exception" or a broken constraint. */
export function isRefused(error: unknown): boolean {
  return /^2[23]/.test(codeOf(unwrapped(error)) ?? '');
}
