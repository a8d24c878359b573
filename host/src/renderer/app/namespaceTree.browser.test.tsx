import { DriverError } from '@tabularium/sdk';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Locator } from 'vitest/browser';
import { FakeNamespaces } from '../../runtime/data/fakeNamespaces.test-helper.ts';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { exampleServices, press, renderWindow } from '../testing/renderWindow.test-helper.tsx';

const sidebar = (): Locator => page.getByRole('navigation', { name: 'Tables' });
const button = (name: string | RegExp): Locator => sidebar().getByRole('button', { name, exact: true });
const { signal } = new AbortController();

interface Server {
  readonly databases: FakeNamespaces;
  /** While set, reading waits for it. */
  gate: Promise<void> | undefined;
}

let count = 0;

/** A connection whose list has the tables of one database, and that has others. */
async function renderServer(tables: Readonly<Record<string, readonly string[]>>, limit = 500): Promise<Server> {
  const server: Server = { databases: new FakeNamespaces(tables), gate: undefined };
  const { members, facet } = server.databases;
  const name = `Whole server ${(count += 1)}`;
  const services = exampleServices({ connections: [name] });
  const { open } = services.openConnections;
  await renderWindow(
    fakeContext({
      ...services,
      tables: {
        ...services.tables,
        list: async () => members.listTables({ signal }),
        namespaces: async ({ namespace, after }, ending) => {
          if (namespace.length > 0) await passGate(server, ending);
          return facet.list(namespace, { signal: ending, limit, ...(after === undefined ? {} : { after }) });
        },
        inNamespace: async ({ namespace, after }, ending) => {
          await passGate(server, ending);
          return facet.listTables(namespace, { signal: ending, limit, ...(after === undefined ? {} : { after }) });
        },
      },
      openConnections: {
        ...services.openConnections,
        open: async function* (...asked) {
          for await (const step of open(...asked))
            yield step.step === 'open'
              ? {
                  ...step,
                  connection: {
                    ...step.connection,
                    initialNamespaces: [['shop']],
                    facets: [...step.connection.facets, 'namespaces'],
                  },
                }
              : step;
        },
      },
    }),
  );
  await page.getByText(name).click();
  await expect.element(button('sales')).toBeVisible();
  return server;
}

async function passGate({ gate }: Server, ending: AbortSignal): Promise<void> {
  if (gate === undefined) return;
  await Promise.race([
    gate,
    new Promise((_resolve, reject) => ending.addEventListener('abort', () => reject(new DriverError('CANCELLED')))),
  ]);
}

const TABLES = {
  'shop/public': ['articles'],
  'shop/stock': ['shelves'],
  'sales/public': ['invoices', 'orders'],
  'sales/archive': ['old'],
  'branch/public': ['desks'],
};

it('a database is read when it is unfolded, and no other one', async () => {
  const { databases } = await renderServer(TABLES);
  await expect.element(button('sales')).toHaveAttribute('aria-expanded', 'false');
  expect(databases.asked).toEqual(['list ', 'tables ']);
  await button('sales').click();
  await expect.element(button('archive')).toHaveAttribute('aria-expanded', 'false');
  await sidebar()
    .getByRole('treeitem', { name: /archive/ })
    .getByRole('button')
    .click();
  await expect.element(button('old')).toBeVisible();
  expect(databases.asked).toEqual(['list ', 'tables ', 'list sales', 'tables sales.archive']);
  const item = sidebar().getByRole('treeitem', { name: 'old' });
  await expect.element(item).toHaveAttribute('aria-level', '3');
  // Folded and unfolded again it is there, unread.
  await button('sales').click();
  await expect.element(button('old')).not.toBeInTheDocument();
  await button('sales').click();
  await expect.element(button('old')).toBeVisible();
  expect(databases.asked).toHaveLength(4);
});

it('a database with one schema shows its tables at once', async () => {
  await renderServer(TABLES);
  await button('branch').click();
  await expect.element(button('desks')).toBeVisible();
});

