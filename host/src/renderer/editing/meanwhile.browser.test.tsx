import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Locator } from 'vitest/browser';
import { OtherWriter } from '../testing/exampleTable.test-helper.ts';
import { cell, retype } from '../testing/gridSteps.test-helper.ts';
import { exampleServices, press, renderProducts } from '../testing/renderWindow.test-helper.tsx';

// Two people write into one table: what the other one wrote is never overwritten unseen.

const review = (): Locator => page.getByRole('dialog', { name: 'Changes of products' });
const button = (name: string): Locator => review().getByRole('button', { name });
const open = (): Promise<void> => userEvent.click(page.getByRole('button', { name: 'Review…' }));
const staged = (text: string): Locator => page.getByText(text, { exact: true });

async function begin(): Promise<{ readonly grid: Locator; readonly others: OtherWriter }> {
  const others = new OtherWriter();
  return { grid: await renderProducts(exampleServices({}, others)), others };
}

describe('a value that somebody else changed meanwhile', () => {
  it('is shown as was, is and meanwhile, and is kept when the person takes theirs', async () => {
    const { grid, others } = await begin();
    await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
    others.change(1, { name: 'Desk lamp' });
    await open();
    await expect.element(review().getByRole('row', { name: 'name Lamp 1 Floor lamp Desk lamp' })).toBeVisible();
    await expect.element(button('Save 1 change')).toBeDisabled();
    await button('Take theirs').click();
    await expect.element(staged('1 change')).not.toBeInTheDocument();
    expect(others.row(1)?.[1]).toBe('Desk lamp');
  });

  it('is overwritten when the person keeps theirs', async () => {
    const { grid, others } = await begin();
    await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
    others.change(1, { name: 'Desk lamp' });
    await open();
    await button('Keep mine').click();
    await expect.element(review().getByRole('row', { name: 'name Desk lamp Floor lamp', exact: true })).toBeVisible();
    await button('Save 1 change').click();
    await expect.element(page.getByText('Saved 1 change of products')).toBeVisible();
    expect(others.row(1)?.[1]).toBe('Floor lamp');
  });

  it('that changes while the review is open is not overwritten, and the others are saved', async () => {
    const { grid, others } = await begin();
    await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
    await retype(grid, 'Chair 2', 'Stool{Enter}');
    await open();
    await expect.element(button('Save 2 changes')).toBeEnabled();
    others.change(1, { name: 'Desk lamp' });
    await button('Save 2 changes').click();
    await expect.element(review().getByText('Somebody changed “name” of this row meanwhile.')).toBeVisible();
    expect(others.row(1)?.[1]).toBe('Desk lamp');
    expect(others.row(2)?.[1]).toBe('Stool');
    await press('{Escape}');
    await expect.element(staged('1 not as you saw them')).toBeVisible();
    await expect
      .element(grid.getByRole('row', { name: /Floor lamp / }))
      .toHaveAttribute('aria-description', 'Somebody changed “name” of this row meanwhile.');
  });

  it('is decided for all rows at once', async () => {
    const { grid, others } = await begin();
    await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
    await retype(grid, 'Chair 2', 'Stool{Enter}');
    others.change(1, { name: 'Desk lamp' });
    others.change(2, { name: 'Bench' });
    await open();
    await button('Keep mine for all').click();
    await button('Save 2 changes').click();
    await expect.element(page.getByText('Saved 2 changes of products')).toBeVisible();
    expect([others.row(1)?.[1], others.row(2)?.[1]]).toEqual(['Floor lamp', 'Stool']);
  });
});

describe('a row that somebody else deleted meanwhile', () => {
  it('is inserted again, whole, where the person says so', async () => {
    const { grid, others } = await begin();
    await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
    others.delete(1);
    await open();
    await expect.element(review().getByText('Somebody deleted this row after you changed it.')).toBeVisible();
    await expect.element(review().getByText(/^Insert again sends the values of the columns that were read\./)).toBeVisible();
    await button('Insert again').click();
    await expect.element(review().getByText(/"kind":"insert".*"Floor lamp".*"Aalto"|"Aalto"/)).toBeVisible();
    await expect.element(grid.getByRole('row', { name: /Floor lamp Aalto/ })).toHaveAttribute('data-staged', 'insert');
  });

  it('is let go where the person drops the change', async () => {
    const { grid, others } = await begin();
    await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
    others.delete(1);
    await open();
    await button('Drop my change').click();
    await expect.element(staged('1 change')).not.toBeInTheDocument();
  });
});

describe('a row to be deleted that somebody else changed meanwhile', () => {
  it('is deleted only after the person has seen what changed', async () => {
    const { grid, others } = await begin();
    await cell(grid, 'Chair 2').click();
    await press('{Delete}');
    await expect.element(staged('1 change')).toBeVisible();
    others.change(2, { price: 99 });
    await open();
    await expect.element(review().getByRole('row', { name: 'price 37.5 99' })).toBeVisible();
    await button('Delete anyway').click();
    await button('Save 1 change').click();
    await expect.element(page.getByText('Saved 1 change of products')).toBeVisible();
    expect(others.row(2)).toBeUndefined();
  });
});

describe('the review', () => {
  it('shows the old value beside the new one', async () => {
    const { grid } = await begin();
    await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
    await open();
    await expect.element(review().getByRole('row', { name: 'Field Was Is (yours)' })).toBeVisible();
    await expect.element(review().getByRole('row', { name: 'name Lamp 1 Floor lamp' })).toBeVisible();
  });
});
