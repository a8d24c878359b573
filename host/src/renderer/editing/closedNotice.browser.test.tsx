import { useState } from 'react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { strings } from '../i18n/index.ts';
import { clearPast, useStatus } from '../state/notify.ts';
import { useWorkspace } from '../state/WorkspaceContext.tsx';
import { EMPTY_WORKSPACE, workspaceReducer, workspaceTableKey } from '../state/workspace.ts';
import { PRODUCTS } from '../testing/exampleTable.test-helper.ts';
import { exampleServices, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { useClosedNotice } from './useClosedNotice.ts';

// A tab with staged changes says so when it is closed, and only then: an edited connection draws its tabs again.

const connectionId = 'shop';
const key = workspaceTableKey(PRODUCTS);

function Tab(): ReactNode {
  useClosedNotice(connectionId, PRODUCTS, 1);
  return <p>A tab</p>;
}

function Tabs(): ReactNode {
  const { workspace, dispatch } = useWorkspace();
  const { past } = useStatus();
  const [isDrawn, setDrawn] = useState(true);
  const { tabs = [] } = workspace.connections[connectionId] ?? {};
  return (
    <>
      <ul aria-label="Notices">
        {past.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
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

async function leave(way: string): Promise<void> {
  clearPast();
  const shown = workspaceReducer(EMPTY_WORKSPACE, { type: 'show', connectionId });
  const workspace = workspaceReducer(shown, { type: 'openTable', connectionId, table: PRODUCTS });
  await renderPart(<Tabs />, exampleServices(), workspace);
  await page.getByRole('button', { name: way }).click();
  await expect.element(page.getByText('A tab')).not.toBeInTheDocument();
}

it('a tab that is drawn no more while it stays open says nothing', async () => {
  await leave('Draw it no more');
  // Effects of what is gone have run when another click has been taken.
  await page.getByRole('button', { name: 'Draw it no more' }).click();
  expect(page.getByRole('listitem').elements()).toEqual([]);
});

it.each(['Close the tab', 'Close the connection'])('“%s” says that changes stay staged', async (way) => {
  await leave(way);
  await expect.element(page.getByRole('listitem')).toHaveTextContent(strings.editing.closedStaged('products', 1));
});
