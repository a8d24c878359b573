import type { DriverErrorCode } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import type { SaveProblem, StagedRow } from '../../common/editing.ts';
import { columnAtFault } from './columnAtFault.ts';

const born = { column: 'born', value: '2001-13-45' };
const name = { column: 'name', value: 'Bob' };
const problem = (message: string, code: DriverErrorCode = 'INVALID_INPUT', column?: string): SaveProblem => ({
  outcome: 'failed',
  code,
  message,
  ...(column === undefined ? {} : { column }),
});
const updated = (...cells: StagedRow['cells'][number][]): Pick<StagedRow, 'kind' | 'cells'> => ({ kind: 'update', cells });

describe('the column at fault', () => {
  it.each([
    ['is the one that the driver names', updated(name, born), problem('No.', 'CONFLICT', 'mail'), 'mail'],
    ['is the only one that was changed', updated(born), problem('Out of range.'), 'born'],
    ['is the one whose value is quoted', updated(name, born), problem('out of range: "2001-13-45"'), 'born'],
    ['is open where two values are quoted', updated(name, born), problem('"Bob" or "2001-13-45"'), undefined],
    ['is open where nothing says it', updated(name, born), problem('No.'), undefined],
    [
      'is open in a new row with one value: another may be missing',
      { kind: 'insert' as const, cells: [name] },
      problem('No.'),
      undefined,
    ],
    ['is open where the row is at fault, and no value', updated(born), problem('Not now.', 'CONFLICT'), undefined],
  ])('%s', (_, row, why, column) => {
    expect(columnAtFault(row, why)).toBe(column);
  });
});
