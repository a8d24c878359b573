import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cell, header } from '../testing/gridSteps.test-helper.ts';
import { press, renderProducts } from '../testing/renderWindow.test-helper.tsx';

// A new row that lacks a required field says so everywhere, is not sent, and loses nothing.

const review = () => page.getByRole('dialog', { name: 'Changes of products' });
const openReview = () => userEvent.click(page.getByRole('button', { name: 'Review…' }));

describe('a required field', () => {
  it('is marked in the header and in the inspector', async () => {
    const grid = await renderProducts();
    await expect.element(header(grid, 'name')).toHaveAccessibleName(/^name required/);
    await expect.element(header(grid, 'brand')).not.toHaveAccessibleName(/required/);
    await cell(grid, 'Lamp 1').click();
    await press('{Control>}i{/Control}');
    await page.getByText('Fields', { exact: true }).click();
    await expect.element(page.getByRole('textbox', { name: 'Value of name' })).toHaveAttribute('aria-required', 'true');
  });

  it('without a value in a new row is named by the row and by the review, and keeps the row from being sent', async () => {
    const grid = await renderProducts();
    await page.getByRole('button', { name: 'Insert row' }).first().click();
    await expect.element(cell(grid, 'required')).toBeVisible();
    await expect
      .element(grid.getByRole('row', { name: /required/ }).nth(1))
      .toHaveAttribute('aria-description', 'This row will be inserted. 1 required field has no value.');
    await cell(grid, 'Chair 2').click();
    await press('{F2}{Control>}a{/Control}Stool{Enter}');
    await openReview();
    await expect.element(review().getByText('This row lacks “name”. Enter a value there before you save.')).toBeVisible();
    await review().getByRole('button', { name: 'Save 1 change' }).click();
    await expect.element(review().getByText('Failed', { exact: true })).toBeVisible();
    await press('{Escape}');
    await expect.element(page.getByText('1 change', { exact: true })).toBeVisible();
    await expect.element(cell(grid, 'Stool')).toBeVisible();
  });

  it('that gets its value lets the row be sent', async () => {
    const grid = await renderProducts();
    await page.getByRole('button', { name: 'Insert row' }).first().click();
    await cell(grid, 'required').click();
    await press('{F2}{Control>}a{/Control}Shelf{Enter}');
    await openReview();
    await review().getByRole('button', { name: 'Save 1 change' }).click();
    await expect.element(page.getByText('Saved 1 change of products')).toBeVisible();
  });
});

describe('a review without changes', () => {
  it('says that nothing is staged and offers nothing to save', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Chair 2').click();
    await press('{F2}{Control>}a{/Control}Stool{Enter}');
    await openReview();
    await review().getByRole('button', { name: 'Discard this change' }).click();
    await expect.element(review().getByText('Nothing is staged.')).toBeVisible();
    await expect.element(review().getByRole('button', { name: /^Save/ })).not.toBeInTheDocument();
  });
});
