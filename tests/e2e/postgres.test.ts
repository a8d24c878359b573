import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { PgClient } from '../../drivers/postgres/src/wire/pgClient.ts';
import { writeFixture } from '../../drivers/postgres/src/fixture.test-helper.ts';
import { describeWithServer } from '../../drivers/postgres/src/server.test-helper.ts';
import { administer } from '../../drivers/postgres/src/session.test-helper.ts';
import { root } from '../../scripts/paths.ts';
import type { Application } from './application.ts';
import { startApplication } from './application.ts';
import { STEP_MILLISECONDS, screenshot, startBrowser, watchFaults } from './browser.ts';
import { cellOf, choose, savedConnection, shownIn, soon, tableGrid } from './openTable.ts';
import { expectNoViolations, lookEverywhere } from './openTool.ts';
import { shopTables } from './shopTables.ts';

// A PostgreSQL server in the window: the question before its driver has the password, browsing, editing, SQL.

const NAME = 'Shop';
const SERVER = 'Whole server';
const PASSWORD = 'E2E_POSTGRES_PASSWORD';

describeWithServer('a PostgreSQL server in the window', (server) => {
  let application: Application;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let faults: string[];
  /** Where the window is: the key in the address that the host prints is good for once. */
  let address: string;

  beforeAll(async () => {
    process.env[PASSWORD] = server().password;
    [application, browser] = await Promise.all([
      startApplication({ products: 50 }),
      startBrowser(),
      writeFixture(server(), 'fixture'),
    ]);
    const administrator = new PgClient({
      ...{ host: '127.0.0.1', port: server().port, user: server().user, password: server().password, database: 'fixture' },
    });
    await administrator.connect();
    await administrator.query(shopTables).finally(() => administrator.end());
    await application.registry.publish(join(root, 'drivers/postgres'));
    await application.command(
      ...['connections', 'add', '--driver', 'postgres', '--name', NAME, '--host', '127.0.0.1', '--port', String(server().port)],
      ...['--database', 'fixture', '--user', server().user, '--password-env', PASSWORD, '--ai-policy', 'alwaysAllow'],
    );
    address = application.ui;
    context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
  });

  beforeEach(async () => {
    page = await context.newPage();
    page.setDefaultTimeout(STEP_MILLISECONDS);
    faults = watchFaults(page);
    await page.goto(new URL('#new', address).href);
    await savedConnection(page, NAME).waitFor();
    address = page.url();
  });

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await screenshot(page, `failed ${task.name.replaceAll(/[^\w -]/g, '').slice(0, 40)}`);
    await page.close();
    expect(faults).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    await application?.[Symbol.asyncDispose]();
  });

  const question = () => page.getByRole('dialog', { name: /see credentials/ });
  const tables = () => page.getByRole('navigation', { name: 'Tables' });
  const editor = () => page.getByRole('textbox', { name: 'Requests', exact: true });
  const results = () => page.getByRole('region', { name: 'Results' });

  async function openShop(name = NAME): Promise<void> {
    await savedConnection(page, name).click();
    const listed = tables().getByText('shelf', { exact: true });
    await question().or(listed).first().waitFor();
    if (await question().isVisible()) await question().getByRole('button', { name: 'Allow', exact: true }).click();
    await listed.waitFor();
  }

  async function open(table: string) {
    await tables().getByText(table, { exact: true }).click();
    const grid = tableGrid(page, table);
    await grid.getByRole('gridcell').first().waitFor();
    return grid;
  }

  it('is offered with its form and with what its driver asks for', async () => {
    await page.getByRole('button', { name: 'New connection' }).first().click();
    await page.getByText('Sees the credentials of its connections').waitFor();
    await screenshot(page, 'postgres-00-chooser');
    await page.getByText('PostgreSQL', { exact: true }).first().click();
    await screenshot(page, 'postgres-01-form');
    await page.keyboard.press('Escape');
  });

  it('asks before its driver has the password, and stays closed when that is refused', async () => {
    // Another test may have allowed it.
    await application.command('drivers', 'allow', 'postgres', '--withdraw').catch(() => undefined);
    await savedConnection(page, NAME).click();
    await question().waitFor();
    await screenshot(page, 'postgres-02-question');
    await expectNoViolations(page);
    await lookEverywhere(page, 'postgres-03-question');
    await page.keyboard.press('Escape');
    await soon(() => question().count()).toBe(0);
    await screenshot(page, 'postgres-04-refused');
    await page.getByRole('button', { name: 'Try again' }).click();
    await question().getByRole('button', { name: 'Allow', exact: true }).click();
    await tables().getByText('shelf', { exact: true }).waitFor();
  });

  it('asks once before it reads a view whose functions may do more than read', async () => {
    await openShop();
    await tables().getByText('stamps', { exact: true }).click();
    const heading = page.getByRole('heading', { name: 'Reading “stamps” may do more than read' });
    await heading.waitFor();
    await page.getByText(/which calls stamped/).waitFor();
    await expectNoViolations(page);
    await lookEverywhere(page, 'postgres-60-uncertain');
    const read = page.getByRole('button', { name: 'Read the rows' });
    await read.focus();
    await page.keyboard.press('Escape');
    await heading.waitFor();
    await read.focus();
    await page.keyboard.press('Enter');
    await tableGrid(page, 'stamps').getByRole('gridcell').first().waitFor();
    await page.waitForTimeout(600);
    await page.reload();
    await tableGrid(page, 'stamps').getByRole('gridcell').first().waitFor();
  });

  it('finds a number and a text in all tables, and opens a table with the filter that found its rows', async () => {
    await openShop();
    await page.keyboard.press('Control+Alt+f');
    const tab = page.getByRole('region', { name: 'Find in tables' });
    const field = tab.getByRole('searchbox', { name: 'Text to find' });
    await field.fill('Customer 17');
    await page.keyboard.press('Enter');
    await tab.getByRole('button', { name: 'shop.customers 1' }).waitFor();
    await soon(() => tab.getByRole('status').innerText()).toMatch(/^2 rows in 2 tables$/);
    await screenshot(page, 'postgres-find-01-text');
    await expectNoViolations(page);
    await lookEverywhere(page, 'postgres-find-02');
    await field.fill('17');
    await page.keyboard.press('Enter');
    await soon(() => tab.getByRole('status').innerText()).toMatch(/\d+\+? rows in \d+ tables/);
    // A whole number is found in a column of integers, and leads there.
    const order = tab.getByRole('button', { name: /^1 customer_id 17$/ });
    await order.waitFor();
    await field.press('ArrowDown');
    await soon(() => page.evaluate(() => document.activeElement?.getAttribute('data-line'))).toBe('0');
    await order.click();
    const grid = tableGrid(page, 'orders');
    await grid.getByRole('gridcell').first().waitFor();
    // By its key: another test may have staged a change of the other cell.
    await soon(() => shownIn(page, grid, 'id')).toEqual(['1']);
    const bar = page.getByRole('region', { name: 'Filter rows' });
    await soon(() => bar.getByLabel('Value', { exact: true }).first().inputValue()).toBe('17');
    await screenshot(page, 'postgres-find-03-opened');
    // The filter stays with the table, and other tests open it.
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await soon(() => grid.getByRole('gridcell').count()).toBeGreaterThan(5);
  });

  it('shows tables of a schema with typed columns, and saves an edit', async () => {
    await openShop();
    await screenshot(page, 'postgres-05-tables');
    const grid = await open('shelf');
    await screenshot(page, 'postgres-06-shelf');
    await expectNoViolations(page);
    const cell = await cellOf(page, grid, 0, 'title');
    await cell.dblclick();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Changed here');
    await page.keyboard.press('Enter');
    await page
      .getByRole('button', { name: /^(?:Review|Save)/ })
      .first()
      .click();
    await screenshot(page, 'postgres-07-review');
    await page.getByRole('dialog').getByText('UPDATE').first().waitFor();
    await page.getByRole('dialog').getByRole('button', { name: /^Save/ }).click();
    await soon(() => page.getByRole('dialog').count()).toBe(0);
    await soon(() => cell.textContent()).toContain('Changed here');
    await screenshot(page, 'postgres-08-saved');
  });

  it('chooses a label from its list, by keys and by a part of it, and shows the labels in the structure', async () => {
    await openShop();
    const grid = await open('tickets');
    await (await cellOf(page, grid, 0, 'state')).click();
    await page.keyboard.press('F2');
    const list = page.getByRole('listbox', { name: 'Values of state' });
    await soon(() => list.getByRole('option').allTextContents()).toEqual(['new', 'in work', 'done']);
    await expectNoViolations(page);
    await lookEverywhere(page, 'postgres-70-labels');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await (await cellOf(page, grid, 1, 'state')).click();
    await page.keyboard.type('do');
    await soon(() => list.getByRole('option').allTextContents()).toEqual(['done']);
    await page.keyboard.press('Enter');
    await (await cellOf(page, grid, 2, 'state')).click();
    await page.keyboard.type('closed');
    await page.keyboard.press('Enter');
    await page.getByText(/Not changed: enter one of “new”, “in work”, “done”\./).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Review/ }).click();
    await page.getByRole('dialog').getByText('UPDATE').first().waitFor();
    await page.getByRole('dialog').getByRole('button', { name: /^Save/ }).click();
    await soon(() => page.getByRole('dialog').count()).toBe(0);
    await soon(async () => (await shownIn(page, grid, 'state')).slice(0, 3)).toEqual(['in work', 'done', 'new']);
    await page.getByText('Structure', { exact: true }).click();
    await page.getByText('One of “new”, “in work”, “done”.').waitFor();
    await page.getByText('Computed and stored').waitFor();
    await expectNoViolations(page);
    await lookEverywhere(page, 'postgres-71-structure');
  });

  it('shows who waits for whom, cancels the statement that was seen and ends a session', async () => {
    const sessions = ['holder', 'waiter'].map(
      (application_name) =>
        new PgClient({
          ...{ host: '127.0.0.1', port: server().port, user: server().user, password: server().password },
          ...{ database: 'fixture', application_name },
        }),
    );
    const [holder, waiter] = sessions;
    if (holder === undefined || waiter === undefined) throw new Error('There are no sessions.');
    const lost: string[] = [];
    for (const session of sessions) session.on('error', (error) => lost.push(error.message));
    await Promise.all(sessions.map((session) => session.connect()));
    try {
      await holder.query('BEGIN; LOCK TABLE shop.log');
      const waiting = waiter.query("DELETE FROM shop.log WHERE line = 'none'").then(
        () => 'done',
        (error: unknown) => (error instanceof Error ? error.message : ''),
      );
      await openShop();
      await tables().getByRole('button', { name: 'Activity', exact: true }).click();
      const list = page.getByRole('table', { name: 'Sessions' });
      const waitingRow = list.getByRole('row').filter({ hasText: 'waiter' });
      await waitingRow.getByText('Waiting', { exact: true }).waitFor();
      await waitingRow.getByText("DELETE FROM shop.log WHERE line = 'none'").waitFor();
      const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const pid = rows[0]?.pid ?? 0;
      await waitingRow.getByRole('button', { name: `Show ${pid}, which blocks this one` }).waitFor();
      await screenshot(page, 'postgres-11-activity');
      await expectNoViolations(page);
      await waitingRow.getByRole('rowheader').getByRole('button').click();
      await page
        .getByRole('complementary', { name: /^Details of/ })
        .getByText('relation shop.log (RowExclusiveLock)')
        .waitFor();
      await expectNoViolations(page);
      await lookEverywhere(page, 'postgres-12-activity-details');
      await page.getByRole('button', { name: 'Cancel statement…', exact: true }).click();
      const asked = page.getByRole('dialog', { name: /^Cancel the statement of \d+\?$/ });
      await asked.getByText('waiter').waitFor();
      await expectNoViolations(page);
      await screenshot(page, 'postgres-13-activity-question');
      await asked.getByRole('button', { name: 'Cancel statement', exact: true }).click();
      expect(await waiting).toBe('canceling statement due to user request');
      await asked.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: `End session ${pid}…` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'End session', exact: true }).click();
      await soon(() => lost.length).toBeGreaterThan(0);
      await soon(() => list.getByText('holder', { exact: true }).count()).toBe(0);
      await screenshot(page, 'postgres-14-activity-ended');
    } finally {
      await Promise.all(sessions.map((session) => session.end().catch(() => undefined)));
    }
  });

  it('follows a foreign key to the row that it refers to, by key, arrow and menu', async () => {
    await openShop();
    const orders = await open('orders');
    await (await cellOf(page, orders, 0, 'customer_id')).click();
    await screenshot(page, 'postgres-40-arrow');
    await page.keyboard.press('Alt+Enter');
    const customers = tableGrid(page, 'customers');
    const names = () => customers.getByRole('gridcell', { name: /^Customer/ }).allTextContents();
    await soon(names).toEqual(['Customer 17']);
    await screenshot(page, 'postgres-41-customer');
    await expectNoViolations(page);

    // The tab is there now, with a filter of its own, which can be had again.
    await page.keyboard.press('Alt+PageUp');
    const other = await cellOf(page, orders, 1, 'customer_id');
    await other.hover();
    await other.locator('[data-follow]').click();
    await soon(names).toEqual(['Customer 23']);
    await page.getByText('shows the referenced row in place of the former filter').waitFor();
    await page.getByRole('button', { name: 'Former filter' }).click();
    await soon(names).toEqual(['Customer 17']);

    // Two columns together.
    await page.keyboard.press('Alt+PageUp');
    await (await cellOf(page, orders, 1, 'branch')).click({ button: 'right' });
    await lookEverywhere(page, 'postgres-42-menu');
    await page.getByRole('menuitem', { name: /Open referenced row in customers/ }).click();
    await soon(names).toEqual(['Customer 7']);

    // A row without a value refers to none, and says so.
    await page.keyboard.press('Alt+PageUp');
    const none = await cellOf(page, orders, 2, 'customer_id');
    await none.click({ button: 'right' });
    const entry = page.getByRole('menuitem', { name: /Open referenced row in customers/ });
    await soon(() => entry.getAttribute('aria-disabled')).toBe('true');
    await screenshot(page, 'postgres-43-none');
    await page.keyboard.press('Escape');
    expect(await none.locator('[data-follow]').count()).toBe(0);

    // A value that isn't saved yet leads where it says.
    const typed = await cellOf(page, orders, 0, 'customer_id');
    await typed.dblclick();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('31');
    await page.keyboard.press('Enter');
    await soon(() => typed.textContent()).toContain('31');
    await typed.click();
    await page.keyboard.press('Control+i');
    await expectNoViolations(page);
    await lookEverywhere(page, 'postgres-44-inspector');
    await page.getByRole('complementary').getByRole('button', { name: 'Open referenced row in customers' }).first().click();
    await soon(names).toEqual(['Customer 31']);

    // The table itself.
    await page.keyboard.press('Alt+PageUp');
    await (await cellOf(page, orders, 1, 'replaces')).click();
    await page.keyboard.press('Alt+Enter');
    await soon(() => orders.getByRole('row').count()).toBe(2);
    await screenshot(page, 'postgres-45-itself');
  });

  it('opens the rows that refer to one, by menu, key, palette and inspector', async () => {
    await openShop();
    const guests = await open('guests');
    const visits = tableGrid(page, 'visits');
    const ids = () =>
      visits
        .getByRole('gridcell')
        .evaluateAll((cells) => cells.filter((cell) => cell.dataset['column'] === '0').map((cell) => cell.textContent));

    // From the menu of a row: one entry with a list of the tables, by single and double keys.
    const seventeenth = await cellOf(page, guests, 16, 'name');
    await seventeenth.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Rows that refer to this one' }).hover();
    await page.getByRole('menuitem', { name: 'visits (country, branch)' }).waitFor();
    await screenshot(page, 'postgres-60-menu');
    await lookEverywhere(page, 'postgres-61-menu');
    // Another size of the window closes the list.
    await page.getByRole('menuitem', { name: 'Rows that refer to this one' }).hover();
    await page.getByRole('menuitem', { name: 'visits (guest_id)' }).click();
    await soon(ids).toEqual(['1']);
    await screenshot(page, 'postgres-62-visits');

    // By the keyboard alone, and the reader hears of it.
    await page.keyboard.press('Alt+PageUp');
    const sixth = await cellOf(page, guests, 5, 'id');
    await sixth.click();
    await soon(() => sixth.getAttribute('aria-description')).toBe(
      '1 key of another table refers to it. Alt+Shift+Enter opens the rows.',
    );
    await page.keyboard.press('Alt+Shift+Enter');
    await page.getByRole('menuitem', { name: 'visits (country, branch)' }).waitFor();
    await expectNoViolations(page);
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await soon(() =>
      page.getByText('shows the rows that refer to that one in place of the former filter').count(),
    ).toBeGreaterThan(0);
    await soon(ids).toEqual(['1']);

    // A table that refers to itself sets its own filter.
    await page
      .getByRole('button', { name: /^Clear/ })
      .first()
      .click();
    await (await cellOf(page, visits, 0, 'id')).click();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Open rows that refer');
    await page
      .getByRole('option', { name: /Open rows that refer to this one/ })
      .first()
      .click();
    await soon(ids).toEqual(['2']);

    await page.keyboard.press('Control+i');
    await page.getByRole('complementary').getByRole('button', { name: 'Referring rows in visits (replaces)' }).first().waitFor();
    await expectNoViolations(page);
    await lookEverywhere(page, 'postgres-63-inspector');
    await page.getByRole('complementary').getByRole('button', { name: 'Referring rows in visits (replaces)' }).first().click();
    await soon(ids).toEqual(['3']);
  });

  it('makes a table for a file in the schema that was chosen, by the statement that it shows, in the window and on the command line', async () => {
    await openShop();
    const data = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(
        new File(['id,code,at,big\n1,007,2026-01-31T12:00:00Z,9223372036854775808\n2,008,2026-02-01T12:00:00Z,1\n'], 'stock.csv'),
      );
      return transfer;
    });
    for (const type of ['dragover', 'drop']) await tables().dispatchEvent(type, { dataTransfer: data });
    const dialog = page.getByRole('dialog', { name: 'Import into a new table' });
    const definition = dialog.getByLabel('Definition');
    await soon(() => definition.inputValue()).toContain('CREATE TABLE "public"."?"');
    await dialog.getByLabel('Namespace').selectOption('shop');
    await dialog.getByLabel('Type of big').selectOption('Whole number');
    await dialog.getByLabel('Name', { exact: true }).fill('stock');
    const statement =
      'CREATE TABLE "shop"."stock" (\n  "id" bigint PRIMARY KEY,\n  "code" text NOT NULL,\n  "at" timestamp with time zone NOT NULL,\n  "big" numeric NOT NULL\n)';
    await soon(() => definition.inputValue()).toBe(statement);
    await soon(() => dialog.locator('pre').allTextContents()).toEqual([statement]);
    await screenshot(page, 'postgres-50-new-table');
    await expectNoViolations(page);
    await lookEverywhere(page, 'postgres-51-new-table');
    await dialog.getByRole('button', { name: 'Create and import' }).click();
    await page.getByRole('contentinfo').getByText('Imported 2 rows into stock.').waitFor();
    const grid = await open('stock');
    expect(await shownIn(page, grid, 'big')).toEqual(['9223372036854775808', '1']);
    expect(await shownIn(page, grid, 'code')).toEqual(['007', '008']);

    const file = join(application.files, 'command.jsonl');
    await writeFile(file, '{"id":1,"v":"x"}\n');
    const imported = (name: string) => application.command('import', NAME, name, '--file', file, '--create', '--json');
    expect(await imported('shop.commanded')).toMatchObject({ read: 1, written: 1, rejected: 0 });
    expect(JSON.stringify(await application.command('tables', NAME, '--json'))).toContain('shop.commanded');
    await expect(imported('nowhere.commanded')).rejects.toThrow(/begins with no namespace/);
    const copied = await application.command('copy-plan', NAME, 'shop.stock', NAME, 'public.copy', '--create', '--json');
    expect(copied).toMatchObject({ definition: expect.stringContaining('CREATE TABLE "public"."copy"') as string });
  });

  it('shows functions, triggers and extensions with their definitions', async () => {
    const administrator = new PgClient({
      ...{ host: '127.0.0.1', port: server().port, user: server().user, password: server().password, database: 'fixture' },
    });
    await administrator.connect();
    await administrator
      .query(
        `CREATE SCHEMA archive; CREATE TABLE archive.log (line text);
        CREATE FUNCTION shop.twice(n int) RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT n * 2 $$;
        CREATE FUNCTION shop.touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
        CREATE TRIGGER touched BEFORE UPDATE ON shop.log FOR EACH ROW EXECUTE FUNCTION shop.touch()`,
      )
      .finally(() => administrator.end());
    await openShop();
    await tables().getByRole('button', { name: 'Objects', exact: true }).click();
    const objects = page.getByRole('region', { name: 'Objects' });
    await objects.getByRole('table', { name: 'Schemas' }).getByText('shop', { exact: true }).waitFor();
    await screenshot(page, 'postgres-80-schemas');
    await expectNoViolations(page);
    await objects.getByRole('button', { name: 'Functions of shop' }).click();
    await objects.getByRole('table', { name: 'Functions' }).getByText('immutable').waitFor();
    await screenshot(page, 'postgres-81-functions');
    await objects.getByRole('button', { name: 'twice(integer)', exact: true }).click();
    await page.getByRole('dialog').getByText('CREATE OR REPLACE FUNCTION shop.twice(n integer)').waitFor();
    await screenshot(page, 'postgres-82-function');
    await expectNoViolations(page);
    await page.keyboard.press('Escape');
    await objects.getByRole('button', { name: 'Extensions', exact: true }).click();
    await objects.getByRole('table', { name: 'Extensions' }).getByText('plpgsql').waitFor();
    // Two schemas have a table of this name.
    await objects.getByRole('button', { name: 'Triggers', exact: true }).click();
    await choose(page, objects.getByRole('combobox', { name: 'Table' }), 'shop.log');
    await objects.getByRole('table', { name: 'Triggers' }).getByText('touched').waitFor();
    await screenshot(page, 'postgres-83-triggers');
    await lookEverywhere(page, 'postgres-84-triggers');
  });

  it('shows every database of a server over one connection, and runs statements in the one that is chosen', async () => {
    await administer(server(), 'CREATE DATABASE branch');
    await administer(
      server(),
      "CREATE TABLE shelf (id int PRIMARY KEY, title text); INSERT INTO shelf VALUES (1, 'Of the branch')",
      'branch',
    );
    await application.command(
      ...['connections', 'add', '--driver', 'postgres', '--name', SERVER, '--host', '127.0.0.1', '--port', String(server().port)],
      ...['--database', 'fixture', '--set', 'databases=all', '--user', server().user, '--password-env', PASSWORD],
    );
    await page.reload();
    await openShop(SERVER);
    const group = (name: string) => tables().getByRole('button', { name, exact: true });
    await soon(() => group('branch').getAttribute('aria-expanded')).toBe('false');
    await screenshot(page, 'postgres-50-databases');
    await expectNoViolations(page);
    await lookEverywhere(page, 'postgres-51-databases');
    await group('branch').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Find a text in branch…' }).click();
    const find = page.getByRole('region', { name: 'Find in tables' });
    await soon(() => find.getByRole('combobox', { name: 'Look in' }).inputValue()).toBe('["branch"]');
    await find.getByRole('searchbox', { name: 'Text to find' }).fill('of the');
    await page.keyboard.press('Enter');
    await find.getByRole('button', { name: 'branch.public.shelf 1' }).waitFor();
    await screenshot(page, 'postgres-52-found');
    await group('branch').click();
    await soon(() => tables().getByText('shelf', { exact: true }).count()).toBe(2);
    await screenshot(page, 'postgres-52-unfolded');
    await expectNoViolations(page);
    await tables()
      .getByTitle(/^branch\.public\.shelf/)
      .click();
    await tableGrid(page, 'shelf').getByText('Of the branch').waitFor();
    await tables()
      .getByTitle(/^fixture\.shop\.shelf/)
      .click();
    await page.getByRole('tab', { name: 'shelf fixture', exact: true }).waitFor();
    await page.getByRole('tab', { name: 'shelf branch', exact: true }).waitFor();
    await screenshot(page, 'postgres-52-branch');

    await tables().getByRole('button', { name: 'Console', exact: true }).click();
    const place = page.getByRole('combobox', { name: 'Database' });
    await soon(() => place.inputValue()).toBe('0');
    await place.selectOption('branch');
    const session = page.getByRole('region', { name: 'Session of this tab' });
    await session.getByText('in branch.public as tester').waitFor();
    await editor().focus();
    await page.keyboard.type('SELECT title FROM she');
    const option = page.getByRole('option', { name: /shelf/ });
    await option.waitFor();
    await screenshot(page, 'postgres-53-completion');
    await option.click();
    await page.keyboard.press('Control+Enter');
    await results().getByText('Of the branch').waitFor();
    await screenshot(page, 'postgres-54-console');
    await expectNoViolations(page);
    await lookEverywhere(page, 'postgres-55-console');
  });

  it('completes tables and columns as they are typed, with the schema that a name needs', async () => {
    await openShop();
    await tables().getByRole('button', { name: 'Console', exact: true }).click();
    await editor().focus();
    await page.keyboard.press('Control+a');
    for (const [typed, first] of [
      ['select * from she', /^shelf/],
      [' s where s.tit', /^title/],
    ] as const) {
      await page.keyboard.type(typed, { delay: 30 });
      await soon(() => page.locator('.cm-completionLabel').first().innerText()).toMatch(first);
      await page.locator('.cm-completionLabel').first().click();
    }
    await soon(() => editor().innerText()).toContain('select * from shop.shelf s where s.title');
  });

  it('runs SQL', async () => {
    await openShop();
    await tables().getByRole('button', { name: 'Console', exact: true }).click();
    await editor().focus();
    await page.evaluate(
      (value) => navigator.clipboard.writeText(value),
      'SELECT id, title, price FROM shop.shelf ORDER BY id LIMIT 3;',
    );
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+v');
    await page.keyboard.press('Control+Enter');
    await results().getByText('title').first().waitFor();
    await screenshot(page, 'postgres-09-console');
    await expectNoViolations(page);
  });

  it('leads to the place of a fault, in the line that it is in', async () => {
    await openShop();
    await tables().getByRole('button', { name: 'Console', exact: true }).click();
    await editor().focus();
    await page.evaluate(
      (value) => navigator.clipboard.writeText(value),
      "SELECT 1;\n\n-- 💥 the books\nSELECT id, '💥' AS mark,\n       titel, price\nFROM shop.shelf\nORDER BY id;",
    );
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+v');
    await page.keyboard.press('Control+Enter');
    const problem = page.getByRole('alert', { name: 'The request failed' });
    await problem.getByText('Line 5, column 8', { exact: true }).waitFor();
    await soon(() => page.locator('.cm-fault').allTextContents()).toEqual(['titel']);
    await screenshot(page, 'postgres-10-fault');
    await expectNoViolations(page);
    await lookEverywhere(page, 'postgres-11-fault');
    await problem.getByRole('button', { name: 'Go to the place' }).press('Enter');
    await page.keyboard.type('title');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    await results().getByText('title').first().waitFor();
    await soon(() => page.locator('.cm-fault').count()).toBe(0);
    // The browser reports the answer of the statement that failed.
    faults = faults.filter((fault) => !/^Failed to load resource: .* status of 502/.test(fault));
  });
});
