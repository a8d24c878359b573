import type { PgStep } from './batch.ts';

/** A part of a transaction: the steps that begin it, keep what it has done, and undo that. */
export interface Savepoint {
  readonly set: PgStep;
  readonly release: PgStep;
  readonly back: readonly PgStep[];
}

/** @param name - one for each use: an inner part may not end an outer one */
export function savepoint(name: string): Savepoint {
  const release = { text: `RELEASE SAVEPOINT tabularium_${name}` };
  return {
    set: { text: `SAVEPOINT tabularium_${name}` },
    release,
    back: [{ text: `ROLLBACK TO SAVEPOINT tabularium_${name}` }, release],
  };
}
