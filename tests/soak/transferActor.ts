import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Actor } from './actor.ts';

const ROWS = 2_000;

/** Exports and imports, whose files are looked at. */
export function transferActor(): Actor {
  let turn = 0;
  return {
    name: 'exports and imports',
    every: 5_000,
    async step(world) {
      const { application, connection } = world;
      turn += 1;
      if (turn % 2 === 0) {
        await application.command(
          ...['export', connection, 'articles', '--format', 'jsonl', '--output', join(application.files, 'articles.jsonl')],
          '--overwrite',
        );
        if ((await world.linesOf('articles.jsonl')) === 0) throw new Error('The exported file is empty.');
        return;
      }
      const file = join(application.files, `import-${turn}.jsonl`);
      const rows = Array.from({ length: ROWS }, (_, index) => `{"id":"${index}","turn":${turn}}\n`);
      await writeFile(file, rows.join(''));
      try {
        await application.command('import', connection, 'soak_imports', '--file', file, '--mode', 'upsert');
      } finally {
        await rm(file, { force: true });
      }
    },
  };
}
