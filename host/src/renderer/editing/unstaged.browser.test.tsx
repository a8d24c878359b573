import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cell } from '../testing/gridSteps.test-helper.ts';
import { press, renderProducts } from '../testing/renderWindow.test-helper.tsx';

/** Whether the browser would ask before it leaves the page, as it does for Back, reload and close. */
function asksBeforeLeaving(): boolean {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
}

describe('a text that was typed and not staged', () => {
  it('is asked about before the page is left, and not before anything was typed or after Escape', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Kettle 3').click();
    await press('{F2}');
    await expect.element(page.getByRole('textbox', { name: 'Edit name' })).toHaveFocus();
    expect(asksBeforeLeaving()).toBe(false);
    await userEvent.keyboard('Teapot');
    await expect.poll(asksBeforeLeaving).toBe(true);
    await press('{Escape}');
    await expect.poll(asksBeforeLeaving).toBe(false);
    // A letter that opened the editor replaces the value at once.
    await press('T');
    await expect.poll(asksBeforeLeaving).toBe(true);
    await press('{Escape}');
  });

  it('is asked about in the inspector, too', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Kettle 3').click();
    await press('{Control>}i{/Control}');
    const field = page.getByRole('complementary', { name: 'Value' }).getByLabelText('Value of price', { exact: true });
    await field.click();
    expect(asksBeforeLeaving()).toBe(false);
    await userEvent.fill(field, '12.25');
    await expect.poll(asksBeforeLeaving).toBe(true);
    await press('{Escape}');
    await expect.poll(asksBeforeLeaving).toBe(false);
  });
});

describe('a text that cannot be staged', () => {
  const editorOf = (grid: Awaited<ReturnType<typeof renderProducts>>, row: number) =>
    grid.getByRole('row').nth(row).getByRole('textbox', { name: 'Edit price' });
  const priceOf = (grid: Awaited<ReturnType<typeof renderProducts>>, row: number) =>
    grid.getByRole('row').nth(row).getByRole('gridcell').nth(3);

  async function typeWrongPrice(): Promise<Awaited<ReturnType<typeof renderProducts>>> {
    const grid = await renderProducts();
    await priceOf(grid, 2).click();
    await userEvent.keyboard('abc');
    await priceOf(grid, 4).click();
    await expect.element(editorOf(grid, 2)).toHaveAttribute('aria-invalid', 'true');
    await expect.element(grid).toHaveFocus();
    return grid;
  }

  it('stays in its own cell: typing in another one goes there, character by character', async () => {
    const grid = await typeWrongPrice();
    await userEvent.keyboard('42{Enter}');
    await expect.element(priceOf(grid, 4)).toHaveTextContent('42');
    await expect.element(priceOf(grid, 4)).toHaveAttribute('data-changed');
    await expect.element(editorOf(grid, 2)).toHaveValue('abc');
    await expect.element(priceOf(grid, 5)).toHaveAttribute('aria-selected', 'true');
  });

  it('is given up by Escape on its cell, and replaced by what is typed on it', async () => {
    const grid = await typeWrongPrice();
    await press('{ArrowUp}{ArrowUp}');
    await userEvent.keyboard('7');
    await expect.element(editorOf(grid, 2)).toHaveValue('7');
    await expect.element(editorOf(grid, 2)).toHaveFocus();
    await press('{Escape}');
    await expect.element(editorOf(grid, 2)).not.toBeInTheDocument();
    await userEvent.keyboard('abc');
    await priceOf(grid, 4).click();
    await press('{ArrowUp}{ArrowUp}{Escape}');
    await expect.element(editorOf(grid, 2)).not.toBeInTheDocument();
    await expect.poll(asksBeforeLeaving).toBe(false);
  });

  it('takes no letter of a new row', async () => {
    const grid = await typeWrongPrice();
    await press('{Control>}{Home}{/Control}');
    await page.getByRole('button', { name: 'Insert row' }).first().click();
    await userEvent.keyboard('new title{Enter}');
    await expect.element(grid.getByText('new title')).toBeVisible();
    await expect.element(grid.getByRole('textbox', { name: 'Edit price' })).toHaveValue('abc');
  });
});
