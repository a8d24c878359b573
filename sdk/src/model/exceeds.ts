import type { PermittedStatement } from './statement.ts';
import type { TableRef } from './table.ts';

const SEVERITY: Readonly<Record<PermittedStatement['effect'], number>> = { read: 0, write: 1, destructive: 2 };

/**
 * Whether a statement does more than was permitted: its effect is worse, it isn't understood where only what is understood was permitted, or it changes another table, or every row of
 * one, where certain tables were permitted.
 */
export function exceeds(classification: PermittedStatement, permitted: PermittedStatement): boolean {
  return (
    SEVERITY[classification.effect] > SEVERITY[permitted.effect] ||
    (classification.unknown === true && permitted.unknown !== true) ||
    goesElsewhere(classification, permitted)
  );
}

function goesElsewhere({ effect, tables, everyRowOf }: PermittedStatement, permitted: PermittedStatement): boolean {
  // A read only looks at the tables that it names.
  if (permitted.tables === undefined || effect === 'read') return false;
  const known = new Set(permitted.tables.map(keyOf));
  if (tables === undefined || tables.some((table) => !known.has(keyOf(table)))) return true;
  return everyRowOf !== undefined && (permitted.everyRowOf === undefined || keyOf(everyRowOf) !== keyOf(permitted.everyRowOf));
}

function keyOf({ namespace, name }: TableRef): string {
  return JSON.stringify([namespace, name]);
}
