import type { PermittedStatement, StatementEffect } from './statement.ts';

const SEVERITY: Readonly<Record<StatementEffect, number>> = { read: 0, write: 1, destructive: 2 };

/** Whether a statement does more than was permitted: its effect is worse, or it isn't understood where only what is understood was permitted. */
export function exceeds(classification: PermittedStatement, permitted: PermittedStatement): boolean {
  return (
    SEVERITY[classification.effect] > SEVERITY[permitted.effect] ||
    (classification.unknown === true && permitted.unknown !== true)
  );
}
