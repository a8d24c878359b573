import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cell, retype } from '../testing/gridSteps.test-helper.ts';
import { press, renderProducts } from '../testing/renderWindow.test-helper.tsx';

// A number that its column can't store is refused where it is typed: in a review it is one of many lines, and its cell is elsewhere.

const REFUSED = /from -9,223,372,036,854,775,808 to 9,223,372,036,854,775,807\./;
const BEYOND = '9223372036854775808';
const review = page.getByRole('button', { name: 'Review…' });

describe('a number beyond the range of its column', () => {
  it('keeps the editor open with its text and the range, and is staged when it is corrected', async () => {
    const grid = await renderProducts();
    await retype(grid, '4000002', BEYOND);
    await press('{Enter}');
    const editor = page.getByRole('textbox', { name: 'Edit barcode' });
    await expect.element(page.getByRole('alert').filter({ hasText: REFUSED })).toBeVisible();
    await expect.element(editor).toHaveValue(BEYOND);
    await expect.element(review).not.toBeInTheDocument();
    await press('{Backspace}7{Enter}');
    await expect.element(editor).not.toBeInTheDocument();
    await expect.element(cell(grid, '9223372036854775807')).toHaveAttribute('data-changed', 'true');
  });

  it('is said at its field of the inspector', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Kettle 3').click();
    await press('{Control>}i{/Control}');
    const panel = page.getByRole('complementary', { name: 'Value' });
    const field = panel.getByRole('textbox', { name: 'Value of barcode' });
    await userEvent.fill(field, BEYOND);
    await press('{Enter}');
    await expect.element(panel.getByRole('alert').filter({ hasText: REFUSED })).toBeVisible();
    await expect.element(field).toHaveValue(BEYOND);
    await expect.element(review).not.toBeInTheDocument();
  });

  it('is left out of a paste, with the reason in its line', async () => {
    const grid = await renderProducts();
    await cell(grid, '4000002').click();
    await navigator.clipboard.writeText(`5\n${BEYOND}`);
    await press('{Control>}v{/Control}');
    const dialog = page.getByRole('dialog', { name: 'Paste into products' });
    await expect.element(dialog.getByRole('cell', { name: new RegExp(BEYOND) }).getByText(REFUSED)).toBeVisible();
    await expect.element(dialog.getByRole('button', { name: 'Stage 1 cell, leave 1 out' })).toBeVisible();
  });
});
