import type { Column } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import type { StagedRow } from '../../common/editing.ts';
import { missingFields } from './missingFields.ts';

const column = (name: string, allowed = true): Column => ({
  name,
  kind: 'text',
  type: 'text',
  nullable: true,
  sortable: { allowed: true },
  editable: allowed ? { allowed } : { allowed, reason: 'Computed.' },
});
const columns = [column('id', false), column('name'), column('body'), column('vector'), column('computed', false)];
const row: StagedRow = { id: '["1"]', kind: 'update', key: ['1'], cells: [{ column: 'name', value: 'New' }], sending: false };

describe('fields that a row lacks when it is inserted again', () => {
  it('are those that were neither read nor changed, without what the database fills in', () => {
    expect(missingFields({ ...row, seen: [{ column: 'body', value: 'Seen' }] }, columns)).toEqual(['vector']);
    expect(missingFields(row, columns)).toEqual(['body', 'vector']);
  });

  it('are none where the row was read whole', () => {
    const seen = ['name', 'body', 'vector'].map((name) => ({ column: name, value: 'Seen' }));
    expect(missingFields({ ...row, seen }, columns)).toEqual([]);
  });
});
