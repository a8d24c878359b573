import { DriverError } from '@tabularium/sdk';
import type { Cell, ChangeOutcome, EditsFacet, RowChange } from '@tabularium/sdk';

/** A change with half of a character, and where it is; `column` is undefined in a key. */
interface HalfCharacter {
  readonly column: string | undefined;
  readonly message: string;
}

/**
 * Refuses text with half of a pair of surrogates, which has no form in UTF-8: on its way to a server or a file it would become another character, without
 * an error. Asked for every driver, before it sees the change.
 */
export function wholeCharacters(edits: EditsFacet): EditsFacet {
  return {
    ...edits,
    prepare: async (table, changes, options) => {
      const found = changes.map(halfCharacter);
      if (found.every((half) => half === undefined)) return await edits.prepare(table, changes, options);
      const whole = changes.filter((_, index) => found[index] === undefined);
      const prepared = whole.length === 0 ? [] : [...(await edits.prepare(table, whole, options))];
      return found.flatMap((half) =>
        half === undefined ? prepared.splice(0, 1) : [{ ready: false as const, ...withColumn(half) }],
      );
    },
    async *apply(table, changes, options) {
      const whole: number[] = [];
      for (const [index, change] of changes.entries()) {
        const half = halfCharacter(change);
        if (half === undefined) whole.push(index);
        else {
          yield failed(index, half);
          // All changes of a call are made, or none.
          if (edits.atomicity === 'all') return;
        }
      }
      if (whole.length === 0) return;
      const passed = whole.flatMap((index) => changes[index] ?? []);
      const outcomes = edits.apply(table, passed, options);
      for await (const outcome of outcomes) yield { ...outcome, index: whole[outcome.index] ?? outcome.index };
    },
  };
}

function failed(index: number, half: HalfCharacter): ChangeOutcome {
  const { code, details } = new DriverError('INVALID_INPUT', half.message, {
    details: half.column === undefined ? {} : { field: half.column },
  });
  return { index, outcome: 'failed', code, details, ...withColumn(half) };
}

function withColumn({ column, message }: HalfCharacter): { readonly message: string; readonly column?: string } {
  return { message, ...(column === undefined ? {} : { column }) };
}

function halfCharacter(change: RowChange): HalfCharacter | undefined {
  const assignments = change.kind === 'insert' ? change.values : change.kind === 'update' ? change.assignments : [];
  const assigned = assignments.find(({ value }) => !isWhole(value));
  if (assigned !== undefined)
    return { column: assigned.column, message: sentence(`The text for “${assigned.column.toWellFormed()}”`) };
  return change.kind !== 'insert' && !change.key.every(isWhole) ? { column: undefined, message: sentence('The key') } : undefined;
}

function sentence(subject: string): string {
  return `${subject} has half of a character (an unpaired surrogate), which can't be stored. Write the whole character, or leave it out.`;
}

function isWhole(cell: Cell): boolean {
  const text = Array.isArray(cell) ? (cell as readonly unknown[])[1] : cell;
  return typeof text !== 'string' || text.isWellFormed();
}
