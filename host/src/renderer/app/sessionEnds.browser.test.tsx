import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { CloseQuestion } from '../../common/desktop.ts';
import type { ApiContext } from '../../runtime/api/context.ts';
import { PluginBrowser } from '../plugins/PluginBrowser.tsx';
import { heldSessions } from '../state/heldSessions.ts';
import type { HeldSession } from '../state/heldSessions.ts';
import { fakeConsoleSessions } from '../testing/fakeConsoleSessions.test-helper.ts';
import type { FakeConsoleSessions } from '../testing/fakeConsoleSessions.test-helper.ts';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { openOtherWindow } from '../testing/otherWindow.test-helper.ts';
import type { OtherWindow } from '../testing/otherWindow.test-helper.ts';
import { exampleServices, press, renderPart, renderWindow } from '../testing/renderWindow.test-helper.tsx';
import { TransactionQuestion } from './TransactionQuestion.tsx';

const question = page.getByRole('dialog', { name: 'Roll back the open transaction?' });
const keep = question.getByRole('button', { name: 'Keep it open' });
const editor = page.getByRole('textbox', { name: 'Requests', exact: true });
const state = page.getByRole('region', { name: 'Session of this tab' }).getByRole('status');

let other: OtherWindow;
let fake: FakeConsoleSessions;
let done: string[];

/** The example's services, which write down what was done to connections and drivers. */
function recorded(services: ApiContext): ApiContext {
  const { connectionService, sessions, driverManagement } = services;
  return fakeContext({
    ...services,
    sessions: { ...sessions, close: async () => void done.push('closed') },
    connectionService: {
      ...connectionService,
      update: async (id, input, code) => {
        done.push('updated');
        return connectionService.update(id, input, code);
      },
      remove: async (id) => {
        done.push('removed');
        return connectionService.remove(id);
      },
    },
    driverManagement: {
      ...driverManagement,
      overview: async () => {
        const overview = await driverManagement.overview();
        return { ...overview, drivers: overview.drivers.map((driver) => ({ ...driver, oldSessions: ['Shop'] })) };
      },
      applyToOpen: async () => void done.push('applied'),
    },
  });
}

const idOfShop = (services: ApiContext): string => services.connectionStore.list()[0]?.id ?? '';
const sessionOf = (connectionId: string, part: Partial<HeldSession> = {}): HeldSession => ({
  id: 'elsewhere',
  title: 'Stock take',
  tabKey: 'console',
  connectionId,
  connection: 'Shop',
  driver: 'example',
  driverVersion: '0.1.0',
  transaction: 'open',
  changes: ['change shelf'],
  isRunning: false,
  ...part,
});
const announce = async (...sessions: readonly HeldSession[]): Promise<void> => {
  other.announce(sessions);
  await expect.poll(() => heldSessions().filter(({ otherWindow }) => otherWindow !== undefined).length).toBe(sessions.length);
};

beforeEach(async () => {
  fake = fakeConsoleSessions();
  done = [];
  other = await openOtherWindow();
});

afterEach(async () => {
  other.crash();
  await expect.poll(() => heldSessions()).toEqual([]);
});

async function beginTransaction(): Promise<ApiContext> {
  const services = recorded(fake.services);
  await renderWindow(services, 'console');
  await editor.click();
  await press('begin{Escape}{Control>}{Enter}{/Control}');
  await expect.element(state).toMatchTextContent(/^Transaction open/);
  return services;
}

async function openList(services: ApiContext): Promise<void> {
  await renderWindow(services);
  await expect.element(page.getByRole('button', { name: 'More for Shop' })).toBeVisible();
}

