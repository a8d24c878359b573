import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Locator } from 'vitest/browser';
import { cell } from '../testing/gridSteps.test-helper.ts';
import { compose, press, renderProducts } from '../testing/renderWindow.test-helper.tsx';

// Escape leaves everything as it was, however an edit was begun and whatever it is of. Each way is tried with a cell of each kind.

/** The shown text of a cell of each kind, and the text typed into it. */
const KINDS = [
  { column: 'name', shown: 'Kettle 3', typed: 'Teapot' },
  { column: 'price', shown: '74.5', typed: '12.25' },
  { column: 'barcode', shown: '4000002', typed: '9007199254740995' },
  { column: 'available', shown: 'true', typed: 'false' },
  { column: 'added', shown: '2026-03-03T08:30:00Z', typed: '2027-01-01T00:00:00Z' },
  { column: 'tags', shown: '["red","green"]', typed: '[]' },
  { column: 'note', shown: 'Note of 3', typed: 'Mine' },
] as const;
type Kind = (typeof KINDS)[number];

const editor = (column: string): Locator => page.getByRole('textbox', { name: `Edit ${column}` });
const panel = (): Locator => page.getByRole('complementary', { name: 'Value' });
const cellOf = (grid: Locator, { shown }: Kind): Locator =>
  grid.getByRole('row', { name: /Kettle 3 / }).getByRole('gridcell', { name: shown, exact: true });

/** The ways to begin an edit of a cell in the grid. */
const WAYS: Readonly<Record<string, (at: Locator) => Promise<void>>> = {
  F2: async (at) => {
    await at.click();
    await press('{F2}');
  },
  Enter: async (at) => {
    await at.click();
    await press('{Enter}');
  },
  'a double click': (at) => at.dblClick(),
  typing: async (at) => {
    await at.click();
    await press('1');
  },
  'the menu': async (at) => {
    await at.click({ button: 'right' });
    await page.getByRole('menuitem', { name: /^Edit cell/ }).click();
  },
};

/** The ways to leave it. */
const ENDS: Readonly<Record<string, (grid: Locator) => Promise<void>>> = {
  Escape: () => press('{Escape}'),
  'Escape twice': () => press('{Escape}{Escape}'),
  'Escape and a click elsewhere': async (grid) => {
    await press('{Escape}');
    await cell(grid, 'Bottle 4').click();
  },
};

async function expectNothingStaged(grid: Locator): Promise<void> {
  await expect.element(page.getByRole('button', { name: 'Review…' })).not.toBeInTheDocument();
  expect(grid.element().querySelectorAll('[data-changed], [data-staged]')).toHaveLength(0);
}

describe.each(Object.entries(WAYS))('an edit that began with %s', (_way, begin) => {
  it.each(Object.entries(ENDS))('leaves every kind of cell as it was after %s', async (_end, end) => {
    const grid = await renderProducts();
    for (const kind of KINDS) {
      await begin(cellOf(grid, kind));
      await expect.element(editor(kind.column)).toHaveFocus();
      await userEvent.fill(editor(kind.column), kind.typed);
      await end(grid);
      await expect.element(editor(kind.column)).not.toBeInTheDocument();
      await expect.element(cellOf(grid, kind)).toBeVisible();
      await expectNothingStaged(grid);
    }
  });
});

describe('the inspector', () => {
  it('leaves every kind of field as it was after Escape, also when the focus leaves after it', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Kettle 3').click();
    await press('{Control>}i{/Control}');
    await panel().getByText('Fields', { exact: true }).click();
    for (const { column, typed } of KINDS) {
      const field = panel().getByLabelText(`Value of ${column}`, { exact: true });
      await field.click();
      if (column === 'available') await press('{Escape}{ArrowDown}{ArrowUp}{ArrowDown}{Escape}');
      else {
        await userEvent.fill(field, typed);
        await press('{Escape}');
      }
      await expectNothingStaged(grid);
      // The next Escape closes the panel: the focus leaves the field in another way.
      await panel().getByRole('textbox', { name: 'Find in the row' }).click();
      await expectNothingStaged(grid);
    }
  });

  it('goes through yes and no with the arrow keys, and stages the choice when the focus leaves', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Kettle 3').click();
    await press('{Control>}i{/Control}');
    await panel().getByText('Fields', { exact: true }).click();
    const field = panel().getByLabelText('Value of available', { exact: true });
    (field.element() as HTMLSelectElement).focus();
    await press('{ArrowDown}');
    await expect.element(field).toHaveDisplayValue('false');
    await expectNothingStaged(grid);
    await press('{Tab}');
    await expect.element(page.getByText('1 change', { exact: true })).toBeVisible();
  });

  it.each(['Value', 'JSON'] as const)('leaves the row as it was after Escape in the editor of %s', async (view) => {
    const grid = await renderProducts();
    await cell(grid, 'Kettle 3').click();
    await press('{Control>}i{/Control}');
    await panel().getByText(view, { exact: true }).click();
    const edit = panel().getByRole('button', { name: view === 'Value' ? 'Edit' : 'Edit as JSON', exact: true });
    await edit.click();
    await expect.element(edit).not.toBeInTheDocument();
    const text = panel().getByRole('textbox', { name: view === 'Value' ? 'Edit name' : 'Row as JSON' });
    await userEvent.fill(text, view === 'Value' ? 'Teapot' : '{"name":"Teapot"}');
    await press('{Escape}');
    // A whole row that was rewritten is asked about before it goes.
    if (view === 'JSON') await page.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true }).click();
    // The text stays there to be read.
    await expect.element(edit).toBeVisible();
    await cell(grid, 'Bottle 4').click();
    await expectNothingStaged(grid);
  });
});

describe('commands', () => {
  it('stage nothing when Escape closes their menu or dialog', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Note of 3').click({ button: 'right' });
    await expect.element(page.getByRole('menuitem', { name: 'Set to null' })).toBeVisible();
    await press('{Escape}');
    await expect.element(page.getByRole('menuitem', { name: 'Set to null' })).not.toBeInTheDocument();
    await expectNothingStaged(grid);
    await cell(grid, 'Kettle 3').click();
    const data = new DataTransfer();
    data.setData('text/plain', 'Teapot\tAalto\nJug\tKinto');
    grid.element().dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    await expect.element(page.getByRole('dialog')).toBeVisible();
    await press('{Escape}');
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    await expectNothingStaged(grid);
  });
});

describe('an input method', () => {
  it('takes Enter and Escape for its own text: the editor stays open, and the next Escape leaves the cell as it was', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Kettle 3').click();
    await press('{F2}');
    await expect.element(editor('name')).toHaveFocus();
    await compose('きゅう');
    await press('{Enter}');
    await expect.element(editor('name')).toBeVisible();
    await compose('きゅうす');
    await press('{Escape}');
    await expect.element(editor('name')).toBeVisible();
    await compose('');
    await press('{Escape}');
    await expect.element(editor('name')).not.toBeInTheDocument();
    await expect.element(cell(grid, 'Kettle 3')).toBeVisible();
    await expectNothingStaged(grid);
  });
});
