import { useState } from 'react';
import type { ReactNode } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import { useWorkspace } from '../state/WorkspaceContext.tsx';
import { EMPTY_WORKSPACE, workspaceReducer, workspaceTableKey } from '../state/workspace.ts';
import { PRODUCTS } from '../testing/exampleTable.test-helper.ts';
import { exampleServices, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { useClosedNotice } from './useClosedNotice.ts';

// A tab with staged changes says so when it is closed, and only then: an edited connection draws its tabs again.

vi.mock(import('../state/notify.ts'), { spy: true });
beforeEach(() => void vi.clearAllMocks());

const connectionId = 'shop';
const key = workspaceTableKey(PRODUCTS);

function Tab(): ReactNode {
  useClosedNotice(connectionId, PRODUCTS, 1);
  return <p>A tab</p>;
}

function Tabs(): ReactNode {
  const { workspace, dispatch } = useWorkspace();
  const [isDrawn, setDrawn] = useState(true);
  const { tabs = [] } = workspace.connections[connectionId] ?? {};
  return (
    <>
      {isDrawn ? tabs.map((tab) => <Tab key={tab.key} />) : null}
      <button type="button" onClick={() => setDrawn(false)}>
        Draw it no more
      </button>
      <button type="button" onClick={() => dispatch({ type: 'closeTab', connectionId, key })}>
        Close the tab
      </button>
      <button type="button" onClick={() => dispatch({ type: 'closed', connectionId })}>
        Close the connection
      </button>
    </>
  );
}

async function leave(way: string): Promise<readonly (string | undefined)[]> {
  const shown = workspaceReducer(EMPTY_WORKSPACE, { type: 'show', connectionId });
  const workspace = workspaceReducer(shown, { type: 'openTable', connectionId, table: PRODUCTS });
  await renderPart(<Tabs />, exampleServices(), workspace);
  await page.getByRole('button', { name: way }).click();
  await expect.element(page.getByText('A tab')).not.toBeInTheDocument();
  return vi.mocked(notify).mock.calls.map(([notice]) => notice?.text);
}

it('a tab that is drawn no more while it stays open says nothing', async () => {
  expect(await leave('Draw it no more')).toEqual([]);
});

it.each(['Close the tab', 'Close the connection'])('“%s” says that changes stay staged', async (way) => {
  expect(await leave(way)).toEqual([strings.editing.closedStaged('products', 1)]);
});
