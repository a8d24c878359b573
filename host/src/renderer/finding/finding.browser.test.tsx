import { DriverError } from '@tabularium/sdk';
import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { tableName } from '../../common/tableName.ts';
import type { FindRows, FindRowsEvent, FoundRow, TableOutcome } from '../../common/findingRows.ts';
import { PRODUCTS } from '../testing/exampleTable.test-helper.ts';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { exampleServices, press, renderWindow } from '../testing/renderWindow.test-helper.tsx';
import { withoutScrollEvents } from '../testing/withoutScrollEvents.test-helper.ts';

const field = page.getByRole('searchbox', { name: 'Text to find' });
const results = page.getByRole('region', { name: 'Found rows' });
const tab = page.getByRole('region', { name: 'Find in tables' });
const line = (name: string | RegExp) => results.getByRole('button', { name });
const status = tab.getByRole('status');

const plain = (column: string, text: string, sought = '') => {
  const at = sought === '' ? -1 : text.indexOf(sought);
  const parts =
    at === -1
      ? [{ text, isMatch: false }]
      : [
          { text: text.slice(0, at), isMatch: false },
          { text: sought, isMatch: true },
          { text: text.slice(at + sought.length), isMatch: false },
        ];
  return { column, parts: parts.filter((part) => part.text !== '') };
};
const row = (id: string, text: string): FoundRow => ({
  key: [plain('id', id)],
  cells: [plain('name', text, 'Lamp')],
  moreCells: 0,
});
const lamps: TableOutcome = {
  outcome: 'found',
  rows: [row('1', 'Lamp 1'), row('6', 'Lamp 6')],
  hasMore: true,
  filter: { match: 'any', matchCase: false, conditions: [{ column: 'name', operator: 'contains', values: ['Lamp'] }] },
};
const failed = (message: string): TableOutcome => ({
  outcome: 'failed',
  error: { code: 'ACCESS_REFUSED', message, advice: 'Ask for it.', retryable: false, details: {} },
});

let asked: FindRows[];
/** How a search answers. */
let answer: (input: FindRows, signal: AbortSignal) => AsyncGenerator<FindRowsEvent>;

const tables = (...names: readonly string[]) => names.map((name) => ({ namespace: [], name }));

beforeEach(async () => {
  // The form of a test before this one would be there again.
  sessionStorage.clear();
  asked = [];
  answer = async function* () {
    await Promise.resolve();
    yield { type: 'tables', tables: [...tables('brands'), PRODUCTS, ...tables('secrets\u202e')] };
    yield { type: 'table', place: 2, outcome: failed('permission denied') };
    yield { type: 'table', place: 1, outcome: lamps, uncompared: { names: ['photo'], count: 3 } };
    yield { type: 'table', place: 0, outcome: { outcome: 'nothing' } };
  };
  const services = exampleServices();
  await renderWindow(
    fakeContext({
      ...services,
      rowFinder: {
        find: (input, signal) => {
          asked.push(input);
          return answer(input, signal);
        },
      },
    }),
    'find',
  );
  await expect.element(field).toHaveFocus();
});

async function find(text: string): Promise<void> {
  await field.fill(text);
  await press('{Enter}');
}

