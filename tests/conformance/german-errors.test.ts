import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { driverText } from '@tabularium/sdk';
import { driverMessages } from '@tabularium/sdk/manifest';
import { describe, expect, it } from 'vitest';
import { formatDriverMessage } from '../../host/src/renderer/i18n/formatDriverMessage.ts';
import { DriverErrors } from '../../scripts/checks/driverErrors.ts';
import type { MadeError } from '../../scripts/checks/driverErrors.ts';
import { root } from '../../scripts/paths.ts';

/** The drivers of this repository, and how many errors their sources make at least. */
const DRIVERS = [
  ['sqlite', 70],
  ['postgres', 75],
  ['search', 200],
] as const;

const MANY_NAMES = Array.from({ length: 99 }, (_, index) => `name_${index}`);

function germanOf(driver: string): ReadonlyMap<string, string> {
  const { tabularium } = JSON.parse(readFileSync(join(root, 'drivers', driver, 'package.json'), 'utf8')) as {
    readonly tabularium: object;
  };
  return driverMessages(tabularium, 'de');
}

function madeBy(driver: string, change?: (text: string, file: string) => string): readonly MadeError[] {
  return new DriverErrors(join(root, 'drivers', driver, 'src'), change).made;
}

/** The errors that a person reads in English though the window is German, each with its place. */
function englishOf(made: readonly MadeError[], messages: ReadonlyMap<string, string>): readonly string[] {
  const ids = [...messages.keys()];
  return made.flatMap(({ place, ids: named, lacks }) => {
    if (lacks !== undefined) return [`${place}: ${lacks}`];
    const missing = named.filter((id) => {
      if (messages.has(id)) return false;
      const pattern = new RegExp(`^${id.replaceAll('.', String.raw`\.`).replaceAll('*', String.raw`[\w.-]+`)}$`);
      return !ids.some((one) => pattern.test(one));
    });
    return missing.map((id) => `${place}: ${id}`);
  });
}

describe.each(DRIVERS)('the driver %s', (driver, least) => {
  const made = madeBy(driver);

  it('has a German message for every error that it makes with a text', () => {
    expect(englishOf(made, germanOf(driver))).toEqual([]);
    expect(made.length).toBeGreaterThan(least);
  });

  it('is found out by each translation that is removed', () => {
    const named = [...new Set(made.flatMap(({ ids }) => ids))].filter((id) => !id.includes('*'));
    expect(named.length).toBeGreaterThan(50);
    const german = germanOf(driver);
    for (const id of named) {
      const messages = new Map(german);
      messages.delete(id);
      expect(englishOf(made, messages), id).not.toEqual([]);
    }
  });

  it('ends each list in German behind a whole name and counts the others', () => {
    const lists = [...germanOf(driver)].flatMap(([id, message]) =>
      [...message.matchAll(/\{(\w+)More, plural/g)].map(([, list = '']) => ({ id, message, list })),
    );
    expect(lists.length).toBeGreaterThan(0);
    for (const { id, message, list } of lists) {
      const others = [...message.matchAll(/\{(\w+)(?:\}|, \w+)/g)].map(([, name = '']): [string, string | number] => [
        name,
        // The part of the sentence that has the list.
        name === 'aliases' ? 2 : name === 'types' ? (list === 'retyped' ? 'convert' : 'same') : 'yes',
      ]);
      const { values } = driverText(id, { [list]: MANY_NAMES });
      const text = formatDriverMessage(message, { ...Object.fromEntries(others), count: 2, ...values }) ?? '';
      const [, shown = '', more] = /(name_0, .*name_\d+) und (\d+) weitere/.exec(text) ?? [];
      expect(
        shown.split(', ').every((name) => MANY_NAMES.includes(name)),
        text,
      ).toBe(true);
      expect(Number(more), text).toBe(MANY_NAMES.length - shown.split(', ').length);
    }
  });

  it('has no German plural for one', () => {
    const wrong = [...germanOf(driver)].flatMap(([id, message]) => {
      const counts = [...message.matchAll(/\{(\w+), (?:number|plural)/g)].map(([, name = '']) => [name, 1]);
      const others = [...message.matchAll(/\{(\w+)(?:\}|, select)/g)].map(([, name = '']) => [name, 'X']);
      const text = formatDriverMessage(message, Object.fromEntries([...others, ...counts]) as Record<string, string | number>);
      return /(?<![\d.,])1 (?:Dokumente|Documents|Zeilen|Spalten|Seiten|Tabellen|Sichten|Werte|Felder|Aliase|Schlüsseln|Ergebnisse|Treffern|Sekunden|Regeln|Wörter|Knoten haben)\b/.test(
        text ?? '',
      )
        ? [`${id}: ${text ?? ''}`]
        : [];
    });
    expect(wrong).toEqual([]);
  });
});

describe('an error without a translation', () => {
  it('is found where a row of an import is rejected in place of it', () => {
    const made = madeBy('sqlite', (text, file) =>
      file === 'import/writeImported.ts' ? text.replace("texts: faultTexts('import.trigger'),", '') : text,
    );
    expect(englishOf(made, germanOf('sqlite'))).toEqual([expect.stringMatching(/^import\/writeImported\.ts:\d+: \{ outcome/)]);
  });

  it('is found where it is made', () => {
    const made = madeBy('sqlite', (text, file) =>
      file === 'connect.ts' ? text.replace(", texts: faultTexts('file.none')", '') : text,
    );
    expect(englishOf(made, germanOf('sqlite'))).toEqual([
      expect.stringMatching(/^connect\.ts:\d+: new DriverError\('INVALID_INPUT'/),
    ]);
  });

  it('is found where a function of the driver makes it', () => {
    const made = madeBy('postgres', (text, file) =>
      file === 'wire/guardSignIn.ts' ? text.replace("'signIn.again'", "''") : text,
    );
    expect(englishOf(made, germanOf('postgres'))).toEqual([expect.stringMatching(/^wire\/guardSignIn\.ts:\d+: denied\(/)]);
  });
});