it('a database that refuses has its reason at its own place, and is asked again', async () => {
  const { databases } = await renderServer(TABLES);
  databases.refused.set('sales', new DriverError('ACCESS_REFUSED', 'The server lets nobody in.'));
  await button('sales').click();
  const failed = button(/sales can't be read: The server lets nobody in\..* Try again/);
  await expect.element(failed).toBeVisible();
  await expect.element(button('articles')).toBeVisible();
  databases.refused.clear();
  await failed.click();
  await expect.element(button('archive')).toBeVisible();
});

it('reading that takes long is announced, and stops', async () => {
  const server = await renderServer(TABLES);
  server.gate = new Promise(() => undefined);
  await button('sales').click();
  const reading = button('Reading sales. Stop');
  await expect.element(reading).toBeVisible();
  await reading.click();
  await expect.element(button('sales')).toHaveAttribute('aria-expanded', 'false');
  server.gate = undefined;
  await button('sales').click();
  await expect.element(button('archive')).toBeVisible();
});

it('further pages come with “More”, by click and by the keyboard, and a refresh reads as many again', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const { databases } = await renderServer({ 'shop/public': ['articles'], 'sales/public': names }, 2);
  await button('sales').click();
  await expect.element(button('b')).toBeVisible();
  await button('More tables of sales.public').click();
  await expect.element(button('d')).toBeVisible();
  button('d').element().focus();
  await press('{ArrowDown}');
  await expect.element(button('More tables of sales.public')).toHaveFocus();
  await press('{Enter}');
  await expect.element(button('e')).toBeVisible();
  await expect.element(button('More tables of sales.public')).not.toBeInTheDocument();
  const before = databases.asked.length;
  await button('Refresh tables').click();
  await expect.poll(() => databases.asked.slice(before).filter((call) => call === 'tables sales.public').length).toBe(3);
  await expect.element(button('e')).toBeVisible();
});

it('a refresh reads what is unfolded, and what is folded when it is unfolded', async () => {
  const { databases } = await renderServer(TABLES);
  await button('sales').click();
  await expect.element(button('archive')).toBeVisible();
  await button('branch').click();
  await expect.element(button('desks')).toBeVisible();
  await button('branch').click();
  databases.asked.length = 0;
  await button('Refresh tables').click();
  await expect.poll(() => databases.asked).toEqual(['list ', 'tables ', 'list sales']);
  await button('branch').click();
  await expect.element(button('desks')).toBeVisible();
});

it('a filter says that it looks in what is read, finds databases by name, and searches the rest', async () => {
  await renderServer(TABLES);
  const filter = sidebar().getByRole('textbox');
  await filter.fill('desk');
  await expect.element(button('desks')).not.toBeInTheDocument();
  await expect.element(sidebar().getByText('Only namespaces that were unfolded are searched.')).toBeVisible();
  await button('Search all namespaces').click();
  await expect.element(button('desks')).toBeVisible();
  await expect.element(button('Search all namespaces')).not.toBeInTheDocument();
});

it('searching the rest stops', async () => {
  const server = await renderServer(TABLES);
  await sidebar().getByRole('textbox').fill('desk');
  server.gate = new Promise(() => undefined);
  await button('Search all namespaces').click();
  await expect.element(sidebar().getByText(/^Reading 0 of/)).toBeVisible();
  await button('Stop').click();
  await expect.element(button('Search all namespaces')).toBeVisible();
});

it('the palette finds what is read, and offers to read the rest whatever is typed', async () => {
  await renderServer(TABLES);
  await press('{Control>}k{/Control}');
  const palette = page.getByRole('dialog');
  await palette.getByRole('combobox').fill('desks');
  await palette.getByRole('option', { name: /Search all namespaces/ }).click();
  await expect.element(palette).not.toBeInTheDocument();
  await expect
    .poll(async () => {
      await press('{Control>}k{/Control}');
      await palette.getByRole('combobox').fill('branch.public.desks');
      const found = palette.getByRole('option', { name: /branch.public.desks/ }).elements().length;
      await press('{Escape}');
      return found;
    })
    .toBe(1);
});

