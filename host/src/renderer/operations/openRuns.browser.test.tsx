import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { OperationRun } from '../../common/operations.ts';
import { UndecidedExports } from '../transfer/UndecidedExports.tsx';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { exampleServices, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { OpenRuns } from './OpenRuns.tsx';

const table = { namespace: [], name: 'products' };

it('the bars of an interrupted operation and of an export to decide about name their connection', async () => {
  const context = fakeContext(exampleServices());
  const [connection] = context.connectionStore.list();
  if (connection === undefined) throw new Error('There is no connection.');
  const run: OperationRun = {
    id: crypto.randomUUID(),
    connectionId: connection.id,
    place: { on: 'table', table },
    operation: 'reindex',
    label: 'Reindex and swap',
    steps: [],
    affected: [],
    state: 'interrupted',
    startedAt: new Date().toISOString(),
    progress: { step: 0 },
    rejected: 0,
    rejections: [],
    canResume: true,
  };
  const transfer = {
    ...{ id: 't', connectionId: connection.id, table, format: 'csv', file: '/a.csv', state: 'undecided', asked: 'window' },
    ...{ startedAt: run.startedAt, rows: 1, bytes: 1, milliseconds: 1, rowsDiffer: { got: 1, counted: 2 } },
  } as const;
  await renderPart(
    <>
      <OpenRuns runs={[run]} onUndo={() => undefined} />
      <UndecidedExports transfers={[transfer as never]} />
    </>,
    context,
  );
  for (const name of ['Operations that need you', /decision|decide|Exports/]) {
    await expect.element(page.getByRole('region', { name }).getByText(connection.name)).toBeVisible();
  }
});
