import type { ImportTarget } from '@tabularium/sdk';
import type { PgTable } from '../catalogue/pgTable.ts';
import type { JudgedWrites } from '../locks/judgedWrites.ts';
import type { JudgementMemory } from '../locks/judgementMemory.ts';

/** A part of an import that was written: its table, and the judgement of its statement, where there is one to remember. */
export interface PartOfImport {
  readonly table: PgTable;
  readonly last: JudgementMemory<JudgedWrites>['last'];
}

/** One whose judgement is remembered. */
type JudgedPart = PartOfImport & { readonly last: NonNullable<PartOfImport['last']> };

/** Imports that go on at once. */
const MOST = 20;

/** The last part of each import. */
export class LastParts {
  readonly #parts = new Map<string, JudgedPart>();

  /** Takes it out: a part that fails leaves nothing behind. */
  take(target: ImportTarget): JudgedPart | undefined {
    const key = keyOf(target);
    const part = this.#parts.get(key);
    this.#parts.delete(key);
    return part;
  }

  /** Remembers one that is committed, unless its statement may have changed more than rows. */
  put(target: ImportTarget, { table, last }: PartOfImport): void {
    if (last === undefined || last.judged.some((judged) => judged?.unknown === true)) return;
    if (this.#parts.size >= MOST) this.#parts.clear();
    this.#parts.set(keyOf(target), { table, last });
  }
}

function keyOf({ table: { namespace, name }, mode }: ImportTarget): string {
  return JSON.stringify([namespace, name, mode]);
}
