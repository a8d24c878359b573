import { DriverError } from '@tabularium/sdk';
import type { Statement, StatementClassification } from '@tabularium/sdk';

// The language of the sample server: `list TABLE`, `remove TABLE ID`, `wait MILLISECONDS`, with `;` between statements.

const NAME = /^[A-Za-z][\w-]*$/;
const NUMBER = /^\d+$/;

/** The statements of a text, each at its place. What isn't a statement counts as one: running it says why. */
export function splitStatements(text: string): readonly Statement[] {
  let at = 0;
  return text.split(';').flatMap((part): readonly Statement[] => {
    const start = at + (part.length - part.trimStart().length);
    at += part.length + 1;
    const found = part.trim();
    return found === '' ? [] : [{ text: found, start, end: start + found.length }];
  });
}

/** What a statement does, decided by parsing and by what is lost. What is not understood is a `write` that says so. */
export function classified(statement: string): StatementClassification {
  const [verb = '', first = '', second = '', ...rest] = statement.trim().split(/\s+/);
  const ref = { namespace: [], name: first };
  if (rest.length === 0) {
    if (verb === 'list' && NAME.test(first) && second === '') return { effect: 'read', tables: [ref], summary: `List ${first}` };
    if (verb === 'wait' && NUMBER.test(first) && second === '') return { effect: 'read', tables: [], summary: 'Wait' };
    if (verb === 'remove' && NAME.test(first) && NUMBER.test(second))
      return { effect: 'destructive', tables: [ref], summary: `Remove a row of ${first}` };
  }
  return { effect: 'write', unknown: true, tables: [], summary: 'Run a statement that is not understood' };
}

/** @throws DriverError `INVALID_INPUT` for text that isn't a single statement; nothing is sent then */
export function requireStatement(statement: string): StatementClassification {
  const found = classified(statement);
  if (found.unknown === true)
    throw new DriverError('INVALID_INPUT', 'This is not a statement. Write list TABLE, remove TABLE ID, or wait MILLISECONDS.');
  return found;
}
