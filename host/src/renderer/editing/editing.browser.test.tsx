import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Locator } from 'vitest/browser';
import { cell, retype } from '../testing/gridSteps.test-helper.ts';
import { press, renderProducts } from '../testing/renderWindow.test-helper.tsx';

const editor = (column: string): Locator => page.getByRole('textbox', { name: `Edit ${column}` });
const changes = (text: string): Locator => page.getByText(text, { exact: true });

describe('a cell', () => {
  it('takes what is typed on it, and Enter stages it', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Lamp 1').click();
    await press('Floor lamp{Enter}');
    await expect.element(cell(grid, 'Floor lamp')).toHaveAttribute('data-changed', 'true');
    await expect.element(changes('1 change')).toBeVisible();
    await expect.element(cell(grid, 'Chair 2')).toHaveAttribute('aria-selected', 'true');
  });

  it('is as before when Escape discards the edit', async () => {
    const grid = await renderProducts();
    await retype(grid, 'Lamp 1', 'Floor lamp');
    await expect.element(editor('name')).toHaveValue('Floor lamp');
    await press('{Escape}');
    await expect.element(editor('name')).not.toBeInTheDocument();
    await expect.element(cell(grid, 'Lamp 1')).toBeVisible();
    await expect.element(changes('1 change')).not.toBeInTheDocument();
    await expect.element(grid).toHaveFocus();
  });

  it('opens its editor with a double click, the value selected', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Chair 2').dblClick();
    await expect.element(editor('name')).toHaveFocus();
    await press('{Control>}a{/Control}Stool{Enter}');
    await expect.element(cell(grid, 'Stool')).toBeVisible();
  });

  it('opens a box of several lines that ends within the grid, also in the last column on the screen', async () => {
    await page.viewport(640, 800);
    try {
      const grid = await renderProducts();
      await cell(grid, 'Lamp 1').click();
      await press('{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}{Enter}');
      await expect.element(editor('tags')).toHaveFocus();
      const box = editor('tags').element().getBoundingClientRect();
      const shown = grid.element().getBoundingClientRect();
      expect(box.width).toBeGreaterThan(300);
      expect(box.right).toBeLessThanOrEqual(shown.left + grid.element().clientWidth);
      expect(box.left).toBeGreaterThanOrEqual(shown.left);
    } finally {
      await page.viewport(1280, 800);
    }
  });

  it('is staged by Tab, which moves to the next column', async () => {
    const grid = await renderProducts();
    await retype(grid, 'Lamp 1', 'Floor lamp');
    await press('{Tab}');
    await expect.element(cell(grid, 'Floor lamp')).toBeVisible();
    await expect.element(cell(grid, 'Aalto').first()).toHaveAttribute('aria-selected', 'true');
  });

  it('is staged when the person clicks elsewhere', async () => {
    const grid = await renderProducts();
    await retype(grid, 'Lamp 1', 'Floor lamp');
    await cell(grid, 'Kettle 3').click();
    await expect.element(cell(grid, 'Floor lamp')).toHaveAttribute('data-changed', 'true');
  });

  it('stages nothing when the value typed is the value that was there', async () => {
    const grid = await renderProducts();
    await retype(grid, 'Lamp 1', 'Lamp 1{Enter}');
    await expect.element(cell(grid, 'Chair 2')).toHaveAttribute('aria-selected', 'true');
    await expect.element(cell(grid, 'Lamp 1')).not.toHaveAttribute('data-changed');
    await expect.element(changes('1 change')).not.toBeInTheDocument();
  });

  it('keeps its editor open on an invalid number, and shows the error', async () => {
    const grid = await renderProducts();
    await retype(grid, '37.5', 'a lot{Enter}');
    await expect.element(page.getByRole('alert').getByText('Not changed: enter a number.')).toBeVisible();
    await expect.element(editor('price')).toHaveAttribute('aria-invalid', 'true');
    await expect.element(editor('price')).toHaveFocus();
    await userEvent.fill(editor('price'), '38');
    await press('{Enter}');
    await expect.element(cell(grid, '38')).toHaveAttribute('data-changed', 'true');
  });

  it.each([
    ['37.5', /^Not changed: enter a number\. For no value, choose “Set to null” in the menu of the cell \(Shift\+F10\)\.$/],
    ['2026-03-02T08:30:00Z', /^Not changed: a value of this type is never empty\. For no value, choose “Set to null”/],
  ])('that is emptied from %s says how it gets no value', async (shown, hint) => {
    const grid = await renderProducts();
    await cell(grid, shown).first().click();
    await press('{F2}{Control>}a{/Control}{Delete}{Enter}');
    await expect.element(page.getByRole('alert').getByText(hint)).toBeVisible();
    await press('{Escape}');
    await cell(grid, shown).first().click();
    await press('{Shift>}{F10}{/Shift}');
    await page.getByRole('menuitem', { name: 'Set to null' }).click();
    await expect.element(grid.getByRole('gridcell', { selected: true })).toHaveAttribute('data-tone', 'null');
    await expect.element(changes('1 change')).toBeVisible();
  });

  it('takes a whole number beyond 2^53, every digit of it', async () => {
    const grid = await renderProducts();
    await retype(grid, '4000001', '9007199254740995{Enter}');
    await expect.element(cell(grid, '9007199254740995')).toHaveAttribute('data-changed', 'true');
  });

  it('offers the exact digits of a large number to be edited', async () => {
    const grid = await renderProducts();
    await cell(grid, '9007199254740993').click();
    await press('{F2}');
    await expect.element(editor('barcode')).toHaveValue('9007199254740993');
  });

  it('refuses a fraction where whole numbers belong', async () => {
    const grid = await renderProducts();
    await retype(grid, '4000001', '1.5{Enter}');
    await expect.element(page.getByRole('alert').getByText('Not changed: enter a whole number.')).toBeVisible();
  });

  it.each([
    ['F2', async (at: Locator) => [await at.click(), await press('{F2}')]],
    ['Enter', async (at: Locator) => [await at.click(), await press('{Enter}')]],
    ['a double click', async (at: Locator) => at.dblClick()],
  ])('opened with %s has the cursor behind its text, so that what is typed is added', async (_way, begin) => {
    const grid = await renderProducts();
    await begin(cell(grid, 'Kettle 3'));
    await expect.element(editor('name')).toHaveFocus();
    await press('b{Enter}');
    await expect.element(cell(grid, 'Kettle 3b')).toHaveAttribute('data-changed', 'true');
  });

  it("keeps a text that isn't a number in its editor when another cell is clicked, and another editor is asked for", async () => {
    const grid = await renderProducts();
    await cell(grid, '37.5').click();
    await press('12 or so');
    await cell(grid, 'Kettle 3').click();
    await expect.element(editor('price')).toHaveValue('12 or so');
    await press('{F2}');
    await expect.element(editor('name')).toHaveFocus();
    await expect.element(editor('price')).toHaveValue('12 or so');
    await editor('price').click();
    await press('{Escape}');
    await expect.element(editor('price')).not.toBeInTheDocument();
  });

  it('takes true and false, and no other word, in a column of yes and no', async () => {
    const grid = await renderProducts();
    await cell(grid, 'false').first().click();
    await press('{F2}{Control>}a{/Control}maybe{Enter}');
    await expect.element(page.getByRole('alert').getByText('Not changed: enter true or false.')).toBeVisible();
    await userEvent.fill(editor('available'), 'true');
    await press('{Enter}');
    await expect.element(grid.getByTitle('This cell will be changed.')).toHaveTextContent('true');
  });

  it('takes a date as it is typed', async () => {
    const grid = await renderProducts();
    await cell(grid, '2026-03-02T08:30:00Z').first().click();
    await press('{F2}{Control>}a{/Control}2027-01-31T00:00:00Z{Enter}');
    await expect.element(cell(grid, '2027-01-31T00:00:00Z')).toHaveAttribute('data-changed', 'true');
  });

  it('rejects invalid JSON, and stores valid JSON character by character', async () => {
    const grid = await renderProducts();
    await cell(grid, '["red","green"]').first().click();
    await press('{F2}');
    await userEvent.fill(editor('tags'), '["red",');
    await press('{Enter}');
    await expect.element(page.getByRole('alert').getByText('Not changed: enter valid JSON.')).toBeVisible();
    await userEvent.fill(editor('tags'), '["red", 9007199254740993]');
    await press('{Enter}');
    await expect.element(cell(grid, '["red", 9007199254740993]')).toHaveAttribute('data-changed', 'true');
  });

  it('says why the key of a row cannot be edited', async () => {
    const grid = await renderProducts();
    await grid.getByRole('gridcell', { name: '2', exact: true }).click();
    await press('{F2}');
    await expect.element(page.getByRole('contentinfo').getByText('Read-only: The id names the row.')).toBeVisible();
    await expect.element(editor('id')).not.toBeInTheDocument();
  });
});

