import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { unregisterUrlScheme } from './registerUrlScheme.ts';
import { withoutUrlHandler } from './withoutUrlHandler.ts';

const OURS = 'x-scheme-handler/tabularium=tabularium-url-handler.desktop';
const OTHERS = '[Added Associations]\ntext/html=a.desktop;\n\n[Default Applications]\nx-scheme-handler/https = b.desktop\n';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tabularium-scheme-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const unregister = () => unregisterUrlScheme({ env: { HOME: home, PATH: '' }, platform: 'linux' });

it('takes its entry and its place among the default applications away, and nothing else', async () => {
  const applications = join(home, '.local/share/applications');
  const lists = [join(home, '.config/mimeapps.list'), join(applications, 'mimeapps.list')];
  for (const folder of [join(home, '.config'), applications]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(applications, 'tabularium-url-handler.desktop'), '');
  writeFileSync(join(applications, 'other.desktop'), '');
  for (const list of lists) writeFileSync(list, `${OTHERS}${OURS}\ntext/plain=c.desktop`, { mode: 0o640 });
  await unregister();
  expect(readdirSync(applications).toSorted()).toEqual(['mimeapps.list', 'other.desktop']);
  for (const list of lists) {
    expect(readFileSync(list, 'utf8')).toBe(`${OTHERS}text/plain=c.desktop`);
    expect(statSync(list).mode & 0o777).toBe(0o640);
  }
  expect(readdirSync(join(home, '.config'))).toEqual(['mimeapps.list']);
});

it('makes no file where there is none, and writes none that it does not change', async () => {
  await unregister();
  expect(readdirSync(home)).toEqual([]);
  mkdirSync(join(home, '.config'));
  const list = join(home, '.config/mimeapps.list');
  writeFileSync(list, OTHERS);
  const { ino } = statSync(list);
  await unregister();
  expect(statSync(list).ino).toBe(ino);
});

it.each([
  [OURS, ''],
  [`${OURS};`, ''],
  [`${OTHERS}${OURS}\n`, OTHERS],
  ['x-scheme-handler/tabularium=mine.desktop;tabularium-url-handler.desktop;', 'x-scheme-handler/tabularium=mine.desktop;'],
  ['x-scheme-handler/tabularium=mine.desktop', 'x-scheme-handler/tabularium=mine.desktop'],
  ['text/x=tabularium-url-handler.desktop', 'text/x=tabularium-url-handler.desktop'],
  [`#${OURS}`, `#${OURS}`],
  ['', ''],
])('makes of %j the list %j', (list, expected) => {
  expect(withoutUrlHandler(list)).toBe(expected);
});
