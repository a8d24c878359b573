import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openHome } from './home.ts';
import type { Home } from './home.ts';
import { removeLeftovers } from './leftovers.ts';

let folder: string;
let home: Home;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-leftovers-'));
  home = await openHome(join(folder, 'home'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('removes pages that lead to windows, and nothing of a similar name', async () => {
  const left = [
    'open-window-0b3f6c5e-7d0e-4a52-9f3e-2f3b5b3a6a10.html',
    'open-window-0b3f6c5e-7d0e-4a52-9f3e-2f3b5b3a6a10.html.new',
    'open-window.html',
  ];
  const others = ['open-window-mine.html', 'window-profile'];
  for (const name of [...left, ...others]) await writeFile(join(home.cache, name), '');
  expect([...removeLeftovers(home)].sort()).toEqual(left.map((name) => join(home.cache, name)));
  expect((await readdir(home.cache)).sort()).toEqual(others);
});
