import { afterAll, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cell, retype } from '../../testing/gridSteps.test-helper.ts';
import { press, renderProducts } from '../../testing/renderWindow.test-helper.tsx';

const WIDTHS = [600, 700, 760, 840, 900, 1_000, 1_080, 1_180, 1_280, 1_440];

/** The controls of the footer that are cut off, or cover another one, at a width of the window. */
function faults(): readonly string[] {
  const footer = document.querySelector('nav[aria-label="Pages"]')?.parentElement;
  if (footer === null || footer === undefined) throw new Error('The tab has no footer.');
  const edge = footer.getBoundingClientRect();
  const controls = [...footer.querySelectorAll('button, select')].filter((one) => one.getClientRects().length > 0);
  const nameOf = (one: Element): string => one.getAttribute('aria-label') ?? one.textContent;
  const boxes = controls.map((one) => ({ name: nameOf(one), box: one.getBoundingClientRect() }));
  const cut = boxes.filter(
    ({ box }) => box.left < edge.left || box.right > edge.right || box.top < edge.top || box.bottom > edge.bottom,
  );
  const covered = boxes.filter(({ box }, at) =>
    boxes.some(
      (other, place) =>
        place > at &&
        box.left < other.box.right - 1 &&
        other.box.left < box.right - 1 &&
        box.top < other.box.bottom - 1 &&
        other.box.top < box.bottom - 1,
    ),
  );
  const isTooTall = edge.height > 100 ? ['the footer has more than two lines'] : [];
  return [...cut.map(({ name }) => `${name} is cut`), ...covered.map(({ name }) => `${name} is covered`), ...isTooTall];
}

async function faultsAtEachWidth(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.viewport(width, 600);
    found.push(...faults().map((fault) => `${width}: ${fault}`));
  }
  await page.viewport(1_280, 800);
  return found;
}

describe('the footer of a tab', () => {
  afterAll(() => page.viewport(1_280, 800));

  it(
    'cuts off none of its buttons, however wide the window is and whatever is staged or selected',
    { timeout: 60_000 },
    async () => {
      const grid = await renderProducts();
      expect(await faultsAtEachWidth()).toEqual([]);
      await cell(grid, 'Lamp 1').click();
      await press('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
      expect(await faultsAtEachWidth()).toEqual([]);
      await retype(grid, '37.5', '13{Enter}');
      await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
      await userEvent.click(page.getByRole('button', { name: 'Review…' }));
      const review = page.getByRole('dialog', { name: 'Changes of products' });
      await review.getByRole('button', { name: 'Save 2 changes' }).click();
      await expect.element(review.getByText('Failed', { exact: true })).toBeVisible();
      await press('{Escape}');
      await expect.element(page.getByText('1 failed', { exact: true })).toBeVisible();
      expect(await faultsAtEachWidth()).toEqual([]);
    },
  );
});
