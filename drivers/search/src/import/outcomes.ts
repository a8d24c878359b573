import { DriverError } from '@tabularium/sdk';
import type { RowOutcome } from '@tabularium/sdk';
import { isObject, textOfField } from '../guards.ts';
import { faultTexts } from '../faultTexts.ts';

/** How every version says that a document was written. */
export const WRITTEN_LINE = '{"success":true}';

const LONGEST_WORDS = 2_000;

/**
 * The outcome of a line of the server's answer to an import.
 *
 * @param request - for people
 * @throws DriverError `SERVER_ERROR` for a line that isn't an outcome: the server broke the answer off
 */
export function lineOutcome(line: string, request: string): RowOutcome {
  if (line === WRITTEN_LINE) return { outcome: 'written' };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    value = undefined;
  }
  if (!isObject(value) || typeof value['success'] !== 'boolean') {
    throw new DriverError('SERVER_ERROR', `The server broke the import off with “${line.slice(0, 300)}”.`, {
      details: {
        request,
        serverMessage: line.slice(0, LONGEST_WORDS),
        advice: 'Look into the server’s log, then resume the import.',
        texts: faultTexts('fault.importBroken', { words: line.slice(0, 300) }, 'fault.importBroken.advice'),
      },
    });
  }
  if (value['success']) return { outcome: 'written' };
  const said = textOfField(value, 'error')?.slice(0, LONGEST_WORDS);
  const message = said ?? 'The server rejected the document without a reason.';
  const column = columnIn(message);
  return {
    outcome: 'rejected',
    message,
    ...(said === undefined ? { texts: faultTexts('import.noReason') } : {}),
    ...(column === undefined ? {} : { column }),
    ...(value['code'] === 409 ? { present: true } : {}),
  };
}

function columnIn(message: string): string | undefined {
  const named = /^Field `([^`]{1,1000})`/.exec(message)?.[1];
  if (named !== undefined) return named;
  return /`id`|with id/.test(message) ? 'id' : undefined;
}
