/**
 * A process for tests to kill: deletes the testimonial of its arguments. With a third argument it
 * then removes the files, else it waits.
 */
import { startDrain } from '../../src/background/drain';
import { directWriter } from '../../src/database/writer';
import { removalJob } from '../../src/storage/removal-job';
import { deleteTestimonial } from '../../src/testimonials/testimonials';

async function main([accountId = '', id = '', removes]: string[]): Promise<void> {
  await deleteTestimonial(accountId, id, directWriter);
  process.stdout.write('deleted\n');
  if (removes) await startDrain([removalJob], { deadlineAt: Date.now() + 60_000 }).finished;
}

setInterval(() => {}, 1000);
void main(process.argv.slice(2));
