import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { dropScope, flush, recall, recallNames } from '../state/workspaceStore.ts';
import type { FakeConsoleSessions } from '../testing/fakeConsoleSessions.test-helper.ts';
import { fakeConsoleSessions } from '../testing/fakeConsoleSessions.test-helper.ts';
import { press, renderWindow } from '../testing/renderWindow.test-helper.tsx';

const editor = page.getByRole('textbox', { name: 'Requests', exact: true });
const session = page.getByRole('region', { name: 'Session of this tab' });
const state = session.getByRole('status');
const GONE = 'The transaction that was open in this tab when its window was reloaded or closed was rolled back.';
const LOST = /Its transaction was rolled back\.$/;
const NONE = 'A session begins with the first request.';
const RUN = '{Control>}{Enter}{/Control}';

let fake: FakeConsoleSessions;

beforeEach(async () => {
  fake = fakeConsoleSessions();
});

const connectionId = (): string => fake.services.connectionStore.list()[0]?.id ?? '';
const texts = (): readonly unknown[] => recallNames(connectionId()).map((name) => recall(connectionId(), name));
const notes = (): readonly string[] => recallNames(connectionId()).filter((name) => name.startsWith('console-transaction '));

/** Shows the console in a page that has nothing but what the host stores. A page that goes runs no clean-up: neither does this. */
async function openWindow(): Promise<void> {
  await flush();
  dropScope(connectionId());
  sessionStorage.clear();
  await renderWindow(fake.services, 'console');
  await expect.element(session).toBeVisible();
}

async function beginTransaction(): Promise<void> {
  await openWindow();
  await editor.click();
  await press(`begin{Escape}${RUN}`);
  await expect.element(state).toMatchTextContent(/^Transaction open/);
  await expect.poll(notes).toHaveLength(1);
  await expect.poll(texts).toContain('begin');
}

/** The text of the tab is there, and nothing of it runs. */
async function expectGuarded(): Promise<void> {
  const before = fake.ran.length;
  await expect.element(editor).toHaveTextContent('begin');
  await editor.click();
  await press(RUN);
  await expect.element(page.getByRole('alert').getByText(/rolled back/)).toBeVisible();
  expect(fake.ran).toHaveLength(before);
}

async function startNew(): Promise<void> {
  await session.getByRole('button', { name: 'Start a new session' }).click();
  await expect.element(state).toMatchTextContent(/^No transaction/);
  expect(notes()).toEqual([]);
  await openWindow();
  await expect.element(state).toHaveTextContent(NONE);
}

describe('a transaction that was lost', () => {
  it('is said, and guards the tab, in every window after it until a new session is started', async () => {
    await beginTransaction();
    for (let windows = 0; windows < 3; windows += 1) {
      await openWindow();
      await expect.element(state).toHaveTextContent(GONE);
      await expectGuarded();
    }
    await startNew();
  });

  it('is said after a reload, too, where the server or the driver ended the session before', async () => {
    await beginTransaction();
    fake.loseAll();
    await expect.element(state).toMatchTextContent(LOST);
    for (let windows = 0; windows < 2; windows += 1) {
      await openWindow();
      await expect.element(state).toMatchTextContent(LOST);
      await expectGuarded();
    }
    await startNew();
  });

  it('is said of a host that was started again', async () => {
    await beginTransaction();
    fake.restart();
    for (let windows = 0; windows < 2; windows += 1) {
      await openWindow();
      await expect.element(state).toHaveTextContent(GONE);
      await expectGuarded();
    }
    await startNew();
  });

  it('lets nothing run while it is asked whether it was lost', async () => {
    await beginTransaction();
    const finish = fake.hold('leaving');
    await openWindow();
    await editor.click();
    await press(RUN);
    finish();
    await expect.element(state).toHaveTextContent(GONE);
    await expect.element(page.getByRole('alert').getByText(/rolled back/)).toBeVisible();
    expect(fake.ran).toHaveLength(1);
    await startNew();
  });

  it('is forgotten with its tab', async () => {
    await beginTransaction();
    await openWindow();
    await expect.element(state).toHaveTextContent(GONE);
    page.getByRole('tablist', { name: 'Requests of this console' }).getByRole('tab').element().focus();
    await press('{Delete}');
    await expect.element(state).toHaveTextContent(NONE);
    expect(notes()).toEqual([]);
  });
});