describe('finding rows in all tables', () => {
  it('lists the found rows below their tables, with the text marked', async () => {
    await find('Lamp');
    await expect.element(line('products 2+')).toBeVisible();
    await expect.element(line('1 name Lamp 1')).toBeVisible();
    expect(results.element().querySelector('mark')?.textContent).toBe('Lamp');
    await expect.element(status).toHaveTextContent('2+ rows in 1 table');
    await expect.element(line('Left out: 1 table')).toHaveAttribute('aria-expanded', 'false');
    expect(asked).toMatchObject([
      { text: 'Lamp', scope: { in: 'all' }, match: 'contains', matchCase: false, rowsPerTable: 10, secondsPerTable: 20 },
    ]);
  });

  it('says which tables and columns were left out and why, with control characters visible', async () => {
    await find('Lamp');
    await line('Left out: 1 table').click();
    await expect.element(results.getByRole('group', { name: 'secrets⟨U+202E⟩' }).getByText('permission denied')).toBeVisible();
    await line('Some columns not compared: 1 table').click();
    await expect.element(results.getByRole('group', { name: 'products' }).getByText('photo and 2 more')).toBeVisible();
    await line('Nothing found: 1 table').click();
    await expect.element(results.getByRole('group', { name: 'brands' })).toBeVisible();
  });

  it('is used by keys alone: from the field to the rows, between tables, and into the table with its filter', async () => {
    await find('Lamp');
    await expect.element(line('products 2+')).toBeVisible();
    await press('{ArrowDown}');
    await expect.element(line('products 2+')).toHaveFocus();
    await press('{ArrowLeft}');
    await expect.element(line('1 name Lamp 1')).not.toBeInTheDocument();
    await press('{ArrowRight}{ArrowDown}{ArrowDown}');
    await expect.element(line('6 name Lamp 6')).toHaveFocus();
    await press('{PageDown}');
    await expect.element(line('Left out: 1 table')).toHaveFocus();
    await press('{PageUp}{ArrowUp}');
    await expect.element(field).toHaveFocus();
    await press('{ArrowDown}{ArrowDown}{Enter}');
    await expect.element(page.getByRole('grid', { name: 'Rows of products' })).toBeVisible();
    await expect.element(page.getByRole('combobox', { name: 'Value' })).toHaveValue('Lamp');
  });

  it('asks for a text first', async () => {
    await find('   ');
    await expect.element(page.getByText('Enter a text to find.')).toBeVisible();
    expect(asked).toEqual([]);
  });

  it('looks in chosen tables, and for whole values, as the form says', async () => {
    await page.getByRole('combobox', { name: 'Match' }).selectOptions('Whole value');
    await page.getByRole('combobox', { name: 'Rows per table' }).selectOptions('25');
    await page.getByRole('checkbox', { name: 'Match case' }).click();
    await page.getByRole('combobox', { name: 'Look in' }).selectOptions('Chosen tables');
    await find('Lamp');
    await expect.element(page.getByText('Choose at least one table.')).toBeVisible();
    await page.getByRole('combobox', { name: 'Tables' }).click();
    await page.getByRole('option', { name: 'products' }).click();
    await press('{Escape}');
    await find('Lamp');
    await expect
      .poll(() => asked)
      .toMatchObject([{ scope: { in: 'tables', tables: [PRODUCTS] }, match: 'exact', matchCase: true, rowsPerTable: 25 }]);
  });

  it('says so where nothing was found, and why that may be', async () => {
    answer = async function* () {
      await Promise.resolve();
      yield { type: 'tables', tables: tables('one', 'two') };
      yield { type: 'table', place: 0, outcome: { outcome: 'tooSlow', seconds: 20 } };
      yield { type: 'table', place: 1, outcome: { outcome: 'nothing' } };
    };
    await find('Lamp ');
    await expect
      .element(status)
      .toHaveTextContent('No row holds “Lamp ” 2 tables were searched. The text begins or ends with a space, which counts.');
    await expect.element(results.getByRole('group', { name: 'one' }).getByText('It took longer than 20 s.')).toBeVisible();
  });
});

