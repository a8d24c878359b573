import { DriverError } from '@tabularium/sdk';
import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { FakeConsoleSessions } from '../testing/fakeConsoleSessions.test-helper.ts';
import { fakeConsoleSessions } from '../testing/fakeConsoleSessions.test-helper.ts';
import { press, renderWindow } from '../testing/renderWindow.test-helper.tsx';

const editor = page.getByRole('textbox', { name: 'Requests', exact: true });
const results = page.getByRole('region', { name: 'Results' });
const session = page.getByRole('region', { name: 'Session of this tab' });
const state = session.getByRole('status');
const question = page.getByRole('dialog', { name: 'Roll back the open transaction?' });
const RUN = '{Control>}{Enter}{/Control}';

let fake: FakeConsoleSessions;

beforeEach(async () => {
  fake = fakeConsoleSessions();
});

async function renderConsole(): Promise<void> {
  await renderWindow(fake.services, 'console');
  await expect.element(session).toBeVisible();
}

/** Types a request in the place of the text, runs it, and agrees where it asks. */
async function run(statement: string): Promise<void> {
  const before = fake.ran.length;
  await editor.click();
  await press(`{Control>}a{/Control}${statement}{Escape}${RUN}`);
  if (statement.startsWith('change')) await page.getByRole('button', { name: 'Run it' }).click();
  await expect.poll(() => fake.ran.length).toBe(before + 1);
  await expect.element(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
}

describe('the session of a console tab', () => {
  it('begins with the first request, and holds all that follow', async () => {
    await renderConsole();
    await expect.element(state).toHaveTextContent('A session begins with the first request.');
    expect(fake.opened()).toBe(0);
    await run('read one');
    await expect.element(state).toHaveTextContent('No transactionin shop as clerk');
    await run('read two');
    expect(fake.ran.map(({ session: place }) => place)).toEqual([0, 0]);
  });

  it('shows a transaction until it is committed, with its uncommitted requests', async () => {
    await renderConsole();
    await run('begin');
    await expect.element(state).toMatchTextContent(/^Transaction open/);
    await run('change shelf');
    await expect.element(state).toMatchTextContent(/1 request not committed/);
    await session.getByRole('button', { name: 'Commit' }).click();
    await expect.element(state).toMatchTextContent(/^No transaction/);
    await expect.element(session.getByRole('button', { name: 'Commit' })).not.toBeInTheDocument();
    await expect.element(editor).toHaveFocus();
  });

  it('is marked in its tab, and the words for a screen reader beyond the edge of many tabs make the window no wider', async () => {
    await page.viewport(900, 600);
    try {
      await renderConsole();
      for (let count = 0; count < 10; count += 1) await page.getByRole('button', { name: 'New tab' }).click();
      await run('begin');
      await expect.element(page.getByRole('tab', { name: 'begin · Transaction open' })).toBeInTheDocument();
      // The first tabs in view, the marked one is beyond the edge.
      page
        .getByRole('tab', { name: /Transaction open/ })
        .element()
        .closest('[role="tablist"]')
        ?.scrollTo(0, 0);
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth);
    } finally {
      await page.viewport(1280, 800);
    }
  });

  it('offers nothing but the rollback of a transaction that failed', async () => {
    await renderConsole();
    await run('begin');
    await run('fail shelf');
    await expect.element(state).toMatchTextContent(/^Transaction failedRoll it back to continue/);
    await expect.element(session.getByRole('button', { name: 'Commit' })).not.toBeInTheDocument();
    await session.getByRole('button', { name: 'Roll back' }).click();
    await expect.element(state).toMatchTextContent(/^No transaction/);
  });

  it('says once that the transaction was rolled back that was open when the window was loaded again', async () => {
    await renderConsole();
    await run('begin');
    await expect.element(state).toMatchTextContent(/^Transaction open/);
    // A page that goes runs no clean-up: neither does this.
    await renderConsole();
    await expect
      .element(state)
      .toHaveTextContent('The transaction that was open in this tab when its window was reloaded or closed was rolled back.');
    await session.getByRole('button', { name: 'Start a new session' }).click();
    await expect.element(state).toMatchTextContent(/^No transaction/);
    await run('begin');
    await session.getByRole('button', { name: 'Commit' }).click();
    await expect.element(state).toMatchTextContent(/^No transaction/);
    await renderConsole();
    await expect.element(state).toHaveTextContent('A session begins with the first request.');
  });

  it('ends a transaction from the palette', async () => {
    await renderConsole();
    await run('begin');
    await press('{Control>}k{/Control}');
    await userEvent.keyboard('Roll back the transaction');
    await expect.element(page.getByRole('option', { name: /Roll back the transaction of the console/ })).toBeVisible();
    await press('{Enter}');
    await expect.element(state).toMatchTextContent(/^No transaction/);
  });

  it('is one of its own in each tab, and marks the tab with a transaction', async () => {
    await renderConsole();
    await run('begin');
    await page.getByRole('button', { name: 'New tab' }).click();
    await expect.element(state).toHaveTextContent('A session begins with the first request.');
    await run('read one');
    expect(fake.ran.map(({ session: place }) => place)).toEqual([0, 1]);
    await expect.element(state).toMatchTextContent(/^No transaction/);
    await expect.element(page.getByRole('tab', { name: 'begin · Transaction open' })).toBeVisible();
  });

  it('asks before its tab is closed with a transaction, naming the connection and the requests', async () => {
    await renderConsole();
    await run('begin');
    await run('change shelf');
    page
      .getByRole('tab', { name: /Transaction open/ })
      .element()
      .focus();
    await press('{Delete}');
    await expect.element(question.getByText(/A transaction in “Shop” isn’t committed/)).toBeVisible();
    await expect.element(question.getByRole('list', { name: /^Requests of/ })).toHaveTextContent('change shelf');
    await expect.element(question.getByRole('button', { name: 'Keep it open' })).toHaveFocus();
    await press('{Escape}');
    await expect.element(question).not.toBeInTheDocument();
    await expect.element(state).toMatchTextContent(/^Transaction open/);
    expect(fake.closed()).toBe(0);
    await expect.element(page.getByRole('tab', { name: /Transaction open/ })).toHaveFocus();
    await press('{Delete}');
    await question.getByRole('button', { name: 'Close and roll back' }).click();
    await expect.element(state).toHaveTextContent('A session begins with the first request.');
    await expect.poll(() => fake.closed()).toBe(1);
  });

  it('asks with the whole text of a request, also of a long one', async () => {
    const long = `change ${'shelf '.repeat(34)}end`;
    await renderConsole();
    await run('begin');
    await run(long);
    page
      .getByRole('tab', { name: /Transaction open/ })
      .element()
      .focus();
    await press('{Delete}');
    await expect.element(question.getByRole('list', { name: /^Requests of/ })).toHaveTextContent(long);
    await press('{Escape}');
  });

  it('promises no rollback while the transaction is being committed', async () => {
    await renderConsole();
    await run('begin');
    await run('change shelf');
    const finish = fake.hold('ending');
    await session.getByRole('button', { name: 'Commit' }).click();
    page
      .getByRole('tab', { name: /Transaction open/ })
      .element()
      .focus();
    await press('{Delete}');
    const inProgress = page.getByRole('dialog', { name: 'End a session in which a request is in progress?' });
    await expect.element(inProgress.getByText(/it won’t be known whether its changes are saved/)).toBeVisible();
    await expect.element(inProgress.getByRole('list', { name: /^Requests of/ })).toHaveTextContent('change shelf');
    await expect.element(inProgress.getByText(/Closing rolls it back/)).not.toBeInTheDocument();
    await press('{Escape}');
    finish();
    await expect.element(state).toMatchTextContent(/^No transaction/);
  });

  it('calls a commit unknown whose answer was lost', async () => {
    await renderConsole();
    await run('begin');
    await run('change shelf');
    fake.failEnding(new DriverError('CONNECTION_LOST', 'The server is gone.'));
    await session.getByRole('button', { name: 'Commit' }).click();
    await expect.element(page.getByText("It isn't known whether the transaction was committed")).toBeVisible();
    await expect.element(page.getByText("The transaction wasn't committed")).not.toBeInTheDocument();
  });

  it.each(['Commit', 'Roll back'])('leaves a trace of %s among the results', async (button) => {
    await renderConsole();
    await run('begin');
    await session.getByRole('button', { name: button }).click();
    const text = button === 'Commit' ? 'The transaction is committed.' : 'The transaction is rolled back.';
    await expect.element(results.getByText(text)).toBeVisible();
  });

  it('can be stopped while its transaction is being committed, and says that the outcome is unknown', async () => {
    await renderConsole();
    await run('begin');
    await run('change shelf');
    const finish = fake.hold('ending');
    await session.getByRole('button', { name: 'Commit' }).click();
    await expect.element(results.getByText('Waiting for the response.')).toBeVisible();
    await page.getByRole('toolbar', { name: 'Console' }).getByRole('button', { name: 'Stop' }).click();
    await expect.element(results.getByText(/it isn’t known whether it took effect/)).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
    finish();
  });

  it('calls a commit unknown that something else stopped before its answer', async () => {
    await renderConsole();
    await run('begin');
    await run('change shelf');
    fake.failEnding(new DriverError('CANCELLED', 'The process of the driver ended.'));
    await session.getByRole('button', { name: 'Commit' }).click();
    await expect.element(page.getByRole('alert', { name: "It isn't known whether the transaction was committed" })).toBeVisible();
  });

  it('calls changes unknown when its session ends in the middle of a commit, also where the host has heard of none', async () => {
    await renderConsole();
    await run('begin');
    await run('change shelf');
    const finish = fake.hold('ending');
    await session.getByRole('button', { name: 'Commit' }).click();
    fake.loseAll();
    await expect.element(page.getByText(/it isn't known whether it was saved/)).toBeVisible();
    await expect.element(page.getByText('Its transaction was rolled back.')).not.toBeInTheDocument();
    finish();
  });

  it('says of a change whose answer was lost that its outcome is unknown, and runs nothing after it', async () => {
    await renderConsole();
    await editor.click();
    await press('change crash{Enter}read two');
    await page.getByRole('button', { name: 'When a request of several fails' }).click();
    await page.getByRole('menuitemradio', { name: 'Run the other requests too' }).click();
    await page.getByRole('button', { name: 'Run all', exact: true }).click();
    await page
      .getByRole('button', { name: /^Run (?:it|them|both|all 2|2)/ })
      .last()
      .click();
    await expect.element(results.getByText('0 done · 1 failed · 1 not run')).toBeVisible();
    await expect.element(results.getByText(/isn’t known whether the changes were made/)).toBeVisible();
    expect(fake.ran.map(({ statement }) => statement)).toEqual(['change crash']);
  });

  it('asks before the whole console and its connection are closed', async () => {
    await renderConsole();
    await run('begin');
    await press('{Alt>}w{/Alt}');
    await expect.element(question).toBeVisible();
    await press('{Escape}');
    await expect.element(question).not.toBeInTheDocument();
    await press('{Control>}k{/Control}');
    await userEvent.keyboard('Close connection');
    await expect.element(page.getByRole('option', { name: /^Close connection/ })).toBeVisible();
    await press('{Enter}');
    await expect.element(question).toBeVisible();
    await question.getByRole('button', { name: 'Close and roll back' }).click();
    await expect.element(question).not.toBeInTheDocument();
    await expect.poll(() => fake.closed()).toBe(1);
  });

  it('keeps the page from being left while a transaction is open', async () => {
    const leave = (): boolean => {
      const event = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(event);
      return !event.defaultPrevented;
    };
    await renderConsole();
    await run('read one');
    expect(leave()).toBe(true);
    await run('begin');
    expect(leave()).toBe(false);
    await session.getByRole('button', { name: 'Roll back' }).click();
    await expect.element(state).toMatchTextContent(/^No transaction/);
    expect(leave()).toBe(true);
  });

  it('closes a tab without a transaction at once, and its session with it', async () => {
    await renderConsole();
    await run('read one');
    const tab = page.getByRole('tab', { name: 'read one' });
    await expect.element(tab).toBeVisible();
    tab.element().focus();
    await press('{Delete}');
    await expect.poll(() => fake.closed()).toBe(1);
    await expect.element(question).not.toBeInTheDocument();
  });

  it('says that its transaction is gone when the server ended it, and runs nothing before the next one is begun', async () => {
    await renderConsole();
    await run('begin');
    await run('lose');
    await expect
      .element(state)
      .toHaveTextContent('The session was lost: the server or the driver ended it. Its transaction was rolled back.');
    await editor.click();
    await press(`{Control>}a{/Control}read one${RUN}`);
    await expect.element(page.getByRole('alert', { name: 'The request failed' })).toMatchTextContent(/Start a new session/);
    expect(fake.ran).toHaveLength(2);
    await session.getByRole('button', { name: 'Start a new session' }).click();
    await expect.element(state).toMatchTextContent(/^No transaction/);
    await run('read one');
    expect(fake.ran.at(-1)).toMatchObject({ session: 1, statement: 'read one' });
  });

  it('says so, too, when it ends while nothing runs', async () => {
    await renderConsole();
    await run('read one');
    fake.loseAll();
    await expect.element(state).toMatchTextContent(/The session was lost.*Its settings and temporary tables are gone/);
  });

  it('ends when the person ends it', async () => {
    await renderConsole();
    await run('read one');
    await session.getByRole('button', { name: 'End session' }).click();
    await expect.element(state).toHaveTextContent('A session begins with the first request.');
    await expect.poll(() => fake.closed()).toBe(1);
  });

  it('says why it could not be started, and runs nothing', async () => {
    fake = fakeConsoleSessions({ refusal: 'The server has no connection left.' });
    await renderConsole();
    await editor.click();
    await press(`read one${RUN}`);
    await expect.element(page.getByRole('alert', { name: 'The request failed' })).toMatchTextContent(/no connection left/);
    await expect.element(state).toHaveTextContent('A session begins with the first request.');
    expect(fake.ran).toEqual([]);
  });

  it('shows the notices of the server in their order', async () => {
    await renderConsole();
    await run('warn shelf');
    const notices = results.getByRole('region', { name: 'Notices of the server' }).getByRole('listitem');
    await expect.element(notices.nth(0)).toHaveTextContent('NoticeFirst of shelf');
    await expect.element(notices.nth(1)).toHaveTextContent('WarningSecond of shelf 01000Hint: Look again.');
  });

  it('asks for the values of parameters and sends them, null too', async () => {
    await renderConsole();
    await editor.click();
    await press(`give $1 price${RUN}`);
    const values = page.getByRole('dialog', { name: 'Values for the parameters' });
    await userEvent.fill(values.getByRole('textbox', { name: '$1 (numeric)' }), '12.50');
    await press('{Enter}');
    await expect.element(results.getByRole('gridcell', { name: '["12.50"]' })).toBeVisible();
    await editor.click();
    await press(RUN);
    await expect.element(values.getByRole('textbox', { name: '$1 (numeric)' })).toHaveValue('12.50');
    await values.getByRole('checkbox', { name: '$1 is NULL' }).click();
    await values.getByRole('button', { name: 'Run with these values' }).click();
    await expect.element(results.getByRole('gridcell', { name: '[null]' })).toBeVisible();
  });

  it('runs nothing when no values are given', async () => {
    await renderConsole();
    await editor.click();
    await press(`give $1 price${RUN}`);
    await expect.element(page.getByRole('dialog', { name: 'Values for the parameters' })).toBeVisible();
    await press('{Escape}');
    await expect.element(results.getByText(/^You stopped this request/)).toBeVisible();
    expect(fake.ran).toEqual([]);
  });

  it('says that nothing runs while it asks for values', async () => {
    await renderConsole();
    await editor.click();
    await press(`give $1 price${RUN}`);
    await expect.element(page.getByRole('dialog', { name: 'Values for the parameters' })).toBeVisible();
    await expect.element(page.getByText('Running give $1 price')).not.toBeInTheDocument();
    await expect.element(results.getByText('Waiting for the response.')).not.toBeInTheDocument();
    await press('{Escape}');
  });

  it('shows a failure alone, without the text of an empty panel', async () => {
    fake = fakeConsoleSessions({ refusal: 'The server has no connection left.' });
    await renderConsole();
    await expect.element(page.getByText('No results yet')).toBeVisible();
    await editor.click();
    await press(`read one${RUN}`);
    await expect.element(page.getByRole('alert', { name: 'The request failed' })).toBeVisible();
    await expect.element(page.getByText('No results yet')).not.toBeInTheDocument();
  });

  it('says of what destroys that it does, and not that it isn’t known', async () => {
    await renderConsole();
    await editor.click();
    await press(`change into${RUN}`);
    const asked = page.getByRole('dialog', { name: 'Run this request?' });
    await expect.element(asked.getByText(/This destroys data in “Shop”/)).toBeVisible();
    await expect.element(asked.getByText(/can’t determine/)).not.toBeInTheDocument();
    await press('{Escape}');
  });

  it('reads the tables again after what may have made one, and after a commit', async () => {
    await renderConsole();
    await run('read one');
    const before = fake.listed();
    await run('change shelf');
    await expect.poll(() => fake.listed()).toBe(before + 1);
    await run('begin');
    await session.getByRole('button', { name: 'Commit' }).click();
    await expect.poll(() => fake.listed()).toBe(before + 2);
  });

  it('asks for the values of a statement by its text, and shows it', async () => {
    await renderConsole();
    await editor.click();
    await press(`give $1 price${RUN}`);
    const values = page.getByRole('dialog', { name: 'Values for the parameters' });
    await expect.element(values.getByLabelText('The request that they are for')).toHaveTextContent('give $1 price');
    await userEvent.fill(values.getByRole('textbox', { name: '$1 (numeric)' }), '12.50');
    await press('{Enter}');
    await expect.poll(() => fake.ran.length).toBe(1);
    await editor.click();
    await press(`{Control>}a{/Control}give $1 weight${RUN}`);
    await expect.element(values.getByLabelText('The request that they are for')).toHaveTextContent('give $1 weight');
    await expect.element(values.getByRole('textbox', { name: '$1 (numeric)' })).toHaveValue('');
    await press('{Escape}');
    await editor.click();
    await press(`{Control>}a{/Control}give $1 price${RUN}`);
    await expect.element(values.getByRole('textbox', { name: '$1 (numeric)' })).toHaveValue('12.50');
    await press('{Escape}');
  });

  it('is begun once when a request and “Start a new session” want it at once', async () => {
    await renderConsole();
    await run('read one');
    fake.loseAll();
    const start = session.getByRole('button', { name: 'Start a new session' });
    await expect.element(start).toBeVisible();
    const release = fake.hold('opening');
    await start.click();
    await editor.click();
    await press(`{Control>}a{/Control}read two${RUN}`);
    await expect.element(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
    release();
    await expect.poll(() => fake.ran.at(-1)).toMatchObject({ session: 1, statement: 'read two' });
    expect(fake.opened()).toBe(2);
  });

  it('takes no request and no second end while its transaction is being ended', async () => {
    await renderConsole();
    await run('begin');
    const release = fake.hold('ending');
    await session.getByRole('button', { name: 'Commit' }).click();
    await editor.click();
    await press(`{Control>}a{/Control}read two${RUN}`);
    await expect.element(page.getByText('Running COMMIT')).toBeVisible();
    await press('{Control>}k{/Control}');
    await userEvent.keyboard('Roll back the transaction');
    const option = page.getByRole('option', { name: /Roll back the transaction of the console/ });
    await expect.element(option).toHaveAttribute('aria-disabled', 'true');
    await press('{Escape}');
    release();
    await expect.element(state).toMatchTextContent(/^No transaction/);
    expect(fake.ran).toHaveLength(1);
  });

  it('counts no rows for a question where a count would see other data, and says so', async () => {
    const ask = async (): Promise<string> => {
      await editor.click();
      await press(`{Control>}a{/Control}change every${RUN}`);
      const alert = page.getByRole('dialog').getByRole('alert');
      await expect.element(alert).not.toMatchTextContent(/Counting/);
      const text = alert.element().textContent;
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      return text;
    };
    await renderConsole();
    await run('read one');
    expect(await ask()).toMatch(/Rows now: \d/);
    const before = fake.counted();
    await run('begin');
    expect(await ask()).toMatch(/The rows aren’t counted, because a count would not see what this session sees\.$/);
    await session.getByRole('button', { name: 'Roll back' }).click();
    await expect.element(state).toMatchTextContent(/^No transaction/);
    await run('become admin');
    expect(await ask()).toMatch(/aren’t counted/);
    expect(fake.counted()).toBe(before);
  });

  it('plans in the session of the tab, once there is one', async () => {
    const plan = page.getByRole('region', { name: 'Plan' });
    await renderConsole();
    await editor.click();
    await press('read one{Escape}{F9}');
    await expect.element(plan.getByText(/Estimates/)).toBeVisible();
    await run('begin');
    await editor.click();
    await press('{Control>}a{/Control}read two{Escape}{F9}');
    await expect.element(plan.getByText(/Estimates/)).toBeVisible();
    expect(fake.planned).toEqual([undefined, undefined, 0, 0]);
  });

  it('begins the list of changes again with a transaction that follows another', async () => {
    await renderConsole();
    await run('begin');
    await run('change shelf');
    await expect.element(state).toMatchTextContent(/1 request not committed/);
    await run('chain');
    await expect.element(state).not.toMatchTextContent(/not committed/);
    await expect.element(state).toMatchTextContent(/^Transaction open/);
  });

  it('moves to another place by choice, and stays where it is while a transaction is open', async () => {
    fake = fakeConsoleSessions({ places: ['shop', 'sales'] });
    await renderConsole();
    const place = session.getByRole('combobox');
    await expect.element(place).toHaveDisplayValue('shop');
    await place.selectOptions('sales');
    await expect.element(state).toHaveTextContent('No transactionin sales.public as clerk');
    await expect.element(place).toHaveDisplayValue('sales');
    expect(fake.ran.map(({ statement }) => statement)).toEqual(['move sales']);
    await run('begin');
    await expect.element(place).toBeDisabled();
    await session.getByRole('button', { name: 'Roll back' }).click();
    await expect.element(place).toBeEnabled();
    await run('move elsewhere');
    await expect.element(place).toHaveDisplayValue('elsewhere.public');
  });

  it('begins again where the session before it was, before its first request', async () => {
    fake = fakeConsoleSessions({ places: ['shop', 'sales'] });
    await renderConsole();
    const place = session.getByRole('combobox');
    await place.selectOptions('sales');
    await expect.element(state).toHaveTextContent('No transactionin sales.public as clerk');
    await session.getByRole('button', { name: 'End session' }).click();
    await expect.element(state).toHaveTextContent('A session begins with the first request.');
    await expect.element(place).toHaveDisplayValue('sales');
    await editor.click();
    await press(`{Control>}a{/Control}read one{Escape}${RUN}`);
    await expect.poll(() => fake.ran).toHaveLength(3);
    expect(fake.ran.map((each) => [each.session, each.statement])).toEqual([
      [0, 'move sales'],
      [1, 'move sales'],
      [1, 'read one'],
    ]);
    await expect.element(state).toHaveTextContent('No transactionin sales.public as clerk');
    fake.loseAll();
    await session.getByRole('button', { name: 'Start a new session' }).click();
    await expect.element(state).toHaveTextContent('No transactionin sales.public as clerk');
    expect(fake.ran.at(-1)).toMatchObject({ session: 2, statement: 'move sales' });
  });

  it('runs no request where the place of the session before is gone, and begins in the first place then', async () => {
    fake = fakeConsoleSessions({ places: ['shop', 'sales'], gone: ['sales'] });
    await renderConsole();
    await run('move sales');
    await session.getByRole('button', { name: 'End session' }).click();
    await editor.click();
    await press(`{Control>}a{/Control}read one{Escape}${RUN}`);
    await expect.element(page.getByText('There is no “sales”.')).toBeVisible();
    expect(fake.ran.map(({ statement }) => statement)).not.toContain('read one');
    await expect.poll(() => fake.closed()).toBe(2);
    await expect.element(session.getByRole('combobox')).toHaveDisplayValue('shop');
    await run('read one');
    await expect.element(state).toHaveTextContent('No transactionin shop as clerk');
  });

  it('says that the place of the session before is gone, also where it is no longer listed, and where the next session begins', async () => {
    fake = fakeConsoleSessions({ places: ['shop', 'sales'], gone: ['sales'], unlisted: true });
    await renderConsole();
    await run('move sales');
    fake.loseAll();
    await session.getByRole('button', { name: 'Start a new session' }).click();
    await expect.element(page.getByText(/“sales” is gone/)).toBeVisible();
    await expect.element(page.getByText(/The next session begins in “shop”/)).toBeVisible();
    await session.getByRole('button', { name: 'Start a new session' }).click();
    await expect.element(state).toHaveTextContent('No transactionin shop as clerk');
  });

  it('offers no place where there is only one', async () => {
    fake = fakeConsoleSessions({ places: ['shop'] });
    await renderConsole();
    await run('read one');
    expect(session.getByRole('combobox').elements()).toHaveLength(0);
  });
});
