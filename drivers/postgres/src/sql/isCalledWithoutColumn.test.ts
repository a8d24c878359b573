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
  ['in a tree that has no end', '({FUNCEXPR :funcid 16401'],
])('A function is called without a column: %s', (_, tree) => {
  expect(isCalledWithoutColumn(tree, '16400')).toBe(true);
});

it.each([
  ['with a column', call(16_400, COLUMN)],
  ['with a column in an argument', call(16_400, CONSTANT, call(16_401, COLUMN))],
  ['as another one, whose number begins alike', call(164_001, CONSTANT)],
  ['as an argument of one with a constant', call(16_401, CONSTANT)],
  ['in a list of oids, with a column', `{ROWCOMPAREEXPR :opnos (o 97 16400) :largs (${COLUMN}) :rargs (${CONSTANT})}`],
])('A function is not: %s', (_, tree) => {
  expect(isCalledWithoutColumn(tree, '16400')).toBe(false);
});