it('a database without tables stays while a filter finds its name, and says that it has none', async () => {
  await renderServer({ ...TABLES, 'db_050/public': [] });
  const filter = sidebar().getByRole('textbox');
  await filter.fill('db_05');
  await button('db_050').click();
  await expect.element(sidebar().getByText('No tables', { exact: true })).toBeVisible();
  await expect.element(button('db_050')).toHaveAttribute('aria-expanded', 'true');
  await filter.fill('');
  await expect.element(button('db_050')).toHaveAttribute('aria-expanded', 'true');
});

it('a database that a filter finds keeps its heading and the focus when it is unfolded, and folds', async () => {
  await renderServer(TABLES);
  await sidebar().getByRole('textbox').fill('branch');
  await button('branch').click();
  await expect.element(button('desks')).toBeVisible();
  await expect.element(button('branch')).toHaveFocus();
  await button('branch').click();
  await expect.element(button('desks')).not.toBeInTheDocument();
  await expect.element(button('branch')).toHaveAttribute('aria-expanded', 'false');
});

it('a tab has the database of its table', async () => {
  await renderServer(TABLES);
  await button('branch').click();
  await button('desks').click();
  await expect.element(page.getByRole('tab', { name: 'desks branch', exact: true })).toBeVisible();
  await expect.element(page.getByRole('tabpanel', { name: 'desks (branch)' })).toBeInTheDocument();
});

it('the keyboard reaches a folded database from the filter, unfolds it and stops its reading', async () => {
  const server = await renderServer(TABLES);
  await sidebar().getByRole('textbox').fill('branch');
  server.gate = new Promise(() => undefined);
  await press('{ArrowDown}');
  await expect.element(button('branch')).toHaveFocus();
  await press('{Enter}');
  await expect.element(button('Reading branch. Stop')).toBeVisible();
  await press('{Escape}');
  await expect.element(button('branch')).toHaveAttribute('aria-expanded', 'false');
  await expect.element(button('branch')).toHaveFocus();
  server.gate = undefined;
  await press('{ArrowRight}');
  await expect.element(button('desks')).toBeVisible();
});

it('a filter names the lists that are read in part', async () => {
  await renderServer({ 'shop/public': ['articles'], 'sales/public': ['a', 'b', 'c'], 'tools/x': ['t'] }, 2);
  await button('sales').click();
  await expect.element(button('b')).toBeVisible();
  await sidebar().getByRole('textbox').fill('nothing');
  await expect
    .element(sidebar().getByText('Read in part, and searched so far: the list of namespaces, sales.public.'))
    .toBeVisible();
  await button('Search all namespaces').click();
  await expect.element(sidebar().getByText(/^Read in part/)).not.toBeInTheDocument();
});

it('a long reason is shown whole, above the way to try again and the next database', async () => {
  const { databases } = await renderServer(TABLES);
  const reason = `The server refuses: ${'no pg_hba.conf entry for this host, user and database. '.repeat(6).trim()}`;
  databases.refused.set('sales', new DriverError('ACCESS_REFUSED', reason));
  await button('sales').click();
  await expect.element(button(/sales can't be read/)).toBeVisible();
  const [text] = sidebar()
    .getByText(/^The server refuses/)
    .elements()
    .flatMap((one) => one.closest('p') ?? []);
  if (text === undefined) throw new Error('The reason is not there.');
  expect(text.scrollHeight).toBeLessThanOrEqual(text.clientHeight);
  expect(text.scrollWidth).toBeLessThanOrEqual(text.clientWidth);
  const again = button(/sales can't be read/)
    .element()
    .getBoundingClientRect();
  expect(again.top).toBeGreaterThanOrEqual(text.getBoundingClientRect().bottom);
  expect(button('branch').element().getBoundingClientRect().top).toBeGreaterThanOrEqual(again.bottom);
});