describe('the menu of a cell', () => {
  it('sets a value to null', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Note of 1').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Set to null' }).click();
    await expect.element(cell(grid, 'Note of 1')).not.toBeInTheDocument();
    await expect.element(cell(grid, 'null').first()).toHaveAttribute('data-changed', 'true');
  });

  it('leaves a field out, which is not the same as null', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Note of 2').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Leave the field out' }).click();
    await expect.element(grid.getByTitle('This cell will be changed.')).toHaveAttribute('data-tone', 'absent');
  });

  it('opens from the keyboard and takes back the change of a cell', async () => {
    const grid = await renderProducts();
    await retype(grid, 'Lamp 1', 'Floor lamp{Enter}{ArrowUp}');
    await press('{Shift>}{F10}{/Shift}');
    await page.getByRole('menuitem', { name: 'Undo the change to this cell' }).click();
    await expect.element(cell(grid, 'Lamp 1')).toBeVisible();
    await expect.element(changes('1 change')).not.toBeInTheDocument();
  });
});

describe('staged changes', () => {
  it('are undone with Ctrl+Z and done again with Ctrl+Shift+Z', async () => {
    const grid = await renderProducts();
    await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
    await expect.element(cell(grid, 'Floor lamp')).toBeVisible();
    await press('{Control>}z{/Control}');
    await expect.element(cell(grid, 'Lamp 1')).toBeVisible();
    await press('{Control>}{Shift>}z{/Shift}{/Control}');
    await expect.element(cell(grid, 'Floor lamp')).toBeVisible();
  });

  it('hold a row that Delete marks, and Delete again keeps it', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Chair 2').click();
    await press('{Delete}');
    await expect.element(changes('1 change')).toBeVisible();
    await expect
      .element(grid.getByRole('row', { name: /Chair 2 / }))
      .toHaveAttribute('aria-description', 'This row will be deleted.');
    await press('{Delete}');
    await expect.element(changes('1 change')).not.toBeInTheDocument();
  });

  it('are shown as they will be sent before they are saved', async () => {
    const grid = await renderProducts();
    await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
    await page.getByRole('button', { name: 'Review…' }).click();
    const review = page.getByRole('dialog', { name: 'Changes of products' });
    await expect.element(review.getByText(/"Floor lamp"/)).toBeVisible();
    await review.getByRole('button', { name: 'Save 1 change' }).click();
    await expect.element(page.getByText('Saved 1 change of products')).toBeVisible();
    await expect.element(changes('1 change')).not.toBeInTheDocument();
    await expect.element(changes('0 changes')).not.toBeInTheDocument();
  });

  it('stay on the table with the reason when they cannot be saved', async () => {
    const grid = await renderProducts();
    await retype(grid, '37.5', '13{Enter}');
    await page.getByRole('button', { name: 'Review…' }).click();
    const review = page.getByRole('dialog', { name: 'Changes of products' });
    await review.getByRole('button', { name: 'Save 1 change' }).click();
    await expect.element(review.getByText('“price”: No price may be 13.')).toBeVisible();
    await press('{Escape}');
    await expect.element(page.getByText('1 failed', { exact: true })).toBeVisible();
    await expect
      .element(grid.getByRole('row', { name: /Chair 2 / }))
      .toHaveAttribute('aria-description', '“price”: No price may be 13.');
  });

  it('that can’t be sent are not counted by the button, and their reason is said once', async () => {
    const grid = await renderProducts();
    await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
    await retype(grid, '37.5', '15{Enter}');
    await page.getByRole('button', { name: 'Review…' }).click();
    const review = page.getByRole('dialog', { name: 'Changes of products' });
    await expect.element(review.getByText(/Prices of 15 have no request/)).toBeVisible();
    await review.getByRole('button', { name: 'Save 1 change' }).click();
    await expect.element(review.getByText('Failed', { exact: true })).toBeVisible();
    expect(review.getByText(/Prices of 15 have no request/).elements()).toHaveLength(1);
    await press('{Escape}');
    await expect.element(changes('1 change')).toBeVisible();
    await expect.element(cell(grid, '37.5')).not.toBeInTheDocument();
  });

  it('are discarded only after a question that names how many and of which table', async () => {
    const grid = await renderProducts();
    await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Discard 1 change of “products”?' });
    await question.getByRole('button', { name: 'Keep changes' }).click();
    await expect.element(cell(grid, 'Floor lamp')).toBeVisible();
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await question.getByRole('button', { name: 'Discard 1 change' }).click();
    await expect.element(cell(grid, 'Lamp 1')).toBeVisible();
    // The bar goes with the changes; the way back stays in the status bar until the next change.
    await expect.element(page.getByRole('button', { name: 'Review…' })).not.toBeInTheDocument();
    await expect.element(changes('0 changes')).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.element(cell(grid, 'Floor lamp')).toBeVisible();
    await expect.element(page.getByText('Discarded 1 change of products')).not.toBeInTheDocument();
  });
});
