import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { Engine } from '../engine.ts';
import { ApiError } from '../errors.ts';
import { parse } from '../json/parse.ts';
import { isObject, objectOf } from '../json/value.ts';
import type { JsonValue } from '../json/value.ts';
import { readField } from '../schema/field.ts';
import type { Collection } from '../store/collection.ts';
import { write } from '../store/writer.ts';
import { textOf } from '../testing.test-helper.ts';
import { featuresOf } from '../versions.ts';
import type { SandboxVersion } from '../versions.ts';
import { FilterEvaluator } from './evaluate.ts';

const schema: readonly Record<string, JsonValue>[] = [
  { name: 'title', type: 'string' },
  { name: 'pages', type: 'int32' },
  { name: 'big', type: 'int64', optional: true },
  { name: 'price', type: 'float', optional: true },
  { name: 'sold', type: 'bool', optional: true },
  { name: 'tags', type: 'string[]', optional: true },
  { name: 'nums', type: 'int32[]', optional: true },
  { name: 'at', type: 'geopoint', optional: true },
  { name: 'offers', type: 'object[]', optional: true },
  { name: 'hidden', type: 'string', optional: true, index: false },
];

const documents = [
  '{"id":"a","title":"Rust in Action","pages":100,"big":9007199254740993,"price":1.5,"sold":true,"tags":["c++","a,b"],"nums":[1,2],"at":[48.85,2.35]}',
  '{"id":"b","title":"Rust","pages":200,"big":9007199254740992,"sold":false,"tags":["go"],"at":[52.52,13.4]}',
  '{"id":"c","title":"Action & Rust, again","pages":300,"price":3.0,"offers":[{"colour":"red","n":1},{"colour":"blue","n":9}]}',
  '{"id":"d/e","title":"Zen","pages":400,"nums":[2,9],"offers":[{"colour":"red","n":9},{"n":1}]}',
];

const collections = new Map<SandboxVersion, Collection>();

const collectionFor = (version: SandboxVersion): Collection => {
  const existing = collections.get(version);
  if (existing !== undefined) return existing;
  const engine = new Engine(featuresOf(version), 'key');
  const collection = engine.create({
    name: 'books',
    fields: schema.flatMap((field) => readField(objectOf(Object.entries(field)), true) ?? []),
    defaultSortingField: '',
    enableNestedFields: true,
    tokenSeparators: [],
    symbolsToIndex: [],
    metadata: undefined,
    createdAt: 0,
  });
  for (const text of documents) write(collection, parse(text), { action: 'create', dirtyValues: 'reject' });
  collections.set(version, collection);
  return collection;
};

const found = (filter: string, version: SandboxVersion = '29.0'): string => {
  const collection = collectionFor(version);
  try {
    const matches = new FilterEvaluator(collection, featuresOf(version)).matches(filter);
    if (matches === undefined) return 'everything';
    return Array.from(matches, (sequence) => {
      const document = parse(collection.documents.text(sequence) ?? 'null');
      return isObject(document) ? textOf(document['id']) : '?';
    }).join(' ');
  } catch (error) {
    if (error instanceof ApiError) return `${error.status} ${error.message}`;
    throw error;
  }
};

beforeAll(() => {
  collectionFor('29.0');
});

