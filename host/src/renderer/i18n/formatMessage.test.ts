import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, it } from 'vitest';
import { languageNames } from '../../common/languages.ts';
import { formatMessage } from './formatMessage.ts';

/** The forms that each plural of a message says. */
function countedIn(elements: ReturnType<IntlMessageFormat['getAst']>): readonly (readonly string[])[] {
  return elements.flatMap((element) =>
    'options' in element
      ? [
          ...('pluralType' in element ? [Object.keys(element.options)] : []),
          ...Object.values(element.options).flatMap(({ value }) => countedIn(value)),
        ]
      : [],
  );
}

describe('formatMessage', () => {
  it('makes numbers agree with their nouns and writes them as the language does', () => {
    const rows = [0, 1, 200_000].map((count) => formatMessage('{count, plural, one {# row} other {# rows}}', { count }));
    expect(rows).toEqual(['0 rows', '1 row', '200,000 rows']);
  });

  it('never parses what it is given', () => {
    const name = '{count} # <b> {other, plural, other {x}}';
    expect(formatMessage('{count, plural, one {# row of {name}} other {# rows of {name}}}', { count: 2, name })).toBe(
      `2 rows of ${name}`,
    );
  });

  it('takes < and > as they are written', () => {
    expect(formatMessage('<b>{name}</b>', { name: 'x' })).toBe('<b>x</b>');
  });

  it('refuses a message whose values are missing, when it is compiled and when it is shown', () => {
    // @ts-expect-error -- the message names a value that is not given
    expect(() => formatMessage('{count, plural, one {# row} other {# rows}}', {})).toThrow();
    // @ts-expect-error -- a number is counted, a text is not
    expect(formatMessage('{count, plural, one {# row} other {# rows}}', { count: 'x' })).toContain('NaN');
  });
});

describe.each(languageNames)('the messages of the catalogue %s', (language) => {
  const folder = join(import.meta.dirname, language);
  const messages = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.includes('.test'))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/formatMessage\(\s*(['"`])(.*?)\1,\s*\{/gs)])
    .map(([, , message]) => String(message));

  it('say every form that the language has for a number', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const lacking = messages.filter((message) =>
      countedIn(new IntlMessageFormat(message, language, undefined, { ignoreTag: true }).getAst()).some(
        (said) => !forms.every((form) => said.includes(form)),
      ),
    );
    expect(messages.length).toBeGreaterThan(20);
    expect(lacking).toEqual([]);
  });
});
