import type { Column } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import type { FilterSelection } from './filterModel.ts';
import { referredDraft } from './referredDraft.ts';

const filtering: FilterSelection = {
  classes: {
    text: { value: 'text', operators: ['equals', 'isEmpty'] },
    integer: { value: 'integer', operators: ['equals'] },
    odd: { value: 'text', operators: ['isNull'] },
  },
  caseControl: { available: true },
} as unknown as FilterSelection;

const column = (name: string, kind: Column['kind'], filterClass: string): Column => ({
  name,
  kind,
  type: kind,
  nullable: true,
  editable: { allowed: true },
  sortable: { allowed: true },
  filterClass,
});
const columns = [column('id', 'integer', 'integer'), column('code', 'text', 'text'), column('blob', 'bytes', 'odd')];
const drafted = (...conditions: readonly { column: string; text: string }[]) => referredDraft({ conditions }, filtering, columns);

describe('the filter that finds a referenced row', () => {
  it('compares every column, and letters as they are', () => {
    expect(drafted({ column: 'id', text: '17' }, { column: 'code', text: 'a, "b"' })).toMatchObject({
      match: 'all',
      matchCase: true,
      rows: [
        { column: 'id', operator: 'equals', texts: ['17', ''], enabled: true },
        { column: 'code', operator: 'equals', texts: ['a, "b"', ''], enabled: true },
      ],
    });
    expect(drafted({ column: 'id', text: '17' })).not.toHaveProperty('matchCase');
  });

  it('asks for an empty text as such', () => {
    expect(drafted({ column: 'code', text: '' })?.rows).toMatchObject([{ column: 'code', operator: 'isEmpty' }]);
  });

  it('is none where a column is gone, cannot be compared or takes no such value: half a filter would find other rows', () => {
    expect(drafted({ column: 'id', text: '17' }, { column: 'gone', text: 'x' })).toBeUndefined();
    expect(drafted({ column: 'id', text: '17' }, { column: 'blob', text: 'AP8=' })).toBeUndefined();
    expect(drafted({ column: 'id', text: 'seventeen' })).toBeUndefined();
  });
});

describe('the filter that found rows', () => {
  it('is shown as it was sent', () => {
    const found = {
      match: 'any' as const,
      matchCase: false,
      conditions: [
        { column: 'id', operator: 'equals' as const, values: ['17'] },
        { column: 'code', operator: 'equals' as const, values: [' 17 '] },
      ],
    };
    expect(referredDraft({ found }, filtering, columns)).toEqual({
      match: 'any',
      matchCase: false,
      rows: [
        { id: 'found 0', enabled: true, column: 'id', operator: 'equals', texts: ['17', ''] },
        { id: 'found 1', enabled: true, column: 'code', operator: 'equals', texts: [' 17 ', ''] },
      ],
    });
  });

  it('is none where a column of it is gone', () => {
    const found = { match: 'any' as const, conditions: [{ column: 'gone', operator: 'equals' as const, values: ['1'] }] };
    expect(referredDraft({ found }, filtering, columns)).toBeUndefined();
  });
});
