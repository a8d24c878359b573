import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { en } from './en/index.ts';
import { speakWords, strings } from './index.ts';
import { formatAgo, formatBytes, formatMilliseconds, formatRowCount } from './format.ts';

const RENDERER = join(import.meta.dirname, '..');

/** Every entry of the catalogue with its path; a name may hold dots. */
function entries(value: object, path: readonly string[] = []): [readonly string[], unknown][] {
  return Object.entries(value).flatMap(([name, entry]: [string, unknown]) =>
    typeof entry === 'object' && entry !== null
      ? entries(entry, [...path, name])
      : [[[...path, name], entry] as [readonly string[], unknown]],
  );
}

const sources = readdirSync(RENDERER, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test') && !file.startsWith('i18n'))
  .map((file) => ({ file, text: readFileSync(join(RENDERER, file), 'utf8') }));

describe('the catalogue', () => {
  it('has words everywhere', () => {
    for (const [path, entry] of entries(en)) {
      const name = path.join('.');
      expect(['string', 'function'], name).toContain(typeof entry);
      if (typeof entry === 'string') expect(entry.trim(), name).not.toBe('');
    }
  });

  it('has nothing that no component says', () => {
    const all = sources.map(({ text }) => text).join('\n');
    // A member is used by its own name, or through its group: `words.themes[value]`, `phrases.of(strings.console.phrases)`.
    const unused = entries(en)
      .map(([path]) => path)
      .filter(
        (path) =>
          !all.includes(`(strings.${path.slice(0, -1).join('.')})`) &&
          !all.includes(`.${path.at(-1)}`) &&
          !all.includes(`.${path.at(-2)}[`) &&
          !all.includes(`words.${path.at(-1)}`),
      )
      .map((path) => path.join('.'));
    expect(unused).toEqual([]);
  });

  it('is the only place with words for people', () => {
    const words: string[] = [];
    for (const { file, text } of sources) {
      for (const match of text.matchAll(/(?:aria-label|title|label|placeholder|description)="([^"]*[A-Za-z]{3}[^"]*)"/g))
        words.push(`${file}: ${match[0]}`);
      if (file.endsWith('.tsx'))
        for (const match of text.matchAll(/(?<!=)>\s*([A-Z][a-z]+[^<>{}=;()]*)</g)) words.push(`${file}: ${match[1]}`);
    }
    expect(words).toEqual([]);
  });
});

describe('another language', () => {
  it('has the files of the other language, so that a text is found by its neighbour', () => {
    const files = (language: string): string[] =>
      readdirSync(join(RENDERER, 'i18n', language)).filter((file) => file.endsWith('.ts') && !file.includes('.test'));
    // The host writes English, its names of secure stores too, and only English writes a driver's terms in small letters.
    const ofOne = ['hostSentences.ts', 'storeName.ts', 'term.ts'];
    const shared = (language: string): string[] => files(language).filter((file) => !ofOne.includes(file));
    expect(shared('de')).toEqual(shared('en'));
  });

  it('replaces every string, also in groups that were read before', () => {
    const held = strings.settings;
    const before = strings.settings.title;
    speakWords({
      ...en,
      settings: { ...en.settings, title: 'Einstellungen', themes: { ...en.settings.themes, dark: 'Dunkel' } },
    });
    expect([held.title, held.themes.dark, held.themes.light]).toEqual(['Einstellungen', 'Dunkel', 'Light']);
    expect(en.settings.title).toBe(before);
    speakWords(en);
    expect(held.title).toBe(before);
  });

  it('is not kept out by a module that holds a single word', () => {
    const held = sources.flatMap(({ file, text }) =>
      [...text.matchAll(/^(?:export )?const \w+[^=\n]*= strings\.\w+\.\w+/gm)].map((match) => `${file}: ${match[0]}`),
    );
    expect(held).toEqual([]);
  });
});

describe('numbers and times', () => {
  it('say what is an estimate', () => {
    expect(formatRowCount({ rows: 1_200, exact: true })).toBe('1,200');
    expect(formatRowCount({ rows: 1_200, exact: false })).toBe('~1,200');
  });

  it('have units', () => {
    expect(formatMilliseconds(12.4)).toBe('12 ms');
    expect(formatMilliseconds(1_250)).toBe('1.3 s');
    expect(formatBytes(512)).toBe('512 B');
    expect(formatBytes(48_213)).toBe('48.2 kB');
    expect(formatBytes(1_300_000)).toBe('1.3 MB');
  });

  it('say how long ago', () => {
    const now = Date.parse('2026-11-20T12:00:00Z');
    expect(formatAgo('2026-11-20T11:55:00Z', now)).toBe('5 minutes ago');
    expect(formatAgo('2026-11-20T11:59:50Z', now)).toBe('now');
    expect(formatAgo('2026-11-19T12:00:00Z', now)).toBe('yesterday');
    expect(formatAgo('soon', now)).toBe('soon');
  });
});
