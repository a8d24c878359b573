import { ABSENT } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { withoutSeen } from '../grid/tab/tabModel.test-helper.ts';
import { parseDocument } from '../grid/model/rowDocument.ts';
import { readClipboard, withHeader } from './clipboardTable.ts';
import { planPaste, planSteps, repeated } from './pastePlan.ts';
import type { PasteColumn, PasteTarget } from './pastePlan.ts';

const yes = { allowed: true } as const;
const column = (name: string, source: number, more: Partial<PasteColumn> = {}): PasteColumn => ({
  name,
  source,
  kind: 'text',
  nullable: true,
  editable: yes,
  ...more,
});
const COLUMNS = [
  column('id', 0, { nullable: false, editable: { allowed: false, reason: 'The id names the row.' } }),
  column('name', 1, { nullable: false }),
  column('stock', 2, { kind: 'integer' }),
  column('tags', 3, { kind: 'json' }),
];
const target = (id: string, more: Partial<PasteTarget> = {}): PasteTarget => ({
  row: { key: [id] },
  base: [id, 'Lamp', 3, '[]'],
  values: [id, 'Lamp', 3, '[]'],
  isDeleted: false,
  ...more,
});

describe('pasting into rows', () => {
  it('stages what changes, with the value before, and leaves the rest alone', () => {
    const plan = planPaste(readClipboard('Lamp\t9007199254740993\nDesk\t3'), COLUMNS.slice(1), [target('7'), target('8')]);
    expect(plan.edits.map(withoutSeen)).toEqual([
      { kind: 'update', row: { key: ['7'] }, cells: [{ column: 'stock', value: '9007199254740993', original: 3 }] },
      { kind: 'update', row: { key: ['8'] }, cells: [{ column: 'name', value: 'Desk', original: 'Lamp' }] },
    ]);
    expect(plan).toMatchObject({ cells: 2, newRows: 0, faults: 0 });
    expect(plan.edits[0]).toMatchObject({
      seen: [
        { column: 'name', value: 'Lamp' },
        { column: 'stock', value: 3 },
        { column: 'tags', value: '[]' },
      ],
    });
  });

  it('takes bytes back that were copied from the same cell, also those that could be hexadecimal', () => {
    const bytes = [column('id', 0), column('data', 1, { kind: 'bytes' })];
    const values = ['7', 'AAAA'];
    const same = planPaste(readClipboard('AAAA'), bytes.slice(1), [target('7', { base: values, values })]);
    expect(same).toMatchObject({ cells: 0, faults: 0 });
    const other = planPaste(readClipboard('BBBB'), bytes.slice(1), [target('7', { base: values, values })]);
    expect(other.rows[0]?.cells[0]?.fault).toEqual({ fault: 'kind', kind: 'unclearBytes' });
    const nothing = ['7', null];
    expect(planPaste(readClipboard('AAEh'), bytes.slice(1), [target('7', { base: nothing, values: nothing })])).toMatchObject({
      cells: 1,
    });
  });

  it('stages the right fields and says what is wrong with each of the others', () => {
    const plan = planPaste(readClipboard('9\tDesk\tmany\t[1,'), COLUMNS, [target('7')]);
    expect(plan.rows[0]?.cells.map(({ fault }) => fault)).toEqual([
      { fault: 'readOnly', reason: 'The id names the row.' },
      undefined,
      { fault: 'kind', kind: 'integer' },
      { fault: 'kind', kind: 'json' },
    ]);
    expect(plan.edits.map(withoutSeen)).toEqual([
      { kind: 'update', row: { key: ['7'] }, cells: [{ column: 'name', value: 'Desk', original: 'Lamp' }] },
    ]);
    expect(plan.faults).toBe(3);
  });

  it('takes a key that is the same, and fields without a column', () => {
    const plan = planPaste(readClipboard('7\tDesk\t1\t{}\tmore\t'), COLUMNS, [target('7')]);
    expect(plan.rows[0]?.cells[0]?.fault).toBeUndefined();
    expect(plan.rows[0]?.cells.slice(4).map(({ fault }) => fault?.fault)).toEqual(['noColumn', undefined]);
  });

  it('takes an empty field for null, and for empty text where null cannot be', () => {
    const plan = planPaste(readClipboard('\t\t""'), COLUMNS.slice(1), [target('7')]);
    expect(plan.rows[0]?.cells.map(({ value }) => value)).toEqual(['', null, null]);
  });

  it('stages nothing of what was copied: null, absent, digits that no double holds, JSON with other blanks', () => {
    const values = ['7', 'Lamp', '9007199254758486', '[1, 2]'];
    const same = planPaste(readClipboard('7\tLamp\t9007199254758486\t[1,2]'), COLUMNS, [target('7', { values, base: values })]);
    expect(same).toMatchObject({ edits: [], faults: 0 });
    const bare = ['7', ABSENT, null, ABSENT];
    const empty = planPaste(readClipboard('7\t\t\t'), COLUMNS, [target('7', { values: bare, base: bare })]);
    expect(empty).toMatchObject({ edits: [], faults: 0 });
  });

  it('changes nothing in a row that is to be deleted', () => {
    const plan = planPaste(readClipboard('Desk'), COLUMNS.slice(1), [target('7', { isDeleted: true })]);
    expect(plan.edits).toEqual([]);
    expect(plan.faults).toBe(1);
  });

  it('fills a range with one value', () => {
    const rows = repeated({ form: 'text', text: '5', quoted: false }, 2, 1);
    const plan = planPaste({ format: 'lines', rows }, COLUMNS.slice(2), [target('7'), target('8')]);
    expect(plan.edits).toHaveLength(2);
  });
});

