import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Locator } from 'vitest/browser';
import { cell, retype } from '../../testing/gridSteps.test-helper.ts';
import { press, renderProducts } from '../../testing/renderWindow.test-helper.tsx';

// A row that could not be saved has to be corrected: every cell of it takes the pointer, and the reason names its column.

const REASON = '“price”: No price may be 13.';
const review = page.getByRole('dialog', { name: 'Changes of products' });
const bar = page.getByRole('group', { name: /^\d+ changes?$/ });

/** The cell at fault; 13 is also the key of a row further down. */
const wrong = (grid: Locator): Locator => cell(grid, '13').first();

/** Saves what is staged, of which some fails, and leaves the review. */
async function saveSome(): Promise<void> {
  await page.getByRole('button', { name: 'Review…' }).click();
  await review.getByRole('button', { name: /^Save/ }).click();
  await expect.element(review.getByText(REASON)).toBeVisible();
}

/** A table whose second row was not saved, for its price. */
async function renderFailed(): Promise<Locator> {
  const grid = await renderProducts();
  await retype(grid, 'Chair 2', 'Stool{Enter}');
  await retype(grid, '37.5', '13{Enter}');
  await saveSome();
  return grid;
}

/** The cells with something else over their middle. */
function covered(grid: Locator): readonly string[] {
  const frame = grid.element().getBoundingClientRect();
  const cells = [...grid.element().querySelectorAll('[role="gridcell"], [role="rowheader"]')];
  expect(cells.length).toBeGreaterThan(20);
  return cells.flatMap((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    if (x > frame.right - 20 || y > frame.bottom - 20) return [];
    const topmost = document.elementFromPoint(x, y);
    // A column that is scrolled behind those which stay is not on the screen.
    const isBehind =
      topmost?.closest('[role="gridcell"], [role="rowheader"]')?.getAttribute('aria-colindex') !== one.ariaColIndex;
    const before = topmost?.closest('[role="grid"]') === grid.element() && topmost.closest('[role="row"]') === one.parentElement;
    return one.contains(topmost) || (isBehind && before)
      ? []
      : [`${one.parentElement?.ariaRowIndex}/${one.ariaColIndex}: ${topmost?.outerHTML}`];
  });
}

beforeEach(async () => {
  await page.viewport(1280, 800);
});

describe('each cell on the screen takes the pointer itself', () => {
  it.each([
    ['of rows without changes', async (): Promise<Locator> => await renderProducts()],
    [
      'of a changed row, a deleted one and a new one',
      async (): Promise<Locator> => {
        const grid = await renderProducts();
        await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
        await cell(grid, 'Kettle 3').click();
        await press('{Delete}');
        await expect.poll(() => grid.element().querySelectorAll('[data-staged="delete"]').length).toBe(1);
        await page.getByRole('button', { name: 'Insert row' }).click();
        await press('{Escape}');
        return grid;
      },
    ],
    [
      'of a row that was not saved',
      async (): Promise<Locator> => {
        const grid = await renderFailed();
        await press('{Escape}');
        return grid;
      },
    ],
  ])('%s', async (_, prepare) => {
    const grid = await prepare();
    await expect.element(review).not.toBeInTheDocument();
    expect(covered(grid)).toEqual([]);
  });
});

describe('a row that was not saved', () => {
  it('shows its cell at fault, and the reason with the column in a line of its own', async () => {
    const grid = await renderFailed();
    await press('{Escape}');
    await expect.element(bar.getByText(REASON)).toBeVisible();
    await expect.element(wrong(grid)).toHaveAttribute('data-fault', 'true');
    await expect.element(wrong(grid)).toHaveAttribute('title', REASON);
    expect(grid.element().querySelectorAll('[data-fault]')).toHaveLength(1);
    const text = bar.getByText(REASON).element();
    expect(text.scrollWidth).toBeLessThanOrEqual(text.clientWidth);
    expect(text.scrollHeight).toBeLessThanOrEqual(text.clientHeight);
  });

  it('is corrected where it is clicked', async () => {
    const grid = await renderFailed();
    await press('{Escape}');
    await cell(grid, 'Lamp 1').click();
    const { x, y, width, height } = wrong(grid).element().getBoundingClientRect();
    const topmost = document.elementFromPoint(x + width / 2, y + height / 2);
    if (topmost === null) throw new Error('Nothing is there.');
    await userEvent.click(page.elementLocator(topmost));
    await press('14.5{Enter}');
    await expect.element(cell(grid, '14.5')).toBeVisible();
    expect(grid.element().querySelectorAll('[data-fault]')).toHaveLength(0);
    await expect.element(cell(grid, 'Lamp 1')).toBeVisible();
  });

  it('is reached from its reason', async () => {
    const grid = await renderFailed();
    await press('{Escape}');
    await cell(grid, 'Lamp 1').click();
    await bar.getByRole('button', { name: 'Show in the table' }).click();
    await expect.element(wrong(grid)).toHaveAttribute('data-active', 'true');
    await expect.element(grid).toHaveFocus();
  });

  it('has its field marked in the review, the reason beside it; its cell is shown from there', async () => {
    const grid = await renderFailed();
    const line = review.getByRole('row', { name: /^price/ });
    await expect.element(line).toHaveAttribute('data-fault', 'true');
    await expect.element(line.getByText(REASON)).toBeVisible();
    await review.getByRole('button', { name: 'Show in the table' }).click();
    await expect.element(wrong(grid)).toHaveAttribute('data-active', 'true');
    await expect.element(bar.getByText(REASON)).toBeVisible();
  });
});
