/**
 * A process for tests to kill: deletes the testimonial of its arguments. With a third argument it
 * then removes the files, else it waits.
 */
import { removeDueFiles } from '../../src/storage/removals';
import { deleteTestimonial } from '../../src/testimonials/testimonials';

async function main([accountId = '', id = '', removes]: string[]): Promise<void> {
  await deleteTestimonial(accountId, id);
  process.stdout.write('deleted\n');
  if (removes) await removeDueFiles({});
}

setInterval(() => {}, 1000);
void main(process.argv.slice(2));
