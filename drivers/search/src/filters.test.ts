import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FILTER_OPERATORS } from '@tabularium/sdk';
import type { Filter, FilterOperator } from '@tabularium/sdk';
import { filterText } from './filters.ts';
import { collectionOf } from './schema.ts';

const schema = collectionOf({
  name: 'books',
  num_documents: 1,
  fields: [
    { name: 'title', type: 'string' },
    { name: 'tags', type: 'string[]' },
    { name: 'pages', type: 'int32' },
    { name: 'big', type: 'int64' },
    { name: 'nums', type: 'int32[]' },
    { name: 'price', type: 'float' },
    { name: 'new', type: 'bool' },
    { name: 'place', type: 'geopoint' },
    { name: 'maker', type: 'object' },
    { name: 'maker.name', type: 'string' },
    { name: 'note', type: 'string', index: false },
    { name: 'vec', type: 'float[]', num_dim: 3 },
    { name: 'a) || (id', type: 'string' },
    { name: '.*', type: 'auto' },
  ],
});

const one = (column: string, operator: FilterOperator, ...values: string[]): Filter => ({
  match: 'all',
  conditions: [{ column, operator, values }],
});

describe('filter_by', () => {
  it.each<[string, Filter]>([
    ['title:=`The Go Book`', one('title', 'equals', 'The Go Book')],
    ['title:!=`x`', one('title', 'notEquals', 'x')],
    ['title:`word`', one('title', 'contains', 'word')],
    ['title:!`word`', one('title', 'notContains', 'word')],
    ['title:`val`*', one('title', 'startsWith', 'val')],
    ['title:=[`a`,`b, c`]', one('title', 'in', 'a', 'b, c')],
    ['title:!=[`a`,`b`]', one('title', 'notIn', 'a', 'b')],
    ['title:=`"a"`', one('title', 'in', '"a"')],
    ['(title:=[`b`,`a "c"`] || title:=`"a"` || title:=` "c" `)', one('title', 'in', '"a"', 'b', ' "c" ', 'a "c"')],
    ['(title:!=[`b`] && title:!=`"a"`)', one('title', 'notIn', '"a"', 'b')],
    ['id:=[`"a"`,`b`]', one('id', 'in', '"a"', 'b')],
    ['tags:=`a`', one('tags', 'equals', 'a')],
    ['pages:=12', one('pages', 'equals', ' +12 ')],
    ['pages:!=12', one('pages', 'notEquals', '12')],
    ['pages:>12', one('pages', 'greaterThan', '12')],
    ['pages:>=-12', one('pages', 'greaterOrEqual', '-12')],
    ['pages:<12', one('pages', 'lessThan', '12')],
    ['pages:<=12', one('pages', 'lessOrEqual', '12')],
    ['pages:[1..12]', one('pages', 'between', '1', '12')],
    ['nums:=[1,2]', one('nums', 'in', '1', '2')],
    ['place:(48.85, 2.35, 5 km)', one('place', 'withinRadius', '48.85, 2.35', '5 km')],
    ['place:(48.85, -2.35, 3 mi)', one('place', 'withinRadius', ' [48.85,-2.35] ', '3mi')],
    ['place:(48.85, 2.35, 0.5 km)', one('place', 'withinRadius', '(48.85, 2.35)', '500 m')],
    ['place:(48, 2, 49, 2, 49, 3)', one('place', 'withinPolygon', '48,2; 49, 2;49,3;')],
    ['big:=9007199254740993', one('big', 'equals', '9007199254740993')],
    ['price:>=0.5', one('price', 'greaterOrEqual', '.5')],
    ['price:[-1.5..2]', one('price', 'between', '-1.50', '2.0')],
    ['new:=true', one('new', 'equals', 'TRUE')],
    ['new:!=[true,false]', one('new', 'notIn', 'true', 'false')],
    ['id:=`a/b`', one('id', 'equals', 'a/b')],
    ['id:!=[`1`,`2`]', one('id', 'notIn', '1', '2')],
    ['maker.name:=`x`', one('maker.name', 'equals', 'x')],
  ])('%s', (text, filter) => {
    expect(filterText(filter, schema)).toBe(text);
  });

  it('joins conditions and the raw text, each in brackets of its own', () => {
    const conditions = [
      { column: 'pages', operator: 'greaterThan', values: ['1'] },
      { column: 'title', operator: 'equals', values: ['x'] },
    ] as const;
    expect(filterText({ match: 'all', conditions }, schema)).toBe('(pages:>1) && (title:=`x`)');
    expect(filterText({ match: 'any', conditions, raw: 'a:1 && b:2' }, schema)).toBe(
      '(pages:>1) || (title:=`x`) || (a:1 && b:2)',
    );
    expect(filterText({ match: 'any', conditions: [], raw: ' a:1 || b:2 ' }, schema)).toBe(' a:1 || b:2 ');
    expect(filterText({ match: 'all', conditions: [], raw: '  ' }, schema)).toBeUndefined();
    expect(filterText({ match: 'all', conditions: [] }, undefined)).toBeUndefined();
  });

  it.each<[string, string, Filter]>([
    ['UNSUPPORTED', 'is NULL', one('title', 'isNull')],
    ['UNSUPPORTED', 'is not NULL', one('pages', 'isNotNull')],
    ['UNSUPPORTED', 'is empty', one('title', 'isEmpty')],
    ['UNSUPPORTED', 'is not empty', one('id', 'isNotEmpty')],
    ['UNSUPPORTED', 'matches regex', one('title', 'matchesRegex', '.*')],
    ['UNSUPPORTED', 'ends with', one('title', 'endsWith', 'x')],
    ['UNSUPPORTED', 'numbers only', one('title', 'greaterThan', 'a')],
    ['UNSUPPORTED', 'numbers only', one('new', 'between', 'true', 'false')],
    ['UNSUPPORTED', 'numbers only', one('id', 'lessThan', '5')],
    ['UNSUPPORTED', 'strings only', one('pages', 'contains', '1')],
    ['UNSUPPORTED', 'as a whole', one('id', 'startsWith', '1')],
    ['UNSUPPORTED', 'distance', one('place', 'equals', '1')],
    ['UNSUPPORTED', 'as a whole', one('maker', 'equals', '1')],
    ['UNSUPPORTED', 'not indexed', one('note', 'equals', '1')],
    ['UNSUPPORTED', 'vector', one('vec', 'equals', '1')],
    ['UNSUPPORTED', 'name', one('a) || (id', 'equals', '1')],
    ['INVALID_INPUT', 'backtick', one('title', 'equals', '`zzz` || pages:>0')],
    ['INVALID_INPUT', 'backtick', one('title', 'in', 'a', 'b`')],
    ['INVALID_INPUT', 'backtick', one('id', 'equals', 'x`y')],
    ['INVALID_INPUT', 'colon before a bracket', one('title', 'equals', 'a:[b] || pages:>0 || x')],
    ['INVALID_INPUT', 'colon before a bracket', one('title', 'contains', 'note:  (x')],
    ['INVALID_INPUT', 'colon before a bracket', one('id', 'in', '1', 'a:(b')],
    ['INVALID_INPUT', 'backslash', one('title', 'in', 'a\\', ' || id:!=x || title:=')],
    ['INVALID_INPUT', 'backslash', one('id', 'equals', 'a\\')],
    ['INVALID_INPUT', 'every document', one('id', 'equals', '*')],
    ['INVALID_INPUT', 'every document', one('id', 'in', '1', '*')],
    ['INVALID_INPUT', 'blank', one('id', 'equals', ' 1')],
    ['INVALID_INPUT', 'begins with', one('title', 'in', 'a*', 'b')],
    ['INVALID_INPUT', 'no value', one('title', 'equals', '  ')],
    ['INVALID_INPUT', 'whole number', one('pages', 'equals', 'twelve')],
    ['INVALID_INPUT', 'whole number', one('pages', 'equals', '1.5')],
    ['INVALID_INPUT', 'whole number', one('pages', 'between', '1', '2] || id:!=[x')],
    ['INVALID_INPUT', 'int32', one('pages', 'equals', '3000000000')],
    ['INVALID_INPUT', 'int64', one('big', 'equals', '9223372036854775808')],
    ['INVALID_INPUT', "isn't a number", one('price', 'equals', 'nan')],
    ['INVALID_INPUT', "isn't true or false", one('new', 'equals', 'yes')],
    ['INVALID_INPUT', 'two values', one('pages', 'between', '1')],
    ['INVALID_INPUT', 'one value', one('pages', 'equals')],
    ['STRUCTURE_CHANGED', 'no field', one('learned_later', 'equals', 'x')],
  ])('%s, saying “%s”', (code, words, filter) => {
    expect(() => filterText(filter, schema)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(words) as string }),
    );
  });

  it('writes values as they look where the schema is hidden from the key', () => {
    expect(filterText(one('n', 'equals', '12'), undefined)).toBe('n:=12');
    expect(filterText(one('n', 'in', 'true', 'x'), undefined)).toBe('n:=[true,`x`]');
    expect(filterText(one('n', 'between', '1', '9007199254740993'), undefined)).toBe('n:[1..9007199254740993]');
    expect(() => filterText(one('n', 'lessThan', 'x'), undefined)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    expect(() => filterText(one('n', 'equals', '12`'), undefined)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });

  it('keeps every value inside its quotation or number, whatever it is', () => {
    const columns = schema?.fields.map(({ name }) => name) ?? [];
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[`\\*[\](),&|:.\d ]{0,12}$/),
      fc.constantFrom('`', '\\', '*', '`)', '..', '[1..2]', '&& id:!=x', '9007199254740993', '-0', '1e5'),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...columns, 'id'),
        fc.constantFrom(...FILTER_OPERATORS),
        fc.array(hostile, { minLength: 1, maxLength: 3 }),
        (column, operator, values) => {
          let text: string | undefined;
          try {
            text = filterText(one(column, operator, ...values), schema);
          } catch (error) {
            expect(error).toMatchObject({ name: 'DriverError' });
            return;
          }
          const number = '-?\\d+(?:\\.\\d+)?(?:e[+-]\\d+)?';
          const literal = `(?:\`[^\`]*[^\`\\\\]\`|${number}|true|false)`;
          const list = `\\[${literal}(?:,${literal})*\\]`;
          expect(text).toMatch(
            new RegExp(
              `^[\\w.]+:(?:\\(${number}(?:, ${number})+(?:, ${number} (?:km|mi))?\\)|!?=(?:${literal}|${list})|[<>]=?${number}|\\[${number}\\.\\.${number}\\]|!?\`[^\`]+\`|\`[^\`]+\`\\*)$`,
            ),
          );
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