describe('pasting new rows', () => {
  it('goes by names where the text has them, in any order, with keys', () => {
    const plan = planPaste(withHeader(readClipboard('name\tid\tcolour\nDesk\t9\tred')), COLUMNS, []);
    expect(plan.edits).toEqual([
      {
        kind: 'insert',
        values: [
          { column: 'name', value: 'Desk' },
          { column: 'id', value: '9' },
        ],
      },
    ]);
    expect(plan.faults).toBe(1);
  });

  it('leaves out what a JSON object lacks and what is empty between tabs', () => {
    const plan = planPaste(readClipboard('[{"name":"A","stock":9007199254740993},{"name":"B","tags":["x",1.0]}]'), COLUMNS, []);
    expect(plan.edits).toEqual([
      {
        kind: 'insert',
        values: [
          { column: 'name', value: 'A' },
          { column: 'stock', value: '9007199254740993' },
        ],
      },
      {
        kind: 'insert',
        values: [
          { column: 'name', value: 'B' },
          { column: 'tags', value: '["x",1.0]' },
        ],
      },
    ]);
    expect(planPaste(readClipboard('1\t\t'), COLUMNS, []).edits).toEqual([
      { kind: 'insert', values: [{ column: 'id', value: '1' }] },
    ]);
  });

  it('makes no empty row of a line that is all wrong', () => {
    const plan = planPaste(readClipboard('[{"stock":"many"},{"stock":1}]'), COLUMNS, []);
    expect(plan.edits).toHaveLength(1);
    expect(plan).toMatchObject({ newRows: 1, faults: 1 });
  });
});

