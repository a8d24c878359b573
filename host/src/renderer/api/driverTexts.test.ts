import { describe, expect, it } from 'vitest';
import type { DriverTexts } from '@tabularium/sdk';
import { driverTextsSchema } from '@tabularium/sdk/protocol';
import { exampleManifest } from '../testing/exampleManifest.test-helper.ts';
import { fieldsInDriverWords, inDriverWords, learnDriverTexts, reportInDriverWords, tableInDriverWords } from './driverTexts.ts';

const SHOP = 'shop';

/** A connection whose driver has these German messages. */
function speaking(messages: Readonly<Record<string, string>>): void {
  learnDriverTexts(SHOP, { ...exampleManifest, translations: { de: { texts: {}, messages } } }, 'de');
}

/** The window's text for a reason of the driver. */
function said(texts: DriverTexts | undefined): string {
  return inDriverWords(SHOP, { reason: 'The English reason.', texts }).reason;
}

describe('a report of a driver', () => {
  const report = {
    code: 'INVALID_INPUT' as const,
    message: 'The filter on “price” lacks a value.',
    advice: 'Enter one.',
    details: { texts: { message: { id: 'filter.noValue', values: { field: 'price' } } } },
  };

  it('says which parts are translated, so that these are not quoted as the driver’s English', () => {
    speaking({ 'filter.noValue': 'Dem Filter auf „{field}“ fehlt ein Wert.' });
    const { message, advice, translated } = reportInDriverWords(SHOP, report);
    expect({ message, advice, translated }).toEqual({
      message: 'Dem Filter auf „price“ fehlt ein Wert.',
      advice: 'Enter one.',
      translated: { message: true, advice: false },
    });
  });
});

describe('what a driver says while it runs', () => {
  it('is in the language of the window, with its values', () => {
    speaking({ ofElements: 'Ein Eintrag je Element von „{list}“, {count, plural, one {# Zeile} other {# Zeilen}}.' });
    expect(said({ reason: { id: 'ofElements', values: { list: 'offers', count: 2 } } })).toBe(
      'Ein Eintrag je Element von „offers“, 2 Zeilen.',
    );
  });

  it('stays English without a reference, with an unknown one, and for another connection', () => {
    speaking({ known: 'Bekannt.' });
    expect(said(undefined)).toBe('The English reason.');
    expect(said({ reason: { id: 'unknown' } })).toBe('The English reason.');
    expect(inDriverWords('other', { reason: 'The English reason.', texts: { reason: { id: 'known' } } }).reason).toBe(
      'The English reason.',
    );
  });

  it.each([
    ['is no message', 'Ein {list'],
    ['names a value that is not there', 'Ein {missing}.'],
    ['names a member of every object', 'Ein {constructor}.'],
    ['has an unknown format', '{count, nonsense}'],
    ['is empty', ' '],
    ['is blank when filled', '{blank}'],
    ['is too long when filled', '{long}'.repeat(100)],
  ])('stays English where the translation %s', (_what, message) => {
    speaking({ broken: message });
    const values = { list: 'offers', count: 2, blank: '', long: 'x'.repeat(400) };
    expect(said({ reason: { id: 'broken', values } })).toBe('The English reason.');
  });

  it('has no markup, neither from the translation nor from a value, and reads no value as a message', () => {
    speaking({ markup: '<b>{name}</b>' });
    expect(said({ reason: { id: 'markup', values: { name: '<i>{list}</i>' } } })).toBe('<b><i>{list}</i></b>');
  });

  it('adds no member that was not said', () => {
    speaking({ known: 'Bekannt.' });
    expect(inDriverWords(SHOP, { reason: 'English.', texts: { help: { id: 'known' }, toString: { id: 'known' } } })).toEqual({
      reason: 'English.',
      texts: { help: { id: 'known' }, toString: { id: 'known' } },
    });
  });

  it('is found in columns, forms and errors', () => {
    speaking({ why: 'Darum.', what: 'Was.' });
    const texts = { reason: { id: 'why' } };
    const { columns } = tableInDriverWords(SHOP, {
      ref: { namespace: [], name: 'products' },
      kind: 'table',
      columns: [
        {
          name: 'id',
          kind: 'text',
          type: 'string',
          nullable: false,
          editable: { allowed: false, reason: 'Because.', texts },
          sortable: { allowed: false, reason: 'Because.', texts },
        },
      ],
      key: ['id'],
      paging: 'offset',
      readsFromEnd: false,
      notes: [],
    });
    expect(columns[0]).toMatchObject({ editable: { reason: 'Darum.' }, sortable: { reason: 'Darum.' } });
    const [field] = fieldsInDriverWords(SHOP, [
      {
        id: 'one',
        label: 'What.',
        required: true,
        type: 'list',
        options: [{ value: 'a', label: 'What.', texts: { label: { id: 'what' } } }],
        texts: { label: { id: 'what' } },
      },
    ]);
    expect(field).toMatchObject({ label: 'Was.', options: [{ label: 'Was.' }] });
    const details = { texts: { message: { id: 'what' }, advice: { id: 'why' } } };
    expect(reportInDriverWords(SHOP, { message: 'What.', advice: 'Because.', details })).toMatchObject({
      message: 'Was.',
      advice: 'Darum.',
    });
  });
});

describe('a note of an index or trigger', () => {
  it('is in the language of the window', () => {
    speaking({ why: 'Darum.' });
    const texts = { note: { id: 'why' } };
    const { indexes, triggers } = tableInDriverWords(SHOP, {
      ref: { namespace: [], name: 'products' },
      kind: 'table',
      columns: [],
      key: [],
      indexes: [{ name: 'i', columns: [{ name: 'id' }], unique: true, note: 'Because.', texts }],
      triggers: [{ name: 't', timing: 'after', events: ['insert'], note: 'Because.', texts }],
      paging: 'offset',
      readsFromEnd: false,
      notes: [],
    });
    expect([indexes?.[0]?.note, triggers?.[0]?.note]).toEqual(['Darum.', 'Darum.']);
  });
});

describe('a reference to a translation on the wire', () => {
  it('arrives as it was sent', () => {
    const texts = { reason: { id: 'field.ofElements', values: { list: 'offers', count: 3 } } };
    expect(driverTextsSchema.parse(texts)).toEqual(texts);
  });

  it.each([
    ['an id with other characters', { reason: { id: 'a b' } }],
    ['an id that is too long', { reason: { id: 'a'.repeat(81) } }],
    ['a value that is a list', { reason: { id: 'a', values: { list: ['x'] } } }],
    ['a value that is too long', { reason: { id: 'a', values: { list: 'x'.repeat(401) } } }],
    ['a value that is not a number', { reason: { id: 'a', values: { count: Number.NaN } } }],
    ['a value with a name of its own kind', { reason: { id: 'a', values: { 'a b': 'x' } } }],
    [
      'too many values',
      { reason: { id: 'a', values: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`v${at}`, at])) } },
    ],
    ['too many members', Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`m${at}`, { id: 'a' }]))],
    ['text', 'reason'],
  ])('is dropped when it is or has %s, and nothing else with it', (_what, texts) => {
    expect(driverTextsSchema.parse(texts)).toBeUndefined();
  });
});
