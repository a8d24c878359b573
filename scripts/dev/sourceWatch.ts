import { watch } from 'node:fs';
import { join } from 'node:path';

/** Editors write a file in several steps, and a checkout writes many files. */
const QUIET_MILLISECONDS = 200;

/** Sources of the host's process. Vite follows those of the window. */
const WATCHED = ['host/src', 'sdk/src'];

/** @param path - relative to the repository, with forward slashes */
export function isHostSource(path: string): boolean {
  if (path.startsWith('host/src/renderer/')) return false;
  return /\.(ts|json|sql)$/.test(path) && !/\.(test|test-helper)\.tsx?$/.test(path);
}

/** Calls `changed` after sources of the host changed and then were quiet for a moment; never while an earlier call still runs. */
export function watchHostSources(root: string, changed: () => Promise<void>): Disposable {
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let again = false;
  const run = async (): Promise<void> => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    do {
      again = false;
      await changed();
    } while (again);
    running = false;
  };
  const watchers = WATCHED.map((folder) =>
    watch(join(root, folder), { recursive: true }, (_event, name) => {
      if (name === null || !isHostSource(`${folder}/${name.replaceAll('\\', '/')}`)) return;
      clearTimeout(timer);
      timer = setTimeout(() => void run(), QUIET_MILLISECONDS);
    }),
  );
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}
