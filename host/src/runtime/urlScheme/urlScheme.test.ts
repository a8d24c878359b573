import { describe, expect, it } from 'vitest';
import { desktopEntry } from './desktopEntry.ts';
import { isStartUrl } from './startUrl.ts';

const exec = (change: Partial<Parameters<typeof desktopEntry>[0]>): string | undefined =>
  desktopEntry({ node: '/n/node', launcher: '/l/tabularium.mjs', home: '/home/me/.local', ...change })
    .split('\n')
    .find((line) => line.startsWith('Exec='));

describe('the desktop entry', () => {
  it('has bare words where that is possible, for openers that know no quotes', () => {
    expect(exec({})).toBe('Exec=/n/node /l/tabularium.mjs open-url --home /home/me/.local %u');
  });

  it.each([
    ['/a b', String.raw`"/a b"`],
    ['/100%', '/100%%'],
    ['/a"b', String.raw`"/a\\"b"`],
    ['/a$b`c', String.raw`"/a\\$b\\` + '`c"'],
    ['/a\\b', String.raw`"/a\\\\b"`],
    ['/ü;x', '"/ü;x"'],
  ])('quotes %s as the specification has it', (home, word) => {
    expect(exec({ home })).toBe(`Exec=/n/node /l/tabularium.mjs open-url --home ${word} %u`);
  });

  it('cannot be made to hold a second line', () => {
    expect(() => exec({ home: '/a\nExec=evil' })).toThrow('cannot name');
  });
});

it.each([
  ['tabularium://integrations/start-mcp', true],
  ['tabularium://integrations/start-mcp/', true],
  ['tabularium://integrations/start-mcp?home=/x', false],
  ['tabularium://integrations/start-mcp#x', false],
  ['tabularium://integrations/start-mcp\n', false],
  ['Tabularium://integrations/start-mcp', false],
  ['tabularium://integrations', false],
])('isStartUrl(%j) is %s', (text, expected) => {
  expect(isStartUrl(text)).toBe(expected);
});