describe('a search that takes a while', () => {
  /** Answers for the first of three tables and waits then. */
  async function* answersOnce(_input: FindRows, signal: AbortSignal): AsyncGenerator<FindRowsEvent> {
    yield { type: 'tables', tables: [PRODUCTS, ...tables('two', 'three')] };
    yield { type: 'table', place: 0, outcome: lamps };
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  }

  it('shows what it has, is stopped by Escape, and continues with the tables that have not answered', async () => {
    answer = answersOnce;
    await find('Lamp');
    await expect.element(page.getByRole('progressbar', { name: 'Finding “Lamp”' }).first()).toBeVisible();
    await expect.element(line('products 2+')).toBeVisible();
    await press('{Escape}');
    await expect.element(status).toHaveTextContent('2+ rows in 1 table. Stopped after 1 of 3 tables.');
    await expect.element(line('Not searched: 2 tables')).toBeVisible();
    answer = async function* () {
      await Promise.resolve();
      yield { type: 'tables', tables: tables('two', 'three') };
      yield { type: 'table', place: 1, outcome: { ...lamps, hasMore: false } };
      yield { type: 'table', place: 0, outcome: { outcome: 'nothing' } };
    };
    await tab.getByRole('button', { name: 'Continue' }).click();
    await expect.element(line('three 2')).toBeVisible();
    await expect.element(line('products 2+')).toBeVisible();
    await expect.element(status).toHaveTextContent('4+ rows in 2 tables');
    expect(asked.at(-1)?.scope).toEqual({ in: 'tables', tables: tables('two', 'three') });
  });

  it.each(['by a click', 'by a key'])('is stopped by its button, %s, and does not begin again', async (way) => {
    answer = answersOnce;
    await find('Lamp');
    await expect.element(line('products 2+')).toBeVisible();
    const stop = tab.getByRole('button', { name: 'Stop' });
    if (way === 'by a click') await stop.click();
    else {
      await press('{Tab}');
      await expect.element(stop).toHaveFocus();
      await press(' ');
    }
    await expect.element(status).toHaveTextContent('2+ rows in 1 table. Stopped after 1 of 3 tables.');
    expect(asked).toHaveLength(1);
    await expect.element(tab.getByRole('button', { name: 'Find', exact: true })).toBeVisible();
  });

  it('keeps what was found when the connection is lost, and continues', async () => {
    answer = async function* () {
      yield { type: 'tables', tables: [PRODUCTS, ...tables('two')] };
      yield { type: 'table', place: 0, outcome: lamps };
      await Promise.resolve();
      throw new DriverError('CONNECTION_LOST', 'The server closed the connection.');
    };
    await find('Lamp');
    await expect.element(page.getByText('The search ended early')).toBeVisible();
    await expect.element(page.getByText('The server closed the connection.')).toBeVisible();
    await expect.element(line('products 2+')).toBeVisible();
    await tab.getByRole('button', { name: 'Continue' }).click();
    await expect.poll(() => asked.at(-1)?.scope).toEqual({ in: 'tables', tables: tables('two') });
  });

  it('begins another one in place of the one before', async () => {
    const signals: AbortSignal[] = [];
    answer = (input, signal) => {
      signals.push(signal);
      return answersOnce(input, signal);
    };
    await find('Lamp');
    await expect.poll(() => signals.length).toBe(1);
    await press('{Escape}');
    await find('Chair');
    await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  it('stays quick with a thousand tables', async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `table ${index}`);
    answer = async function* () {
      await Promise.resolve();
      yield { type: 'tables', tables: tables(...names) };
      for (const place of names.keys()) yield { type: 'table', place, outcome: lamps };
    };
    const began = performance.now();
    await find('Lamp');
    await expect.element(status).toHaveTextContent('2,000+ rows in 1,000 tables');
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(results.element().querySelectorAll('li').length).toBeLessThan(100);
    await withoutScrollEvents(async () => {
      await press('{ArrowDown}{End}');
      expect(document.activeElement?.getAttribute('data-line')).toBe('2999');
      await press('{Home}');
      expect(document.activeElement?.getAttribute('data-line')).toBe('0');
    });
  });
});

describe('the ways to it', () => {
  it('lead to the field by a key, also where the tab is on the screen', async () => {
    await page.getByRole('textbox', { name: 'Filter tables' }).click();
    await press('{Control>}{Alt>}f{/Alt}{/Control}');
    await expect.element(field).toHaveFocus();
  });

  it('lead there from the filter of the list, with its text', async () => {
    await page.getByRole('textbox', { name: 'Filter tables' }).fill('Lamp');
    await page.getByRole('button', { name: 'Find rows with “Lamp”' }).click();
    await expect.element(line('products 2+')).toBeVisible();
    await expect.element(field).toHaveValue('Lamp');
  });

  it('lead there from the menu of a table, which is the place to look then', async () => {
    const listed = page.getByRole('navigation', { name: 'Tables' }).getByRole('button', { name: /^products/ });
    await listed.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Find a text in it…' }).click();
    await find('Lamp');
    await expect
      .poll(() => asked.map(({ scope }) => scope.in === 'tables' && scope.tables.map(tableName)))
      .toEqual([['products']]);
  });
});