describe('pasting documents', () => {
  const text =
    '[{"id":"9","name":"Desk","seller":{"name":"Ann","zip":75001},"__proto__":[{"n":9007199254740995}],"toString":1.50,"10":1,"9":2}]';

  it('as new rows keeps what no column names, with every digit', () => {
    const plan = planPaste(readClipboard(text), COLUMNS, [], COLUMNS, true);
    expect(plan.edits).toEqual([
      {
        kind: 'insert',
        values: [
          { column: 'id', value: '9' },
          { column: 'name', value: 'Desk' },
          { column: 'seller', value: ['json', '{"name":"Ann","zip":75001}'] },
          { column: '__proto__', value: ['json', '[{"n":9007199254740995}]'] },
          { column: 'toString', value: ['json', '1.50'] },
          { column: '10', value: ['json', '1'] },
          { column: '9', value: ['json', '2'] },
        ],
      },
    ]);
    expect(plan).toMatchObject({ cells: 7, newRows: 1, faults: 0 });
  });

  it('as rows of a table without documents refuses what has no column', () => {
    const plan = planPaste(readClipboard(text), COLUMNS, []);
    expect(plan.rows[0]?.cells.slice(2).map(({ fault }) => fault?.fault)).toEqual(Array.from({ length: 5 }, () => 'noColumn'));
  });

  it('over a row changes the members that differ, and names what was there', () => {
    const base = ['7', 'Lamp', 3, '[]'] as const;
    const document = parseDocument('{"id":"7","name":"Lamp","seller":{"name":"Ann"},"parts":[{"size":1}],"toString":1.50}');
    const at = { base, staged: undefined, row: base };
    const pasted = '[{"id":"7","name":"Lamp","seller":{"name":"Bo"},"parts":[{"size":1}],"toString":1.50,"extra":null}]';
    const plan = planPaste(readClipboard(pasted), COLUMNS, [target('7', { at, document })], COLUMNS, true);
    expect(plan.edits.map(withoutSeen)).toEqual([
      {
        kind: 'update',
        row: { key: ['7'] },
        cells: [
          { column: 'seller', value: ['json', '{"name":"Bo"}'], original: ['json', '{"name":"Ann"}'] },
          { column: 'extra', value: ['json', 'null'], original: ABSENT },
        ],
      },
    ]);
    expect(plan).toMatchObject({ cells: 2, faults: 0 });
  });

  const existing = target('7', {
    at: { base: ['7', 'Lamp', 3, '[]'], staged: undefined, row: ['7', 'Lamp', 3, '[]'] },
    document: parseDocument('{"id":"7","name":"Lamp"}'),
  });
  describe.each([
    ['as new rows', []],
    ['over a row', [existing]],
  ])('%s', (_, targets) => {
    it.each([
      ['a column', '{"id":"7","name":"Desk","name":"Chair"}', 'name'],
      ['a member that no column names', '{"id":"7","extra":1,"extra":2}', 'extra'],
      ['inside of a member', '{"id":"7","extra":{"a":[{"b":1,"b":2}]}}', 'b'],
      ['inside of a column of JSON', '{"id":"7","tags":[{"b":1,"b":2}]}', 'b'],
    ])('refuses a name that is there twice, since one of the two would be lost: %s', (_where, pasted, name) => {
      const plan = planPaste(readClipboard(pasted), COLUMNS, targets, COLUMNS, true);
      expect(plan.rows[0]?.cells.flatMap(({ fault }) => (fault?.fault === 'twice' ? [fault.name] : []))).toEqual([name]);
      expect(JSON.stringify(plan.edits)).not.toMatch(/Desk|Chair|extra|tags/);
    });
  });

  it('leaves a new row out whole where a name is there twice, because without that field it would be another row', () => {
    const plan = planPaste(readClipboard('[{"name":"Desk","stock":1,"stock":2},{"name":"Chair","stock":3}]'), COLUMNS, []);
    expect(plan.rows[0]?.cells.map(({ value, fault }) => [value, fault?.fault])).toEqual([
      [undefined, 'rowLeftOut'],
      [undefined, 'twice'],
    ]);
    expect(JSON.stringify(plan.edits)).not.toContain('Desk');
    expect(plan).toMatchObject({ cells: 2, newRows: 1, faults: 2 });
  });

  it('takes the text of a column of JSON as it is where rows are not documents', () => {
    const plan = planPaste(readClipboard('[{"name":"Desk","tags":{"b":1,"b":2}}]'), COLUMNS, []);
    expect(plan.edits).toEqual([
      {
        kind: 'insert',
        values: [
          { column: 'name', value: 'Desk' },
          { column: 'tags', value: '{"b":1,"b":2}' },
        ],
      },
    ]);
  });

  it('leaves what the database computes out of new rows, and says so', () => {
    const refused = { allowed: false, reason: 'The server computes it.' } as const;
    const columns = COLUMNS.map((one) => ({
      ...one,
      isKey: one.name === 'id',
      ...(one.name === 'tags' ? { editable: refused } : {}),
    }));
    const plan = planPaste(readClipboard('[{"id":"9","tags":[1]}]'), columns, [], columns, true);
    expect(plan.rows[0]?.cells.map(({ fault }) => fault)).toEqual([
      undefined,
      { fault: 'readOnly', reason: 'The server computes it.' },
    ]);
    expect(plan.edits).toEqual([{ kind: 'insert', values: [{ column: 'id', value: '9' }] }]);
  });
});

describe('names that no column has', () => {
  const members = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`m${index}`, index]));
  const table = readClipboard(JSON.stringify([{ name: 'Lamp', ...members }]));

  it('are said all together where rows are documents', () => {
    const plan = planPaste(table, COLUMNS, [], COLUMNS, true);
    expect(plan.undeclared).toHaveLength(5_000);
    expect(plan.undeclared.slice(0, 2)).toEqual(['m0', 'm1']);
    expect(plan).toMatchObject({ newRows: 1, cells: 5_001, faults: 0 });
  });

  it('are planned in time that grows with their number, also beside as many columns', () => {
    const columns = Array.from({ length: 5_000 }, (_, index) => column(`c${index}`, index));
    const started = process.threadCpuUsage();
    expect(planPaste(table, columns, [], columns, true).undeclared).toHaveLength(5_001);
    const { user, system } = process.threadCpuUsage(started);
    // In microseconds of this thread's own work: how busy the machine is does not count. Measured: 28 ms.
    expect(user + system).toBeLessThan(1_000_000);
  });

  it('are faults where rows are not, and nothing of them is staged', () => {
    const plan = planPaste(table, COLUMNS, []);
    expect(plan).toMatchObject({ undeclared: [], cells: 1, faults: 5_000 });
  });

  it('are planned a few at a time, also within one line', () => {
    const steps = [...planSteps({ table, columns: COLUMNS, targets: [], areDocuments: true })];
    expect(steps.length).toBeGreaterThan(10);
  });
});
