import { globSync, readFileSync } from 'node:fs';
import { driverMessages } from '@tabularium/sdk/manifest';
import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, it } from 'vitest';
import { formatDriverMessage } from './formatDriverMessage.ts';

const root = new URL('../../../../', import.meta.url);

/** The messages of a language of every first driver, by its folder. */
const drivers = globSync('drivers/*/package.json', { cwd: root }).flatMap((file) => {
  const { tabularium } = JSON.parse(readFileSync(new URL(file, root), 'utf8')) as { readonly tabularium?: object };
  return tabularium === undefined ? [] : [[file, driverMessages(tabularium, 'de')] as const];
});

/** Kinds of parts, as the library counts them. */
const LITERAL = 0;
const NUMBER = 2;
const PLURAL = 6;
type Part = ReturnType<IntlMessageFormat['getAst']>[number];

/** The arguments of a message, each with values that lead through all of its branches. */
function valuesOf(parts: readonly Part[], found = new Map<string, (string | number)[]>()): typeof found {
  for (const part of parts) {
    if (!('value' in part) || typeof part.value !== 'string' || Number(part.type) === LITERAL) continue;
    if (!('options' in part)) {
      if (!found.has(part.value)) found.set(part.value, Number(part.type) === NUMBER ? [1, 1_234] : ['X1']);
      continue;
    }
    // A choice by number has a type of its own.
    found.set(part.value, Number(part.type) === PLURAL ? [0, 1, 2, 1_234] : Object.keys(part.options));
    for (const { value } of Object.values(part.options)) valuesOf(value, found);
  }
  return found;
}

/** Each argument goes through its values, while the others have their first. */
function fillings(message: string): Record<string, string | number>[] {
  const values = valuesOf(new IntlMessageFormat(message, 'de', undefined, { ignoreTag: true }).getAst());
  const first = Object.fromEntries(Array.from(values, ([name, [value = '']]) => [name, value]));
  return [first, ...Array.from(values).flatMap(([name, all]) => all.map((value) => ({ ...first, [name]: value })))];
}

describe.each(drivers)('the German messages of %s', (_file, messages) => {
  it('are sentences with every value that the driver may give', () => {
    const wrong = [...messages].flatMap(([id, message]) =>
      fillings(message).flatMap((values) => {
        const text = formatDriverMessage(message, values);
        return text === undefined || /\{\w+\}|undefined| {2}|\s[.,](?:\s|$)/.test(text.replaceAll(/„[^“]*“/g, 'Q'))
          ? [{ id, values, text }]
          : [];
      }),
    );
    expect(wrong).toEqual([]);
    expect(messages.size).toBeGreaterThan(20);
  });
});

it('has no text where a value is missing or the message is wrong', () => {
  expect(formatDriverMessage('{count, number} rows', {})).toBeUndefined();
  expect(formatDriverMessage('{count, number', { count: 1 })).toBeUndefined();
});
