import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Locator } from 'vitest/browser';
import { cell } from '../testing/gridSteps.test-helper.ts';
import { press, renderProducts } from '../testing/renderWindow.test-helper.tsx';

// A change whose answer was lost may have been made. The review says so, and the person decides whether it is sent again.

const review = (): Locator => page.getByRole('dialog', { name: 'Changes of products' });
const button = (name: string): Locator => review().getByRole('button', { name });
const openReview = (): Promise<void> => userEvent.click(page.getByRole('button', { name: 'Review…' }));

/** Saves a price that the server takes without an answer. */
async function loseTheAnswer(): Promise<void> {
  await openReview();
  await button('Save 1 change').click();
  await expect
    .element(review().getByText('Saved 0 changes; 1 change may have been saved: look at the rows before you save them again.'))
    .toBeVisible();
  await expect.element(review().getByText('Uncertain', { exact: true })).toBeVisible();
  await button('Review…').click();
}

describe('a change that may have been made', () => {
  it('is sent again with the others if it is an update, which changes nothing that was made already', async () => {
    const grid = await renderProducts();
    await grid
      .getByRole('row', { name: /Lamp 1 / })
      .getByRole('gridcell')
      .nth(3)
      .click();
    await press('{F2}{Control>}a{/Control}14{Enter}');
    await loseTheAnswer();
    await expect.element(review().getByRole('checkbox', { name: /^Save it again/ })).toBeChecked();
    await button('Save 1 change').click();
    await expect.element(page.getByText('Saved 1 change of products')).toBeVisible();
    await expect.element(page.getByText('1 change', { exact: true })).not.toBeInTheDocument();
  });

  it('is not sent again if it is a new row, until the person says so: it may be there twice then', async () => {
    const grid = await renderProducts();
    await page.getByRole('button', { name: 'Insert row' }).first().click();
    await cell(grid, 'required').click();
    await press('{F2}{Control>}a{/Control}Shelf{Enter}');
    await openReview();
    await press('{Escape}');
    const row = grid.getByRole('row', { name: /Shelf/ });
    await row.getByRole('gridcell').nth(3).click();
    await press('{F2}{Control>}a{/Control}14{Enter}');
    await loseTheAnswer();
    const again = review().getByRole('checkbox', { name: 'Insert it again: if it was inserted, the row may be there twice' });
    await expect.element(again).not.toBeChecked();
    await expect.element(button('Save 1 change')).toBeDisabled();
    await expect
      .element(
        review().getByRole('status').filter({ hasText: '1 change may have been saved already and is left out: decide below.' }),
      )
      .toBeVisible();
    await button('Go to the first').click();
    await expect.element(again).toHaveFocus();
    await again.click();
    await expect.element(review().getByText(/is left out: decide below/)).not.toBeInTheDocument();
    await button('Save 1 change').click();
    await expect.element(page.getByText('Saved 1 change of products')).toBeVisible();
  });
});
