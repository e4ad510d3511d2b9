import type { Result } from '../report';
export const attacks: {
  name: string;
  isLong: boolean;
  run(server: string | undefined, isShort: boolean): Promise<Result>;
}[] = [];
