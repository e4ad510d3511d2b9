/**
 * A process for tests to kill: removes what closed accounts have, as a minute later, from the
 * database in its first argument, with the SECRET_KEY in its second.
 */
import { accountDeletionJob } from '../../src/accounts/deletion-job';
import { startDrain } from '../../src/background/drain';
import { provideEnv } from '../../src/env';

const [, , DATABASE_URL, SECRET_KEY] = process.argv;
provideEnv({ DATABASE_URL, SECRET_KEY, LOG_LEVEL: 'silent' });
process.stdout.write('running\n');
setInterval(() => {}, 1000);
const now = new Date(Date.now() + 61_000);
void startDrain([accountDeletionJob], { deadlineAt: Date.now() + 60_000, now }).finished;
