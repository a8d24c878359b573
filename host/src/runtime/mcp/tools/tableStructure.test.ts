import type { TableIndex, TableTrigger } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { columnStructure, tableStructure } from './tableStructure.ts';
import { estimateTokens } from './tokenEstimate.ts';

const index: TableIndex = { name: 'i', columns: [{ name: 'a', descending: true }, { expression: 'lower(b)' }], unique: true };
const trigger: TableTrigger = { name: 't', timing: 'after', events: ['insert'], enabled: false, calls: 'f()' };

describe('the structure in an answer of describe_table', () => {
  it('has what the description says, and no member for anything else', () => {
    expect(tableStructure({})).toEqual({ members: {}, notes: [] });
    expect(columnStructure({})).toEqual({});
    expect(
      tableStructure({
        comment: 'c',
        defaultSort: [
          { column: 'a', direction: 'descending' },
          { column: 'b', direction: 'ascending' },
        ],
        indexes: [index, { ...index, primary: true, where: 'a > 0' }],
        triggers: [trigger],
      }),
    ).toEqual({
      members: {
        comment: 'c',
        defaultSort: [{ column: 'a', descending: true }, 'b'],
        indexes: [
          { name: 'i', columns: [{ column: 'a', descending: true }, { expression: 'lower(b)' }], unique: true },
          { name: 'i', columns: [{ column: 'a', descending: true }, { expression: 'lower(b)' }], primary: true, where: 'a > 0' },
        ],
        triggers: [{ name: 't', timing: 'after', events: ['insert'], enabled: false, calls: 'f()' }],
      },
      notes: [],
    });
    expect(columnStructure({ default: '7', comment: 'c' })).toEqual({ default: '7', comment: 'c' });
    expect(columnStructure({ generated: { kind: 'stored', expression: 'a * 2' } })).toEqual({ generated: 'stored: a * 2' });
  });

  it('distinguishes columns of an index from expressions and orders of the same letters', () => {
    const columns: TableIndex['columns'] = [
      { name: 'a desc' },
      { name: 'a', descending: true },
      { name: 'lower(a)' },
      { expression: 'lower(a)' },
      { name: 'a', nulls: 'first', detail: 'COLLATE "C"' },
      { expression: 'lower(a)', nulls: 'last' },
    ];
    const { indexes } = tableStructure({ indexes: [{ ...index, columns }] }).members;
    expect(indexes).toEqual([
      {
        name: 'i',
        unique: true,
        columns: [
          'a desc',
          { column: 'a', descending: true },
          'lower(a)',
          { expression: 'lower(a)' },
          { column: 'a', nulls: 'first', detail: 'COLLATE "C"' },
          { expression: 'lower(a)', nulls: 'last' },
        ],
      },
    ]);
  });

  it('stays within its tokens, whatever the database stores, and says what was left out', () => {
    const long = 'a wordy text '.repeat(300);
    const { members, notes } = tableStructure({
      comment: long,
      indexes: Array.from({ length: 1_000 }, (_, at) => ({ ...index, name: `index ${at}`, where: long })),
      triggers: Array.from({ length: 1_000 }, (_, at) => ({ ...trigger, name: `trigger ${at}`, calls: long })),
      definition: { language: 'sql', text: 'CREATE' },
    });
    expect(estimateTokens(JSON.stringify(members))).toBeLessThan(3_600);
    expect(notes).toEqual([
      expect.stringMatching(/^\d+ more indexes were left out\. get_table_definition has them; read it to its end\.$/),
      expect.stringMatching(/^\d+ more triggers were left out\. get_table_definition has them; read it to its end\.$/),
    ]);
    // A database without a definition has nowhere else to read them.
    expect(tableStructure({ indexes: Array.from({ length: 1_000 }, () => ({ ...index, where: long })) }).notes).toEqual([
      expect.stringMatching(/^\d+ more indexes were left out\.$/),
    ]);
    expect(columnStructure({ default: long, comment: long }).default).toHaveLength(301);
  });
});
