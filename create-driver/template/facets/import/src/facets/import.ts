import { DriverError } from '@tabularium/sdk';
import type {
  ImportAnswer,
  ImportFacet,
  ImportMode,
  ImportProblem,
  ImportSplice,
  ImportTarget,
  RowOutcome,
} from '@tabularium/sdk';
import { tablePath } from '../link.ts';
import type { Link } from '../link.ts';
import type { Tables } from '../tables.ts';

const MODES: readonly ImportMode[] = [
  {
    id: 'create',
    label: 'Add new rows',
    help: 'A row whose id is there already is rejected.',
    effect: 'write',
    repeated: 'reported',
    text: 'POST /tables/TABLE/import?mode=create',
  },
  {
    id: 'replace',
    label: 'Add or replace',
    help: 'A row whose id is there already is replaced as a whole: values that the new one lacks are lost.',
    effect: 'destructive',
    repeated: 'same',
    text: 'POST /tables/TABLE/import?mode=replace',
  },
];

/** The server's line for a row that was written, to the letter. */
const WRITTEN = '{"ok":true}';

/** The outcome that a line of the answer says. @throws DriverError `BAD_ANSWER` for a line that isn't one */
function outcomeOf(line: string): RowOutcome {
  if (line === WRITTEN) return { outcome: 'written' };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null || !('message' in value) || typeof value.message !== 'string')
    throw new DriverError('SERVER_ERROR', 'The answer to the import ends in the middle.', {
      details: { serverMessage: line.slice(0, 200) },
    });
  return {
    outcome: 'rejected',
    message: value.message,
    ...('column' in value && typeof value.column === 'string' ? { column: value.column } : {}),
    ...('present' in value && value.present === true ? { present: true as const } : {}),
  };
}

function problemOf(text: string, index: number): readonly ImportProblem[] {
  try {
    const row: unknown = JSON.parse(text);
    if (typeof row === 'object' && row !== null && 'id' in row && Number.isInteger(row.id)) return [];
  } catch {
    // Said below.
  }
  return [{ index, message: 'The row has no whole number as its id.', column: 'id' }];
}

/** Many rows into a table. The server takes lines of JSON, so the host can stream a file to it. */
export function importFacet(link: Link, tables: Tables): ImportFacet {
  /** The request that rows are the body of. */
  async function requestOf({ table, mode }: ImportTarget, signal: AbortSignal): Promise<ImportSplice['request']> {
    await tables.columns(table, signal);
    if (!MODES.some(({ id }) => id === mode))
      throw new DriverError('INVALID_INPUT', `There is no way “${mode}” to import rows.`, { details: { field: 'mode' } });
    return {
      method: 'POST',
      path: `${tablePath(table, 'import')}?mode=${mode}`,
      headers: { 'content-type': 'application/x-ndjson' },
    };
  }

  function judge(_splice: ImportSplice, { status, lines }: ImportAnswer): readonly RowOutcome[] {
    if (status === 401 || status === 403)
      throw new DriverError('ACCESS_REFUSED', 'The server does not let this key import rows.');
    if (status !== 200)
      throw new DriverError('SERVER_ERROR', 'The server did not take the rows.', {
        details: { status: String(status), serverMessage: lines.join(' ').slice(0, 200) },
      });
    return lines.map(outcomeOf);
  }

  return {
    async form(table, { signal }) {
      await tables.columns(table, signal);
      return { modes: MODES, language: 'http', key: ['id'] };
    },
    async check(target, rows, { signal }) {
      await requestOf(target, signal);
      return rows.flatMap(problemOf);
    },
    async splice(target, { signal }) {
      return { request: await requestOf(target, signal), written: WRITTEN };
    },
    judge,
    async *write(target, rows, { signal }) {
      const request = await requestOf(target, signal);
      // A row is sent as it came, so that its numbers keep every digit.
      const answer = await link.text({ ...request, text: rows.join('\n'), isReading: false, signal });
      yield* judge({ request, written: WRITTEN }, { status: 200, lines: answer.split('\n').filter((line) => line !== '') });
    },
  };
}
