import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { writeFixture } from '../../drivers/postgres/src/fixture.test-helper.ts';
import { describeWithServer } from '../../drivers/postgres/src/server.test-helper.ts';
import { PgClient } from '../../drivers/postgres/src/wire/pgClient.ts';
import { root } from '../../scripts/paths.ts';
import type { Application } from './application.ts';
import { startApplication } from './application.ts';
import { STEP_MILLISECONDS, screenshot, startBrowser, watchFaults } from './browser.ts';
import { savedConnection, soon } from './openTable.ts';
import { expectNoViolations, lookEverywhere } from './openTool.ts';

// Sessions of the console's tabs on a real PostgreSQL server: what one tab began is its own until it commits.

const PASSWORD = 'E2E_SESSIONS_PASSWORD';

describeWithServer('sessions of the console', (server) => {
  let application: Application;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let faults: string[];
  let address: string;
  /** Each test has a connection of its own: what a tab lost is said until a new session begins, and in every window that shows the tab. */
  let name: string;
  let count = 0;
  /** A request that fails before its answer begins is written to the page's console. */
  let expectsFaults = false;

  beforeAll(async () => {
    process.env[PASSWORD] = server().password;
    [application, browser] = await Promise.all([
      startApplication({ products: 50 }),
      startBrowser(),
      writeFixture(server(), 'fixture'),
    ]);
    await application.registry.publish(join(root, 'drivers/postgres'));
    address = application.ui;
    context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
  });

  beforeEach(async () => {
    expectsFaults = false;
    count += 1;
    name = `Shop ${count}`;
    await application.command(
      ...['connections', 'add', '--driver', 'postgres', '--name', name, '--host', '127.0.0.1', '--port', String(server().port)],
      ...['--database', 'fixture', '--user', server().user, '--password-env', PASSWORD, '--ai-policy', 'alwaysAllow'],
    );
    page = await context.newPage();
    page.setDefaultTimeout(STEP_MILLISECONDS);
    faults = watchFaults(page);
    await page.goto(new URL('#new', address).href);
    await savedConnection(page, name).waitFor();
    address = page.url();
    await query('CREATE TABLE IF NOT EXISTS shop.basket (id int PRIMARY KEY, title text); TRUNCATE shop.basket');
    await openConsole();
  });

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await screenshot(page, `failed ${task.name.replaceAll(/[^\w -]/g, '').slice(0, 40)}`);
    await page.close({ runBeforeUnload: false });
    if (!expectsFaults) expect(faults).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    await application?.[Symbol.asyncDispose]();
  });

  const tables = () => page.getByRole('navigation', { name: 'Tables' });
  const editor = () => page.getByRole('textbox', { name: 'Requests', exact: true });
  const results = () => page.getByRole('region', { name: 'Results' });
  const session = () => page.getByRole('region', { name: 'Session of this tab' });
  const state = () => session().getByRole('status');
  const question = () => page.getByRole('dialog', { name: 'Roll back the open transaction?' });

  /** As another client of the server sees it. */
  async function query(text: string): Promise<readonly Record<string, unknown>[]> {
    const client = new PgClient({
      ...{ host: '127.0.0.1', port: server().port, user: server().user, password: server().password },
      database: 'fixture',
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      const { rows } = await client.query<Record<string, unknown>>(text);
      return rows;
    } finally {
      await client.end();
    }
  }
  const baskets = async (): Promise<number> =>
    Number((await query('SELECT count(*)::int AS count FROM shop.basket'))[0]?.['count']);

  async function openConsole(): Promise<void> {
    await savedConnection(page, name).click();
    const asked = page.getByRole('dialog', { name: /see credentials/ });
    const listed = tables().getByText('shelf', { exact: true });
    await asked.or(listed).first().waitFor();
    if (await asked.isVisible()) await asked.getByRole('button', { name: 'Allow', exact: true }).click();
    await listed.waitFor();
    await tables().getByRole('button', { name: 'Console', exact: true }).click();
    await session().waitFor();
  }

  /** Runs a text in the place of what is in the editor, and agrees where it asks. */
  async function run(text: string, agrees = false): Promise<void> {
    await editor().focus();
    await page.evaluate((value) => navigator.clipboard.writeText(value), text);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+v');
    await page.keyboard.press('Control+Shift+Enter');
    if (agrees)
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Run (?:it|all \d+)$/ })
        .click();
  }
  const newTab = async (): Promise<void> => {
    await page.getByRole('button', { name: 'New tab', exact: true }).click();
    await soon(() => state().textContent()).toContain('A session begins');
  };
  const shown = (text: string | RegExp) => results().getByRole('gridcell', { name: text, exact: true }).waitFor();

  it('keeps what a tab began from the others until it is committed', async () => {
    expect(await state().textContent()).toContain('A session begins with the first request.');
    await run("BEGIN;\nINSERT INTO shop.basket VALUES (1, 'Tea')", true);
    await soon(() => state().textContent()).toContain('Transaction open');
    await soon(() => state().textContent()).toContain('1 request not committed');
    await screenshot(page, 'sessions-01-open');
    await expectNoViolations(page);
    await lookEverywhere(page, 'sessions-02-open');
    await run('SELECT count(*) FROM shop.basket');
    await shown('1');
    await newTab();
    await run('SELECT count(*) FROM shop.basket');
    await shown('0');
    await soon(() => state().textContent()).toContain('No transaction');
    expect(await baskets()).toBe(0);
    await page.getByRole('tab', { name: /Transaction open/ }).click();
    await session().getByRole('button', { name: 'Commit', exact: true }).click();
    await soon(() => state().textContent()).toContain('No transaction');
    expect(await baskets()).toBe(1);
    await screenshot(page, 'sessions-03-committed');
  });

  it('rolls back, and keeps settings and temporary tables of its tab', async () => {
    await run("CREATE TEMPORARY TABLE note (text text);\nINSERT INTO note VALUES ('mine');\nSET search_path TO shop", true);
    await soon(() => state().textContent()).toContain('in shop');
    await run("BEGIN;\nINSERT INTO basket VALUES (2, 'Milk')", true);
    await soon(() => state().textContent()).toContain('1 request not committed');
    await session().getByRole('button', { name: 'Roll back', exact: true }).click();
    await soon(() => state().textContent()).toContain('No transaction');
    expect(await baskets()).toBe(0);
    await run('SELECT text FROM note');
    await shown('mine');
  });

  it('says that a transaction failed, and offers the rollback', async () => {
    expectsFaults = true;
    await run('BEGIN;\nSELECT 1/0');
    await soon(() => state().textContent()).toContain('Transaction failed');
    await screenshot(page, 'sessions-04-failed');
    await expectNoViolations(page);
    await lookEverywhere(page, 'sessions-05-failed');
    expect(await session().getByRole('button', { name: 'Commit', exact: true }).count()).toBe(0);
    await session().getByRole('button', { name: 'Roll back', exact: true }).click();
    await soon(() => state().textContent()).toContain('No transaction');
    await run('SELECT 12 AS twelve');
    await shown('12');
  });

  it('says why a commit ended in a rollback', async () => {
    await query(
      'CREATE TABLE IF NOT EXISTS shop.basket_line (basket int REFERENCES shop.basket DEFERRABLE INITIALLY DEFERRED); TRUNCATE shop.basket_line',
    );
    await run('BEGIN;\nINSERT INTO shop.basket_line VALUES (77)', true);
    await soon(() => state().textContent()).toContain('1 request not committed');
    await session().getByRole('button', { name: 'Commit', exact: true }).click();
    await page.getByRole('alert', { name: "The transaction wasn't committed" }).waitFor();
    await soon(() => state().textContent()).toContain('No transaction');
    await screenshot(page, 'sessions-06-not-committed');
    expect(await query('SELECT * FROM shop.basket_line')).toEqual([]);
    await query('DROP TABLE shop.basket_line');
  });

  it('stops a commit that takes long, and says what isn’t certain', async () => {
    await query(
      `CREATE TABLE IF NOT EXISTS shop.slow_line (id int);
      CREATE OR REPLACE FUNCTION shop.slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(600); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON shop.slow_line DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION shop.slow()`,
    );
    await run('BEGIN;\nINSERT INTO shop.slow_line VALUES (1)', true);
    await soon(() => state().textContent()).toContain('1 request not committed');
    await session().getByRole('button', { name: 'Commit', exact: true }).click();
    await results().getByText('Waiting for the response.').waitFor();
    await screenshot(page, 'sessions-21-committing');
    await page.getByRole('toolbar', { name: 'Console' }).getByRole('button', { name: 'Stop', exact: true }).click();
    await results()
      .getByText(/it isn’t known whether it took effect/)
      .waitFor();
    await soon(() => state().textContent()).toContain('No transaction');
    await page.getByRole('button', { name: 'History', exact: true }).click();
    await page.getByText('Stopped before its answer came; its changes may have been made.').waitFor();
    await screenshot(page, 'sessions-22-stopped');
    await expectNoViolations(page);
    await lookEverywhere(page, 'sessions-23-stopped');
    expect(await query('SELECT * FROM shop.slow_line')).toEqual([]);
    await query('DROP TABLE shop.slow_line');
  });

  it('lists a table that was made in the console, when its transaction is committed', async () => {
    const listed = tables().getByText('fresh_table', { exact: true });
    await run('BEGIN;\nCREATE TABLE shop.fresh_table (id int)', true);
    await soon(() => state().textContent()).toContain('1 request not committed');
    expect(await listed.count()).toBe(0);
    await session().getByRole('button', { name: 'Commit', exact: true }).click();
    await results().getByText('The transaction is committed.').waitFor();
    await listed.waitFor();
    await screenshot(page, 'sessions-24-listed');
    await run('DROP TABLE shop.fresh_table', true);
    await listed.waitFor({ state: 'detached' });
  });

  it('says after a reload that the transaction of the tab was rolled back, until a new session is started', async () => {
    await run("BEGIN;\nINSERT INTO shop.basket VALUES (8, 'Salt')", true);
    await soon(() => state().textContent()).toContain('1 request not committed');
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await soon(() => state().textContent()).toContain(
      'The transaction that was open in this tab when its window was reloaded or closed was rolled back.',
    );
    await screenshot(page, 'sessions-07-reloaded');
    await page.reload();
    await soon(() => state().textContent()).toContain('was rolled back.');
    expect(await baskets()).toBe(0);
    expect(await query("SELECT 1 FROM pg_locks WHERE relation = 'shop.basket'::regclass")).toEqual([]);
    await session().getByRole('button', { name: 'Start a new session' }).click();
    await soon(() => state().textContent()).toContain('No transaction');
    // A session without a transaction loses nothing that is said.
    await page.reload();
    await soon(() => state().textContent()).toContain('A session begins with the first request.');
  });

  it('asks before a tab with a transaction is closed; Escape keeps all of it', async () => {
    await run("BEGIN;\nINSERT INTO shop.basket VALUES (3, 'Salt')", true);
    await soon(() => state().textContent()).toContain('1 request not committed');
    const tab = page.getByRole('tab', { name: /Transaction open/ });
    await tab.focus();
    await page.keyboard.press('Delete');
    await question().getByText(`“${name}”`).waitFor();
    await question().getByText("INSERT INTO shop.basket VALUES (3, 'Salt')").waitFor();
    await screenshot(page, 'sessions-07-question');
    await expectNoViolations(page);
    await lookEverywhere(page, 'sessions-08-question');
    await page.keyboard.press('Escape');
    await question().waitFor({ state: 'detached' });
    expect(await state().textContent()).toContain('Transaction open');
    // The whole console, and the connection.
    await page.keyboard.press('Alt+w');
    await question().waitFor();
    await page.keyboard.press('Escape');
    await question().waitFor({ state: 'detached' });
    await run('SELECT title FROM shop.basket');
    await shown('Salt');
    // The window: the browser's own question.
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    expect(await state().textContent()).toContain('Transaction open');
    await page.keyboard.press('Alt+w');
    await question().getByRole('button', { name: 'Close and roll back' }).click();
    await question().waitFor({ state: 'detached' });
    await soon(() => query("SELECT 1 FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'")).toEqual([]);
    expect(await baskets()).toBe(0);
  });

  it('shows what the server says beside an answer', async () => {
    await query(
      "CREATE OR REPLACE FUNCTION shop.talk() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'First'; RAISE WARNING 'Second' USING HINT = 'Look again.'; RETURN 7; END $$",
    );
    await run('SELECT shop.talk()');
    const notices = results().getByRole('region', { name: 'Notices of the server' }).getByRole('listitem');
    await soon(() => notices.allTextContents()).toEqual(['NoticeFirst', 'WarningSecond 01000Hint: Look again.']);
    await shown('7');
    await screenshot(page, 'sessions-09-notices');
    await expectNoViolations(page);
    await lookEverywhere(page, 'sessions-10-notices');
  });

  it('asks for parameters and sends their values beside the statement', async () => {
    await run('SELECT $1::numeric + 1 AS more, $2::text IS NULL AS missing');
    const values = page.getByRole('dialog', { name: 'Values for the parameters' });
    await values.getByRole('textbox', { name: '$1 (numeric)' }).fill('12345678901234567890.5');
    await values.getByRole('checkbox', { name: '$2 is NULL' }).click();
    await values.getByLabel('The request that they are for').getByText('SELECT $1::numeric + 1 AS more').waitFor();
    await screenshot(page, 'sessions-11-parameters');
    await expectNoViolations(page);
    await lookEverywhere(page, 'sessions-12-parameters');
    await values.getByRole('button', { name: 'Run with these values' }).click();
    await shown('12345678901234567891.5');
  });

  const nothingOpen = () =>
    soon(() => query("SELECT 1 FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'")).toEqual([]);
  const palette = async (on: Page, command: RegExp, typed: string): Promise<void> => {
    await on.keyboard.press('Control+k');
    // No person types before it is drawn.
    await on
      .getByPlaceholder(/^Search/)
      .and(on.locator(':focus'))
      .waitFor();
    await on.keyboard.type(typed);
    await on.getByRole('option', { name: command }).first().waitFor();
    await on.keyboard.press('Enter');
  };

  it('asks in another window before the connection is closed there', async () => {
    await run("BEGIN;\nINSERT INTO shop.basket VALUES (5, 'Oil')", true);
    await soon(() => state().textContent()).toContain('1 request not committed');
    const other = await context.newPage();
    other.setDefaultTimeout(STEP_MILLISECONDS);
    try {
      await other.goto(new URL('#new', address).href);
      await savedConnection(other, name).click();
      await other.getByRole('navigation', { name: 'Tables' }).getByText('shelf', { exact: true }).waitFor();
      await palette(other, /^Close connection/, 'Close connection');
      const asked = other.getByRole('dialog', { name: 'Roll back the open transaction?' });
      await asked.getByText('in another window').waitFor();
      await asked.getByText("INSERT INTO shop.basket VALUES (5, 'Oil')").waitFor();
      await screenshot(other, 'sessions-15-elsewhere');
      await expectNoViolations(other);
      await lookEverywhere(other, 'sessions-16-elsewhere');
      await other.keyboard.press('Escape');
      await asked.waitFor({ state: 'detached' });
      await run('SELECT title FROM shop.basket');
      await shown('Oil');
      await palette(other, /^Close connection/, 'Close connection');
      await asked.getByRole('button', { name: 'Close and roll back' }).click();
      await soon(() => state().textContent()).toMatch(/The session was closed.*Its transaction was rolled back/);
      await nothingOpen();
    } finally {
      await other.close({ runBeforeUnload: false });
    }
  });

  it('asks before another password ends the session', async () => {
    await run("BEGIN;\nINSERT INTO shop.basket VALUES (6, 'Jam')", true);
    await soon(() => state().textContent()).toContain('1 request not committed');
    await palette(page, /^Edit connection/, 'Edit connection');
    const dialog = page.getByRole('dialog', { name: new RegExp(`Edit ${name}`) });
    await dialog.getByRole('button', { name: /^Replace/ }).click();
    await dialog.getByLabel(/^Password/).fill(server().password);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await question()
      .getByText(/This ends its session/)
      .waitFor();
    await screenshot(page, 'sessions-17-password');
    await expectNoViolations(page);
    await lookEverywhere(page, 'sessions-18-password');
    await page.keyboard.press('Escape');
    await question().waitFor({ state: 'detached' });
    expect(await query("SELECT 1 FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'")).toHaveLength(1);
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('button', { name: /^Discard/ }).click();
    await session().getByRole('button', { name: 'Roll back', exact: true }).click();
    await soon(() => state().textContent()).toContain('No transaction');
  });

  it('runs nothing outside of a transaction that could not begin, also where it continues after errors', async () => {
    expectsFaults = true;
    await page.getByRole('button', { name: 'When a request of several fails' }).click();
    await page.getByRole('menuitemradio', { name: 'Run the other requests too' }).click();
    // The menu shows the choice until it is closed, and gives the focus back to its button.
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await soon(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'When a request of several fails',
    );
    await run("SAVEPOINT before;\nINSERT INTO shop.basket VALUES (7, 'Tea')", true);
    await results().getByText('0 done · 1 failed · 1 not run').waitFor();
    expect(await baskets()).toBe(0);
  });

  it('names the tabs that hold sessions when all are in use, and ends the one that is chosen', async () => {
    for (let place = 1; place <= 8; place += 1) {
      await run(place === 3 ? 'BEGIN' : `SELECT ${place} AS place`);
      if (place === 3) await soon(() => state().textContent()).toContain('Transaction open');
      else await shown(String(place));
      await newTab();
    }
    await run('SELECT 99 AS place');
    const limit = page.getByRole('dialog', { name: '8 sessions are open, the most there can be' });
    const holders = limit.getByRole('list', { name: 'Tabs with a session' }).getByRole('listitem');
    await soon(() => holders.count()).toBe(8);
    await screenshot(page, 'sessions-19-limit');
    await expectNoViolations(page);
    await lookEverywhere(page, 'sessions-20-limit');
    await limit.getByRole('button', { name: 'End the session of SELECT 5 AS place' }).click();
    await shown('99');
    await page.getByRole('tab', { name: 'SELECT 5 AS place' }).click();
    await soon(() => state().textContent()).toContain('A session begins');
  });

  it('says that the transaction is gone when the server restarts, and begins again when asked', async () => {
    expectsFaults = true;
    await run("BEGIN;\nINSERT INTO shop.basket VALUES (4, 'Rice')", true);
    await soon(() => state().textContent()).toContain('1 request not committed');
    await server().restart('immediate');
    await run('SELECT count(*) FROM shop.basket');
    await soon(() => state().textContent()).toMatch(/The session was (?:lost|closed).*Its transaction was rolled back/);
    await screenshot(page, 'sessions-13-lost');
    await expectNoViolations(page);
    await lookEverywhere(page, 'sessions-14-lost');
    await run('SELECT count(*) FROM shop.basket');
    await page
      .getByRole('alert', { name: 'The request failed' })
      .getByText(/Start a new session/)
      .waitFor();
    await session().getByRole('button', { name: 'Start a new session' }).click();
    await soon(() => state().textContent()).toContain('No transaction');
    await run('SELECT count(*) FROM shop.basket');
    await shown('0');
  });
});
