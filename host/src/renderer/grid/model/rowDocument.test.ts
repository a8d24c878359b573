import type { Cell, ColumnKind } from '@tabularium/sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indentJson } from './jsonText.ts';
import {
  EMPTY_DOCUMENT,
  cellInside,
  documentChanges,
  isMemberCell,
  jsonText,
  memberOf,
  parseDocument,
  sameNode,
  withCells,
} from './rowDocument.ts';
import type { DocumentColumn } from './rowDocument.ts';

const column = (name: string, kind: ColumnKind, refusal?: string): DocumentColumn => ({ name, kind, nullable: true, refusal });
const COLUMNS = [
  column('id', 'text', 'The id names the row.'),
  column('title', 'text'),
  column('code', 'integer'),
  column('place', 'geo'),
  column('tags', 'json'),
  column('seller.name', 'text'),
  column('seller.since', 'integer'),
  column('parts.size', 'json', 'It holds one entry for each element of “parts”.'),
  column('__proto__', 'text'),
  column('constructor', 'text'),
];
const KINDS = new Map(COLUMNS.map(({ name, kind }) => [name, kind]));
const DOCUMENT =
  '{"id":"1","title":"Lamp","code":9223372036854775807,"place":[48.85,2.35],"tags":["a"],' +
  '"seller":{"name":"Ann","since":1999},"parts":[{"size":1,"deep":{"x":[{}]}},{"size":2}],"extra":{"":-0}}';
const changed = (from: string, to: string) =>
  documentChanges(parseDocument(DOCUMENT), parseDocument(DOCUMENT.replace(from, to)), COLUMNS);

describe('the changes of a document', () => {
  it('are cells of columns where columns name them, also inside objects', () => {
    expect(changed('"Ann","since":1999', '"Bo","since":2^63'.replace('2^63', '9223372036854775808')).changes).toEqual([
      { column: 'seller.name', value: 'Bo' },
      { column: 'seller.since', value: '9223372036854775808' },
    ]);
    expect(changed('[48.85,2.35]', '[1, 2]').changes).toEqual([{ column: 'place', value: '[1,2]' }]);
  });

  it('are whole members where no column names them: lists of objects, undeclared members, an object that gets one', () => {
    expect(changed('"size":2', '"size":3').changes).toEqual([
      { column: 'parts', value: ['json', '[{"size":1,"deep":{"x":[{}]}},{"size":3}]'] },
    ]);
    expect(changed('{"":-0}', '{"":0}').changes).toEqual([{ column: 'extra', value: ['json', '{"":0}'] }]);
    expect(changed('"since":1999', '"since":1999,"new":1').changes).toEqual([
      { column: 'seller', value: ['json', '{"name":"Ann","since":1999,"new":1}'] },
    ]);
    expect(changed(',"extra":{"":-0}', '').changes).toEqual([{ column: 'extra', value: ['absent'] }]);
  });

  it('are none where only the order of members or the white space differs', () => {
    const other = parseDocument(' {"title" : "Lamp", "id":"1"} ');
    expect(documentChanges(parseDocument('{"id":"1","title":"Lamp"}'), other, COLUMNS)).toEqual({ changes: [], faults: [] });
  });

  it.each([
    ['"Lamp"', '5', { name: 'title', path: ['title'], is: 'type', wanted: 'text' }],
    ['9223372036854775807', '1.5', { name: 'code', path: ['code'], is: 'type', wanted: 'integer' }],
    ['"id":"1"', '"id":"2"', { name: 'id', path: ['id'], is: 'readOnly', reason: 'The id names the row.' }],
    ['"size":2', '"size":2,"size":3', { name: 'size', path: ['parts', '1', 'size'], is: 'twice' }],
    ['"since":1999', '"since":"x"', { name: 'seller.since', path: ['seller', 'since'], is: 'type', wanted: 'integer' }],
  ])('%s to %s is refused with its place', (from, to, fault) => {
    expect(changed(from, to).faults).toEqual([fault]);
  });
});

describe('a column inside a member', () => {
  it('has one entry for each element of a list', () => {
    const parts = memberOf(parseDocument(DOCUMENT), 'parts') ?? EMPTY_DOCUMENT;
    expect(cellInside(parts, 'size', { kind: 'json' })).toBe('[1,2]');
    expect(cellInside(parts, 'deep', { kind: 'json' })).toBe('[{"x":[{}]},null]');
    expect(cellInside(parts, 'none', { kind: 'json' })).toBe('[null,null]');
  });
});

