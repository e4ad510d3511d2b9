import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const appFolder = join(__dirname, '..', '..', 'app');

type PageOfApp = {
  /** As the browser shows it, `[names]` of parameters left in. */
  path: string;
  isOfDashboard: boolean;
  hasSkeleton: boolean;
};

/** Every page, found by its file, so that a new one is in no test forgotten. */
export function pagesOfApp(): PageOfApp[] {
  return readdirSync(appFolder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.split('/').at(-1) === 'page.tsx')
    .map((file) => {
      const folders = dirname(file).split('/');
      const shown = folders.filter((folder) => folder !== '.' && !folder.startsWith('('));
      return {
        path: `/${shown.join('/')}`,
        isOfDashboard: folders[0] === '(dashboard)',
        hasSkeleton: existsSync(join(appFolder, dirname(file), 'loading.tsx')),
      };
    });
}
