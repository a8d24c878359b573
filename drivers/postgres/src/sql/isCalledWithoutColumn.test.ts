import { expect, it } from 'vitest';
import { isCalledWithoutColumn } from './isCalledWithoutColumn.ts';

const COLUMN = '{VAR :varno 1 :varattno 1 :vartype 23}';
const CONSTANT = '{CONST :consttype 25 :constlen -1 :constvalue 5 [ 20 0 0 0 120 ]}';
const call = (oid: number, ...args: readonly string[]) =>
  `{FUNCEXPR :funcid ${oid} :funcresulttype 23 :args (${args.join(' ')}) :location -1}`;
const sum = (oid: number, ...args: readonly string[]) =>
  `{OPEXPR :opno 551 :opfuncid ${oid} :opresulttype 23 :args (${args.join(' ')}) :location -1}`;

it.each([
  ['with a constant', call(16_400, CONSTANT)],
  ['without arguments', '{FUNCEXPR :funcid 16400 :funcresulttype 23 :args <> :location -1}'],
  ['with a constant, beside a column', sum(177, COLUMN, call(16_400, CONSTANT))],
  ['within a call with a column', call(16_401, COLUMN, call(16_400, call(16_402, CONSTANT)))],
  ['by an operator between constants', sum(16_400, CONSTANT, CONSTANT)],
  ['once with a column and once without', `(${call(16_400, COLUMN)} ${call(16_400, CONSTANT)})`],
  ['behind a name with a brace', `(${call(16_401, '{COLLATE :name a\\}\\{VAR\\ }')} ${call(16_400, CONSTANT)})`],
  [
    'in a list of oids',
    `{ROWCOMPAREEXPR :cmptype 1 :opnos (o 97 16400) :opfamilies (o 1976 1976) :largs (${CONSTANT}) :rargs (${CONSTANT})}`,
  ],
  ['in a field behind an argument', `{COERCEVIAIO :arg ${CONSTANT} :resulttype 16400 :location -1}`],
  ['in a list of oids, with a column', `{ROWCOMPAREEXPR :opnos (o 97 16400) :largs (${COLUMN}) :rargs (${CONSTANT})}`],
  ['with a column in an argument that is an expression', call(16_400, CONSTANT, call(16_401, COLUMN))],
  ['with a column behind a constant', call(16_400, `{COALESCE :coalescetype 23 :args (${CONSTANT} ${COLUMN})}`)],
  ['with a column that is only tested', call(16_400, `{NULLTEST :arg ${COLUMN} :nulltesttype 1}`)],
  ['with a field of a row', call(16_400, `{FIELDSELECT :arg {ROWEXPR :args (${CONSTANT} ${COLUMN})} :fieldnum 1}`)],
  ['with a constant in another type', call(16_400, `{RELABELTYPE :arg ${CONSTANT} :resulttype 25}`)],
  ['with a value of a CASE', `{CASE :arg ${COLUMN} :args (${call(16_400, '{CASETESTEXPR :typeId 23}')})}`],
  ['in a tree that has no end', '({FUNCEXPR :funcid 16401'],
  ['in a tree that has no beginning', `${call(16_401, COLUMN)}}`],
])('A function is called without a column: %s', (_, tree) => {
  expect(isCalledWithoutColumn(tree, '16400')).toBe(true);
});

it.each([
  ['with a column', call(16_400, COLUMN)],
  ['with a column behind a constant argument', call(16_400, CONSTANT, COLUMN)],
  ['with a column in another type', call(16_400, `{RELABELTYPE :arg ${COLUMN} :resulttype 25}`)],
  ['with a column as a text', call(16_400, `{COERCEVIAIO :arg {COLLATEEXPR :arg ${COLUMN}} :resulttype 25}`)],
  ['by an operator with a column', sum(16_400, COLUMN, CONSTANT)],
  ['within an expression, with a column', `{COALESCE :args (${CONSTANT} ${call(16_400, COLUMN)})}`],
  ['as another one, whose number begins alike', call(164_001, CONSTANT)],
  ['as an argument of one with a constant', call(16_401, CONSTANT)],
])('A function is not: %s', (_, tree) => {
  expect(isCalledWithoutColumn(tree, '16400')).toBe(false);
});
