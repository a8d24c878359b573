import { DriverError } from '@tabularium/sdk';
import type { Statement, StatementClassification } from '@tabularium/sdk';
import type { HistoryEntry, RunLine, RunStatement, SavedRequest } from '../../common/console.ts';
import type { FakeContext } from './fakeContext.test-helper.ts';

export interface FakeConsole {
  readonly statements: NonNullable<FakeContext['statements']>;
  /** The statements that were run, in order. */
  readonly ran: readonly string[];
}

function classify(statement: string): StatementClassification {
  const [verb = '', name = ''] = statement.split(' ');
  const effects: Readonly<Record<string, StatementClassification['effect']>> = {
    read: 'read',
    many: 'read',
    fail: 'read',
    slow: 'read',
    change: 'write',
    drop: 'destructive',
    empty: 'destructive',
  };
  const effect = effects[verb];
  if (effect === undefined) throw new DriverError('INVALID_INPUT', `Unknown word “${verb}”.`, { details: { offset: 0 } });
  const table = { namespace: [], name };
  const everyRow = verb === 'empty' ? { everyRowOf: table } : {};
  return { effect, tables: [table], summary: `${verb === 'drop' ? 'DROP' : verb} ${name}`, ...everyRow };
}

/**
 * One statement a line: `read NAME`, `many NAME` with several answers, `fail NAME` with the place of its last word, `change NAME`, `drop NAME`, `empty NAME` without a condition,
 * and `slow NAME`, which answers when it is stopped.
 */
function split(text: string): readonly Statement[] {
  return [...text.matchAll(/[^\n]+/g)].map(({ 0: line, index }) => ({ text: line, start: index, end: index + line.length }));
}

/** The answer that the rows of `read` were read from. */
const WHOLE = '{"found":9007199254740993,"page":1,"took":"2 ms","hits":[{"highlight":{"name":"<mark>First</mark>"}}]}';

async function* answer(statement: string, whole: boolean, signal: AbortSignal): AsyncGenerator<RunLine> {
  if (statement.startsWith('fail '))
    throw new DriverError('NOT_FOUND', `There is no “${statement.slice(5)}”.`, { details: { offset: statement.search(/\S+$/) } });
  if (statement.startsWith('slow ')) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw new DriverError('CANCELLED');
  }
  if (statement.startsWith('many ')) {
    yield { type: 'text', mediaType: 'application/json', text: '{\n  "results": [\n    1,\n    2\n  ]\n}' };
    for (const label of ['1 books', '2 films']) {
      yield {
        type: 'done',
        truncated: false,
        milliseconds: 1,
        status: 'Done',
        ...(label === '1 books' ? {} : { label: '1 books' }),
      };
      yield { type: 'rowsBegin', columns: [{ name: 'name', kind: 'text' }] };
      yield { type: 'rows', rows: [[`In ${label}`]] };
    }
    yield { type: 'done', truncated: false, milliseconds: 1, status: 'Done', label: '2 films' };
    return;
  }
  if (!statement.startsWith('read ')) {
    yield { type: 'done', affectedRows: 3, truncated: false, milliseconds: 1, status: 'Done' };
    return;
  }
  yield {
    type: 'rowsBegin',
    columns: [
      { name: 'id', kind: 'integer' },
      { name: 'name', kind: 'text' },
    ],
  };
  yield {
    type: 'rows',
    rows: [
      ['9007199254740993', `First of ${statement.slice(5)}`],
      [2, 'Second'],
    ],
  };
  yield { type: 'done', truncated: false, milliseconds: 1, status: 'Done', ...(whole ? { whole: WHOLE } : {}) };
}

/** A console over a language of four verbs. */
export function fakeConsole(): FakeConsole {
  const ran: string[] = [];
  const history: HistoryEntry[] = [];
  const saved: SavedRequest[] = [];
  return {
    ran,
    statements: {
      run: async ({ connectionId, statement, agreedTo, whole }: RunStatement, signal) => {
        const { effect } = classify(statement);
        if (effect !== 'read' && agreedTo === 'read') throw new DriverError('PERMISSION_DENIED', 'This was not agreed to.');
        ran.push(statement);
        history.unshift({
          id: ran.length,
          connectionId,
          text: statement,
          changed: false,
          startedAt: '2026-03-01T08:00:00.000Z',
          outcome: 'ok',
          status: 'Done',
          milliseconds: 1,
        });
        return answer(statement, whole, signal);
      },
      split: async ({ text }) => split(text),
      classify: async ({ statement }) => classify(statement),
      complete: async ({ text, position }) => {
        const typed = /\w*$/.exec(text.slice(0, position))?.[0] ?? '';
        const words = ['read', 'change', 'drop', 'products'].filter((word) => typed !== '' && word.startsWith(typed));
        return { from: position - typed.length, items: words.map((label) => ({ label, insert: label, kind: 'keyword' })) };
      },
      examples: async () => ['read products'],
      places: async () => [],
      curl: async ({ statement }) => `curl '${statement}'`,
      history: {
        search: async ({ search }) => history.filter(({ text }) => text.includes(search)),
        remove: () => undefined,
        clear: () => void history.splice(0),
      },
      saved: {
        list: () => saved,
        save: ({ connectionId, name, text }) => {
          const request = {
            id: crypto.randomUUID(),
            connectionId,
            name,
            text,
            createdAt: '2026-03-01T08:00:00.000Z',
            updatedAt: '2026-03-01T08:00:00.000Z',
          };
          saved.push(request);
          return request;
        },
        remove: () => undefined,
      },
    },
  };
}
