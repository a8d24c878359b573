import { beforeEach, expect, it } from 'vitest';
import type { StatementClassification } from '@tabularium/sdk';
import { Explanations } from './explanations.ts';

const signal = new AbortController().signal;
let explained: string[];
let readOnly: boolean;
let explanations: Explanations;

const classify = async (statement: string, { analyze }: { readonly analyze: boolean }): Promise<StatementClassification> => {
  const summary = statement.toUpperCase();
  if (statement === 'sly') return { effect: 'write', unknown: true, summary, tables: [] };
  return { effect: analyze && statement !== 'read' ? 'destructive' : 'read', summary, tables: [] };
};

beforeEach(() => {
  explained = [];
  readOnly = false;
  const explain = {
    classify,
    explain: async (statement: string, { analyze }: { readonly analyze: boolean }) => {
      explained.push(analyze ? `${statement} measured` : statement);
      return { nodes: [], notes: [] };
    },
  };
  const sessions = {
    use: (_id: string, work: (open: unknown) => Promise<unknown>) =>
      work({ session: { explain }, connection: { name: 'Shop', access: { readOnly } }, manifest: { title: 'Sample' } }),
  };
  const own = (sessionId: string): typeof explain | undefined =>
    sessionId === 'plain'
      ? undefined
      : {
          classify,
          explain: async (statement) => {
            explained.push(`${statement} in ${sessionId}`);
            return { nodes: [], notes: [] };
          },
        };
  explanations = new Explanations(sessions as unknown as ConstructorParameters<typeof Explanations>[0], { explainOf: own });
});

const ask = (statement: string, analyze = false, agreedTo: 'read' | 'write' = 'read') =>
  explanations.explain({ connectionId: 'a', statement, analyze, agreedTo }, signal);

it('explains without running, and says whether the statement may be run for its plan', async () => {
  expect(await ask('read')).toEqual({ plan: { nodes: [], notes: [] }, measurable: { allowed: true } });
  expect(await ask('drop')).toEqual({ plan: { nodes: [], notes: [] }, measurable: { allowed: false, does: 'DROP' } });
  expect(explained).toEqual(['read', 'drop']);
});

it('explains in the session of the tab, and in the shared one where the driver makes no plans for a session', async () => {
  for (const sessionId of ['mine', 'plain'])
    await explanations.explain({ connectionId: 'a', sessionId, statement: 'read', analyze: false, agreedTo: 'read' }, signal);
  expect(explained).toEqual(['read in mine', 'read']);
});

it('measures what reads, and nothing else, whatever was agreed to', async () => {
  await ask('read', true);
  for (const statement of ['drop', 'sly'])
    await expect(ask(statement, true, 'write')).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  expect(explained).toEqual(['read measured']);
});

it('asks before a plan that may do more than read, and in read-only mode makes none', async () => {
  await expect(ask('sly')).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
  readOnly = true;
  await expect(ask('sly', false, 'write')).rejects.toMatchObject({ code: 'CONNECTION_READ_ONLY' });
  readOnly = false;
  await ask('sly', false, 'write');
  expect(explained).toEqual(['sly']);
});
