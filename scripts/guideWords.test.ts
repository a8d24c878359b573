import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { en } from '../host/src/renderer/i18n/en/index.ts';
import { root } from './paths.ts';

const folder = join(root, 'docs/guide/window');
const pages = globSync('*.md', { cwd: folder });
const textOf = (page: string): string => readFileSync(join(folder, page), 'utf8');

/** Every word of the window that does not depend on a name or a number. */
function wordsOf(group: object): string[] {
  return Object.values(group).flatMap((value: unknown) =>
    typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? wordsOf(value) : [],
  );
}

/** The terms of a driver's manifest. */
const driverWords = globSync('drivers/*/package.json', { cwd: root }).flatMap((file) => {
  const { tabularium } = JSON.parse(readFileSync(join(root, file), 'utf8')) as { tabularium: object };
  return wordsOf(tabularium);
});

const words = new Set([...wordsOf(en), ...driverWords]);

describe('the guide of the window', () => {
  it('is looked at', () => {
    expect(pages.length).toBeGreaterThan(6);
    expect(words.size).toBeGreaterThan(500);
  });

  it.each(pages)('%s names labels of the screen', (page) => {
    const named = [...textOf(page).matchAll(/\*\*([^*]+)\*\*/g)].map(([, name = '']) => name.replaceAll(/\s+/g, ' '));
    const exceptions = page === 'README.md' ? ['bold'] : [];
    expect(named.filter((name) => !words.has(name) && !exceptions.includes(name))).toEqual([]);
  });

  it('shows every picture that there is, and has every picture that it shows', () => {
    const shown = pages.flatMap((page) =>
      [...textOf(page).matchAll(/!\[[^\]]+\]\(images\/([^)]+)\)/g)].map(([, file = '']) => file),
    );
    expect(shown.filter((file) => !existsSync(join(folder, 'images', file)))).toEqual([]);
    expect(readdirSync(join(folder, 'images')).sort()).toEqual([...new Set(shown)].sort());
  });

  it('has a picture for each that its walk takes', () => {
    const walk = readFileSync(join(root, 'tests/e2e/guide.test.ts'), 'utf8');
    const taken = [...walk.matchAll(/picture\('([\w-]+)'\)/g)].map(([, name]) => `${name}.png`);
    expect(taken.sort()).toEqual(readdirSync(join(folder, 'images')).sort());
  });
});