describe('what a filter finds', () => {
  test.for([
    ['pages:=100', 'a'],
    ['pages:[100..200]', 'a b'],
    ['pages:[100,300..400]', 'a c d/e'],
    ['pages:!=100', 'b c d/e'],
    ['pages:!=[100,200]', 'c d/e'],
    ['pages:>100 && pages:<=300', 'b c'],
    ['pages : = 100', 'a'],
    ['big:=9007199254740993', 'a'],
    ['big:<9007199254740993', 'b'],
    ['price:>=1.5', 'a c'],
    ['price:!=1.5', 'b c d/e'],
    ['sold:true', 'a'],
    ['sold:!=true', 'b c d/e'],
    ['sold:[true,false]', 'a b'],
    ['title:rust', 'a b c'],
    ['title:=rust', 'b'],
    ['title:=action rust again', 'c'],
    ['title:!=rust', 'a c d/e'],
    ['title:!rust', 'd/e'],
    ['title:Ru*', 'a b c'],
    ['title:=Rust*', 'a b'],
    ['title:=[Zen,Rust]', 'b d/e'],
    ['tags:=`a,b`', 'a'],
    ['tags:=[`a,b`,go]', 'a b'],
    ['nums:=2', 'a d/e'],
    ['nums:>5', 'd/e'],
    ['offers.colour:=red', 'c d/e'],
    ['offers.colour:=red && offers.n:=9', 'c d/e'],
    ['offers.{colour:=red && n:=9}', 'd/e'],
    ['offers.{colour:=green || n:=9}', 'c d/e'],
    ['at:(48.85, 2.35, 5 km)', 'a'],
    ['at:(48, 2, 49, 2, 49, 3, 48, 3)', 'a'],
    ['at:([52.52, 13.4], radius: 1 km)', 'b'],
    ['id:=`d/e`', 'd/e'],
    ['id:[a,b,nobody]', 'a b'],
    ['id:!=a', 'b c d/e'],
    ['id:*', 'a b c d/e'],
    ['(pages:=100 || pages:=200) && sold:=true', 'a'],
    ['pages:=100 || pages:=200 && sold:=true', 'a'],
    ['title:=`zzz` || pages:>0', 'a b c d/e'],
    ['  ', 'everything'],
  ] as const)('%s → %s', ([filter, expected]) => {
    expect(found(filter)).toBe(expected);
  });
});

describe('what a filter is refused for', () => {
  const field = (detail: string, name = 'pages'): string => `400 Error with filter field \`${name}\`: ${detail}`;
  const syntax = (detail: string): string => `400 Could not parse the filter query${detail}`;
  test.for([
    ['pages:=abc', field('Numerical field has an invalid comparator.')],
    ['pages:=1.5', field('Not an int32.')],
    ['pages:=99999999999', field('`99999999999` exceeds the range of an int32.')],
    ['pages:>', field('Not an int32.')],
    ['pages:[1,2', field('Numerical field has an invalid comparator.')],
    ['title:=', field('Filter value cannot be empty.', 'title')],
    ['title:=``', field('Filter value cannot be empty.', 'title')],
    ['offers:=x', field('Unidentified field data type, see docs for supported data types.', 'offers')],
    ['sold:=yes', '400 Value of filter field `sold` must be `true` or `false`.'],
    ['hidden:=x', '400 Cannot filter on non-indexed field `hidden`.'],
    ['nosuch:=1', '400 Could not find a filter field named `nosuch` in the schema.'],
    ['title', syntax('.')],
    ['pages:>1 &&', syntax(': unbalanced `&&` operands.')],
    ['&& pages:>1', syntax(': unbalanced `&&` operands.')],
    ['(pages:>1', syntax(': unbalanced parentheses.')],
    ['pages:>1)', syntax(': unbalanced parentheses.')],
    [
      'at:(1)',
      '400 Value of filter field `at`: must be in the `(-44.50, 170.29, 0.75 km)` or (56.33, -65.97, 23.82, -127.82) format.',
    ],
    ['at:(1, 2, 3 yd)', '400 Unit must be either `km` or `mi`.'],
  ] as const)('%s', ([filter, expected]) => {
    expect(found(filter)).toBe(expected);
  });
});

describe('what older versions make of it', () => {
  test('28.0 takes every bracket for a geo list', () => {
    expect(found('pages:[1,2', '28.0')).toBe('400 Could not parse the geopoint filter.');
  });

  test("26.0 doesn't support exact prefixes or ranges of an int32", () => {
    expect(found('title:=Rust*', '26.0')).toBe('b');
    expect(found('pages:=99999999999', '26.0')).toBe('400 Error with filter field `pages`: Not an int32.');
  });

  test("28.0 doesn't support filters within one object", () => {
    expect(found('offers.{n:=9}', '28.0')).toBe('400 Could not find a filter field named `offers.{n` in the schema.');
  });
});

test('no text breaks the parser: it finds something or says what is wrong', () => {
  const piece = fc.constantFrom(
    'pages',
    'title',
    'offers',
    ':',
    '=',
    '!',
    '<',
    '>',
    '[',
    ']',
    '(',
    ')',
    '{',
    '}',
    '`',
    '&&',
    '||',
    '..',
    ',',
    ' ',
    '1',
    'é',
    '.',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), fc.constantFrom('26.0', '28.0', '29.0'), (pieces, version) => {
      expect(found(pieces.join(''), version)).toMatch(/^(?:400 .+|everything|[a-d/e ]*)$/);
    }),
  );
});