/** A JSON text of a document that means harm: names of the prototype, dotted and empty names, numbers beyond a double, lone surrogates. */
const names = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    '',
    'a.b',
    'seller',
    'seller.name',
    'parts',
    'title',
    'tags',
    '"',
    '\\',
    '\ud800',
  ),
  fc.string({ maxLength: 4, unit: 'binary' }),
);
const numerals = fc.constantFrom(
  '-0',
  '0',
  '9223372036854775808',
  '-9007199254740993',
  '1.10',
  '1e400',
  '-1E-7',
  '123456789012345678901234567890.5',
);
const strings = fc.oneof(
  fc.string({ maxLength: 6, unit: 'binary' }),
  fc.constantFrom('\udfff', '\u2028', '\u0000', '9223372036854775808', '["json","x"]'),
);
const { value: values } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    numerals,
    fc.constantFrom('null', 'true', 'false', '[]', '{}'),
    strings.map((text) => JSON.stringify(text)),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    tie('object'),
  ),
  object: fc
    .uniqueArray(fc.tuple(names, tie('value')), { maxLength: 4, selector: ([name]) => name })
    .map((members) => `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`),
}));
const documents = fc
  .uniqueArray(fc.tuple(names, values), { maxLength: 6, selector: ([name]) => name })
  .map((members) => `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`);
/** A document as it is after it was sent to the host and back. */
const travelled = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const NO_COLUMNS: readonly DocumentColumn[] = [];

describe('a hostile document', () => {
  it('that is copied and pasted back is the same, and changes nothing', () => {
    fc.assert(
      fc.property(documents, (text) => {
        const document = parseDocument(text);
        const pasted = parseDocument(indentJson(jsonText(document)));
        expect(sameNode(document, pasted)).toBe(true);
        expect(jsonText(pasted)).toBe(jsonText(document));
        expect(documentChanges(document, pasted, COLUMNS)).toEqual({ changes: [], faults: [] });
      }),
      { numRuns: 300 },
    );
  });

  it('that is pasted over another one becomes the same, by what is staged for it', () => {
    fc.assert(
      fc.property(documents, documents, (one, other) => {
        const [before, after] = [parseDocument(one), parseDocument(other)];
        const { changes, faults } = documentChanges(before, after, NO_COLUMNS);
        expect(faults).toEqual([]);
        expect(sameNode(withCells(before, travelled(changes), new Map()), after)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('that is pasted as a new row becomes the same, as far as its values fit their columns', () => {
    fc.assert(
      fc.property(documents, (text) => {
        const after = parseDocument(text);
        const { changes, faults } = documentChanges(EMPTY_DOCUMENT, after, COLUMNS);
        fc.pre(faults.length === 0);
        // A dotted name that a column has is a path in a new row.
        fc.pre(memberOf(after, 'seller.name') === undefined);
        expect(sameNode(withCells(EMPTY_DOCUMENT, travelled(changes), KINDS), after)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('with a list a thousand levels deep is read, and one that is deeper is refused as too deep', () => {
    const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(jsonText(parseDocument(nested(900)))).toBe(nested(900));
    expect(() => parseDocument(nested(5_000))).toThrow(RangeError);
  });

  it('has cells that differ from the values of columns', () => {
    const cells: readonly Cell[] = ['["json","x"]', ['json', '1']];
    expect(cells.map(isMemberCell)).toEqual([false, true]);
  });
});

describe('a member with a dot in its name', () => {
  const columns = [column('a.b', 'integer'), column('c', 'text')];
  const changed = (before: string, after: string) => documentChanges(parseDocument(before), parseDocument(after), columns);

  it('is the column of that name, as a path into another member is', () => {
    expect(changed('{"a.b":1}', '{"a.b":5}')).toEqual({ changes: [{ column: 'a.b', value: 5 }], faults: [] });
    expect(changed('{"a":{"b":1}}', '{"a":{"b":5}}')).toEqual({ changes: [{ column: 'a.b', value: 5 }], faults: [] });
  });

  it('is not changed where the document has both, because the change could reach the other one', () => {
    const both = '{"a.b":1,"a":{"b":2},"c":"x"}';
    for (const after of ['{"a.b":5,"a":{"b":2},"c":"x"}', '{"a.b":1,"a":{"b":7},"c":"x"}', '{"a":{"b":2},"c":"x"}']) {
      const { changes, faults } = changed(both, after);
      expect(changes).toEqual([]);
      expect(faults).toMatchObject([{ name: 'a.b', is: 'ambiguous' }]);
    }
    // One that makes it so, and another member of such a document.
    expect(changed('{"a":{"b":2}}', '{"a":{"b":2},"a.b":1}').faults).toMatchObject([{ is: 'ambiguous', path: ['a.b'] }]);
    expect(changed(both, both.replace('"x"', '"y"'))).toEqual({ changes: [{ column: 'c', value: 'y' }], faults: [] });
  });
});
