import { afterEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { cell, header } from '../../testing/gridSteps.test-helper.ts';
import { de } from '../../i18n/de/index.ts';
import { en } from '../../i18n/en/index.ts';
import { speakWords, strings } from '../../i18n/index.ts';
import { exampleServices, press, renderProducts, renderWindow } from '../../testing/renderWindow.test-helper.tsx';

/** The parts of the active cell's place that a person sees, and those of them that are cut. */
function parts(): { readonly shown: readonly string[]; readonly cut: readonly string[] } {
  const place = document.querySelector<HTMLElement>('[title="Row 1, name"]');
  if (place === null) throw new Error('The footer has no place.');
  const box = place.getBoundingClientRect();
  const visible = [...place.children].filter((part) => part.getBoundingClientRect().top < box.bottom);
  const text = (part: Element): string => part.textContent ?? '';
  return {
    shown: visible.map(text),
    cut: visible.filter((part) => part.getBoundingClientRect().right > box.right + 1).map(text),
  };
}

it('the footer shows row and column of the active cell, each whole or not at all', async () => {
  const grid = await renderProducts();
  await cell(grid, 'Lamp 1').click();
  await expect.element(page.getByTitle('Row 1, name')).toBeVisible();
  // The summary, which is empty, takes no room.
  expect(document.documentElement.scrollWidth).toBe(window.innerWidth);
  const place = page.getByTitle('Row 1, name').element();
  if (!(place instanceof HTMLElement)) throw new TypeError('The place is not an element of the page.');
  const full = [...place.children].reduce((width, part) => width + part.getBoundingClientRect().width, 0);
  const seen = new Set<string>();
  for (let width = 0; width <= Math.ceil(full) + 2; width += 1) {
    place.style.width = `${width}px`;
    const { shown, cut } = parts();
    expect(cut, `${width} px`).toEqual([]);
    seen.add(shown.join(''));
  }
  expect([...seen]).toEqual(['', 'Row 1', 'Row 1, name']);
});

afterEach(async () => {
  speakWords(en);
  await page.viewport(1_280, 800);
});

it.each(Object.entries({ en, de }))(
  'sums of a part of what is selected are never shown without the part, in %s, however narrow the window is',
  async (_language, words) => {
    speakWords(words);
    await page.viewport(1_280, 800);
    await renderWindow(exampleServices(), 'products');
    const grid = page.getByRole('grid', { name: strings.grid.label('products') });
    await cell(grid, 'Lamp 1').click();
    await press('{Control>}a{/Control}');
    const summary = page.getByRole('status', { name: strings.selection.summary });
    await expect.element(summary.getByText(strings.selection.selectedAll(1_000))).toBeVisible();
    const [, partly, sum] = summary.element().children;
    expect(partly?.textContent).toMatch(/\d.*:$/);
    expect(sum?.textContent).toContain(strings.selection.sum('').trim());
    for (const width of [1_920, 1_440, 1_280, 1_100, 900]) {
      await page.viewport(width, 700);
      const box = summary.element().getBoundingClientRect();
      const parts = [...summary.element().children];
      const shown = parts.filter((part) => part.getBoundingClientRect().top < box.bottom - 1);
      // Those that are seen are the first ones, and whole.
      expect(shown, `${width} px`).toEqual(parts.slice(0, shown.length));
      const cut = shown.slice(1).filter((part) => part.scrollWidth > part.clientWidth + 1);
      expect(cut, `${width} px`).toEqual([]);
      if (width >= 1_280) await expect.element(page.getByRole('combobox', { name: strings.pager.pageSize })).toBeVisible();
    }
  },
);

it.each(Object.entries({ en, de }))('what is added up is read in full, in %s, at every width', async (_language, words) => {
  speakWords(words);
  await page.viewport(1_280, 800);
  await renderWindow(exampleServices(), 'products');
  const grid = page.getByRole('grid', { name: strings.grid.label('products') });
  await cell(grid, '4000001').click();
  const summary = page.getByRole('status', { name: strings.selection.summary });
  await cell(grid, '4000001').click();
  await press('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
  await expect.element(summary.getByText(new RegExp(strings.selection.greatest('').trim()))).toBeVisible();
  for (const width of [1_920, 1_600, 1_440, 1_280, 1_100, 900]) {
    await page.viewport(width, 600);
    const { bottom, right, left } = summary.element().getBoundingClientRect();
    expect(bottom, `${width} px`).toBeLessThanOrEqual(window.innerHeight);
    for (const part of summary.element().children) {
      const box = part.getBoundingClientRect();
      expect(box.bottom, `${part.textContent} at ${width} px`).toBeLessThanOrEqual(bottom + 1);
      expect(box.right, `${part.textContent} at ${width} px`).toBeLessThanOrEqual(right + 1);
      expect(box.left).toBeGreaterThanOrEqual(left - 1);
      const topmost = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
      expect(part.contains(topmost), `${part.textContent} at ${width} px`).toBe(true);
    }
    // The pager beside it is whole, too.
    await expect.element(page.getByRole('button', { name: strings.pager.last, exact: true })).toBeInViewport({ ratio: 1 });
  }
});

it('the footer names the first row after rows far below were sorted', async () => {
  const grid = await renderProducts();
  await cell(grid, 'Lamp 1').click();
  await press('{Control>}{End}{/Control}');
  await expect.element(page.getByTitle('Row 1,000, note')).toBeVisible();
  await header(grid, 'name').getByRole('button').first().click();
  await expect.element(header(grid, 'name')).toHaveAttribute('aria-sort', 'ascending');
  await expect.element(page.getByTitle('Row 1,000, note')).not.toBeInTheDocument();
  const range = (): string => document.querySelector('[data-testid="range"]')?.textContent ?? '';
  await expect.poll(range).toBe('1–100 of 1,000');
  await expect.element(page.getByTitle('Row 1, note')).toBeVisible();
});
