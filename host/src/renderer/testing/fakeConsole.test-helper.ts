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
    slow: 'read',
    change: 'write',
    drop: 'destructive',
  };
  const effect = effects[verb];
  if (effect === undefined) throw new DriverError('INVALID_INPUT', `Unknown word “${verb}”.`);
  return { effect, tables: [{ namespace: [], name }], summary: `${verb} ${name}` };
}

/** One statement a line: `read NAME`, `change NAME`, `drop NAME`, and `slow NAME`, which answers when it is stopped. */
function split(text: string): readonly Statement[] {
  return [...text.matchAll(/[^\n]+/g)].map(({ 0: line, index }) => ({ text: line, start: index, end: index + line.length }));
}

async function* answer(statement: string, signal: AbortSignal): AsyncGenerator<RunLine> {
  if (statement.startsWith('slow ')) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw new DriverError('CANCELLED');
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
  yield { type: 'done', truncated: false, milliseconds: 1, status: 'Done' };
}

/** A console over a language of four verbs. */
export function fakeConsole(): FakeConsole {
  const ran: string[] = [];
  const history: HistoryEntry[] = [];
  const saved: SavedRequest[] = [];
  return {
    ran,
    statements: {
      run: async ({ connectionId, statement, agreedTo }: RunStatement, signal) => {
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
        return answer(statement, signal);
      },
      split: async ({ text }) => split(text),
      classify: async ({ statement }) => classify(statement),
      complete: async ({ text, position }) => {
        const typed = /\w*$/.exec(text.slice(0, position))?.[0] ?? '';
        const words = ['read', 'change', 'drop', 'products'].filter((word) => typed !== '' && word.startsWith(typed));
        return { from: position - typed.length, items: words.map((label) => ({ label, insert: label, kind: 'keyword' })) };
      },
      curl: async ({ statement }) => `curl '${statement}'`,
      history: {
        search: ({ search }) => history.filter(({ text }) => text.includes(search)),
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