async function choose(item: string): Promise<void> {
  await page.getByRole('button', { name: 'More for Shop' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

describe('a transaction in another window', () => {
  it('is asked about before its connection is closed here, and named', async () => {
    const services = recorded(fake.services);
    await renderWindow(services, 'console');
    await announce(sessionOf(idOfShop(services)));
    await press('{Control>}k{/Control}');
    await userEvent.keyboard('Close connection');
    await expect.element(page.getByRole('option', { name: /^Close connection/ })).toBeVisible();
    await press('{Enter}');
    await expect.element(question.getByText('“Shop”')).toBeVisible();
    await expect.element(question.getByText('Stock take in another window')).toBeVisible();
    await expect.element(question.getByRole('list', { name: /^Requests of/ })).toHaveTextContent('change shelf');
    await expect.element(keep).toHaveFocus();
    await press('{Escape}');
    await expect.element(question).not.toBeInTheDocument();
    expect(done).toEqual([]);
  });

  it('is asked about before a connection is removed; keeping it leaves the connection', async () => {
    const services = recorded(fake.services);
    await openList(services);
    await announce(sessionOf(idOfShop(services)));
    await choose('Remove…');
    const remove = page.getByRole('dialog', { name: /Shop/ }).getByRole('button', { name: /^Remove/ });
    await remove.click();
    await keep.click();
    await expect.element(question).not.toBeInTheDocument();
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
    expect(done).toEqual([]);
    await remove.click();
    await question.getByRole('button', { name: 'Roll back and continue' }).click();
    await expect.poll(() => done).toEqual(['removed']);
  });

  it('is forgotten with its window, also where that crashed', async () => {
    const services = recorded(fake.services);
    await openList(services);
    await announce(sessionOf(idOfShop(services)));
    other.crash();
    await expect.poll(() => heldSessions()).toEqual([]);
  });

  it('that was committed is not asked about', async () => {
    const services = recorded(fake.services);
    await openList(services);
    await announce(sessionOf(idOfShop(services), { transaction: 'none', changes: [] }));
    await choose('Remove…');
    await page
      .getByRole('dialog', { name: /Shop/ })
      .getByRole('button', { name: /^Remove/ })
      .click();
    await expect.poll(() => done).toEqual(['removed']);
  });

  it('is asked about before a driver is applied to open connections, only where its session ends', async () => {
    const services = recorded(exampleServices());
    await renderPart(
      <>
        <PluginBrowser />
        <TransactionQuestion />
      </>,
      services,
    );
    const apply = page.getByRole('button', { name: 'Reopen now' });
    await announce(sessionOf('warehouse', { driverVersion: '0.0.9', connection: 'Warehouse' }));
    await apply.click();
    await expect.element(question.getByText(/“Warehouse” isn’t committed\. This ends its session/)).toBeVisible();
    await keep.click();
    await expect.element(apply).toBeEnabled();
    expect(done).toEqual([]);
    await announce(sessionOf('warehouse'));
    await apply.click();
    await expect.poll(() => done).toEqual(['applied']);
  });
});

describe('a transaction of this window', () => {
  const dialog = page.getByRole('dialog', { name: /Edit Shop/ });
  const edit = async (): Promise<void> => {
    await press('{Control>}k{/Control}');
    await userEvent.keyboard('Edit connection');
    await expect.element(page.getByRole('option', { name: /^Edit connection/ })).toBeVisible();
    await press('{Enter}');
    await expect.element(dialog).toBeVisible();
  };
  const save = dialog.getByRole('button', { name: 'Save', exact: true });

  it('is asked about before another password is saved, because that ends its session', async () => {
    await beginTransaction();
    await edit();
    await dialog.getByRole('button', { name: /^Replace/ }).click();
    await userEvent.fill(dialog.getByLabelText(/^Password/), 'other');
    await save.click();
    await expect.element(question.getByText(/This ends its session/)).toBeVisible();
    await press('{Escape}');
    await expect.element(question).not.toBeInTheDocument();
    await expect.element(dialog).toBeVisible();
    expect(done).toEqual([]);
    await save.click();
    await question.getByRole('button', { name: 'Roll back and continue' }).click();
    await expect.poll(() => done).toEqual(['updated']);
  });

  it('stays, without a question, where only the name is another one', async () => {
    await beginTransaction();
    await edit();
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Name' }), 'Store');
    await save.click();
    await expect.poll(() => done).toEqual(['updated']);
    await expect.element(question).not.toBeInTheDocument();
    await expect.element(state).toMatchTextContent(/^Transaction open/);
  });

  it('is named in the question of the desktop shell as long as it is open', async () => {
    const questions: (CloseQuestion | undefined)[] = [];
    Object.defineProperty(window, 'desktop', {
      configurable: true,
      value: {
        chooseFile: () => Promise.resolve(undefined),
        setCloseQuestion: (next: CloseQuestion | undefined) => questions.push(next),
      },
    });
    try {
      await beginTransaction();
      await expect
        .poll(() => questions.at(-1)?.detail)
        .toMatch(/transaction of the console tab “begin” in “Shop” is rolled back/);
      await page.getByRole('button', { name: 'Roll back', exact: true }).click();
      await expect.poll(() => questions.at(-1)).toBeUndefined();
    } finally {
      Reflect.deleteProperty(window, 'desktop');
    }
  });
});

it('ends a session of another window when the limit is reached, and waits for that window', async () => {
  fake = fakeConsoleSessions({ limit: 1 });
  const services = fake.services;
  await renderWindow(services, 'console');
  await editor.click();
  await press('read one{Escape}{Control>}{Enter}{/Control}');
  await expect.element(state).toMatchTextContent(/^No transaction/);
  await announce(sessionOf(idOfShop(services), { transaction: 'none', changes: [] }));
  await page.getByRole('button', { name: 'New tab' }).click();
  await editor.click();
  await press('read two{Control>}{Enter}{/Control}');
  const end = page.getByRole('dialog').getByRole('button', { name: 'End the session of Stock take' });
  await end.click();
  await expect.poll(() => other.asked).toEqual(['elsewhere']);
  expect(fake.ran).toHaveLength(1);
  fake.loseAll();
  other.announce([]);
  await expect.poll(() => fake.ran.at(-1)?.statement).toBe('read two');
});
