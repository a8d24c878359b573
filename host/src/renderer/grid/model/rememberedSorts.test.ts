import type { Column } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import { readSorts } from './rememberedSorts.ts';

const column = (name: string, allowed = true): Column => ({
  name,
  kind: 'integer',
  type: 'int',
  nullable: true,
  editable: { allowed: true },
  sortable: allowed ? { allowed } : { allowed, reason: 'Lists have no order.' },
});
const columns = [column('price'), column('constructor'), column('tags', false)];

describe('remembered sorts', () => {
  it('come back in their order', () => {
    const stored = [
      { column: 'constructor', direction: 'descending' },
      { column: 'price', direction: 'ascending' },
    ];
    expect(readSorts(stored, columns, 3)).toEqual(stored);
  });

  it('lack columns that are gone or cannot be sorted by, and those beyond the limit', () => {
    const by = (name: string) => ({ column: name, direction: 'ascending' as const });
    expect(readSorts([by('gone'), by('tags'), by('toString'), by('price')], columns, 3)).toEqual([by('price')]);
    expect(readSorts([by('price'), by('constructor')], columns, 1)).toEqual([by('price')]);
  });

  it.each([[undefined], ['price'], [{ price: 1 }], [[{ column: 'price', direction: 'sideways' }]]])(
    'are none where %j is stored',
    (stored) => {
      expect(readSorts(stored, columns, 3)).toEqual([]);
    },
  );
});
