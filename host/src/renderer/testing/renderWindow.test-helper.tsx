import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { expect } from 'vitest';
import { render } from 'vitest-browser-react';
import { commands, page, userEvent } from 'vitest/browser';
import type { Locator } from 'vitest/browser';
import { createQueryClient } from '../api/queries.ts';
import { App } from '../app/App.tsx';
import { ErrorBoundary } from '../app/ErrorBoundary.tsx';
import type { ApiContext } from '../../runtime/api/context.ts';
import { loadScope } from '../state/workspaceStore.ts';
import { workspaceReducer, EMPTY_WORKSPACE } from '../state/workspace.ts';
import type { Workspace } from '../state/workspace.ts';
import { WorkspaceProvider } from '../state/WorkspaceContext.tsx';
import { cssVariablesResolver, theme } from '../ui/theme.ts';
import { exampleManifest } from './exampleManifest.test-helper.ts';
import { BRANDS, OtherWriter, PRODUCTS, exampleTables } from './exampleTable.test-helper.ts';
import { answerWith } from './fakeApi.test-helper.ts';
import { fakeActivities } from './fakeActivities.test-helper.ts';
import { fakeConsole } from './fakeConsole.test-helper.ts';
import { fakeContext } from './fakeContext.test-helper.ts';
import { fakeExplanations } from './fakeExplanations.test-helper.ts';
import { fakeEditing } from './fakeEditing.test-helper.ts';
import type { FakeOptions } from './fakeServices.test-helper.ts';
import { createFakeServices } from './fakeServices.test-helper.ts';

/** Emits the present state, and then nothing more for as long as a listener is there. */
async function* nothingNew<T>(signal: AbortSignal, value: T): AsyncGenerator<T> {
  yield value;
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

/**
 * A runtime in memory with one connection, “Shop”, to a database that can do everything the window has a room for.
 *
 * @param others - who else writes into its table
 */
export function exampleServices(options: Partial<FakeOptions> = {}, others = new OtherWriter()): ApiContext {
  const services = createFakeServices({ manifests: [exampleManifest], connections: ['Shop'], pace: 0, ...options });
  return fakeContext({
    ...services,
    integrations: {
      ...services.integrations,
      watchApprovals: (signal) => nothingNew(signal, []),
      watchNewSecrets: (signal) => nothingNew(signal, []),
    },
    transfers: { ...services.transfers, watch: (signal) => nothingNew(signal, []) },
    driverDevelopment: { watch: (signal) => nothingNew(signal, []) },
    tables: exampleTables(others),
    editing: fakeEditing(others),
    statements: fakeConsole().statements,
    explanations: fakeExplanations().explanations,
    activities: fakeActivities().activities,
    filtering: {
      // Brands are few, so all of them are known; what other columns hold is not.
      suggest: async ({ request: { column, typed } }) =>
        column === 'brand'
          ? {
              values: BRANDS.filter((value) => value.toLowerCase().includes(typed.toLowerCase())).map((value) => ({ value })),
              from: 'all',
            }
          : { values: [], from: 'some' },
      expressions: async ({ filter }) => ({ parts: [{ label: 'where', text: JSON.stringify(filter) }], droppedSorts: [] }),
    },
    openConnections: {
      ...services.openConnections,
      open: async function* (id, secrets, signal) {
        for await (const step of services.openConnections.open(id, secrets, signal)) {
          yield step.step === 'open'
            ? {
                ...step,
                connection: {
                  ...step.connection,
                  facets: [...step.connection.facets, 'edits', 'console', 'explain', 'activity', 'suggestions', 'expressions'],
                },
              }
            : step;
        }
      },
    },
  });
}

/** Calls once everything before it is drawn and listens: the effects of siblings run in their order. */
function Drawn({ onDrawn }: { readonly onDrawn: () => void }): ReactNode {
  useEffect(onDrawn, [onDrawn]);
  return null;
}

/** Draws a part of the window as the window's first lines do, with these services behind it. Keys that follow meet those who listen for them. */
export async function renderPart(part: ReactNode, services: ApiContext, workspace: Workspace = EMPTY_WORKSPACE): Promise<void> {
  answerWith(services);
  await loadScope('home');
  const start = Promise.resolve({ workspace });
  // As in the window's own page, which gives its root all the height there is.
  const container = document.createElement('div');
  container.id = 'root';
  document.body.replaceChildren(container);
  const drawn = Promise.withResolvers<void>();
  await render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="light">
      <ErrorBoundary>
        <QueryClientProvider client={createQueryClient()}>
          <WorkspaceProvider start={start}>
            {part}
            <Drawn onDrawn={drawn.resolve} />
          </WorkspaceProvider>
        </QueryClientProvider>
      </ErrorBoundary>
    </MantineProvider>,
    { container },
  );
  await drawn.promise;
}

/** Draws the whole window. With `open` it begins with the connection open and that in it. */
export async function renderWindow(services: ApiContext, open?: 'products' | 'console' | 'activity' | 'find'): Promise<void> {
  const [connection] = services.connectionStore.list();
  if (open === undefined || connection === undefined) return renderPart(<App />, services);
  const connectionId = connection.id;
  const shown = workspaceReducer(EMPTY_WORKSPACE, { type: 'show', connectionId });
  const workspace = workspaceReducer(
    shown,
    open === 'products' ? { type: 'openTable', connectionId, table: PRODUCTS } : { type: 'openTool', connectionId, tool: open },
  );
  await renderPart(<App />, services, workspace);
}

/** The example's rows on the screen. */
export async function renderProducts(services: ApiContext = exampleServices()): Promise<Locator> {
  await renderWindow(services, 'products');
  const grid = page.getByRole('grid', { name: 'Rows of products' });
  await expect.element(grid.getByRole('gridcell', { name: 'Lamp 1', exact: true })).toBeVisible();
  return grid;
}

/** Presses keys one after the other, as `userEvent.keyboard` names them. */
export const press = (keys: string): Promise<void> => userEvent.keyboard(keys);

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** See scripts/testing/browserProject.ts. */
    hold: (key: string, milliseconds: number) => Promise<void>;
    compose: (text: string) => Promise<void>;
  }
}

/** Holds a key down for a while, as a person does who has not seen yet what came: it repeats until it is let go. */
export const hold = (key: string, milliseconds: number): Promise<void> => commands.hold(key, milliseconds);

/** Shows text in the field that has the focus as an input method does that composes it; empty: nothing is composed any more. */
export const compose = (text: string): Promise<void> => commands.compose(text);
