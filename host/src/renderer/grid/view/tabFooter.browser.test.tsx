import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { en } from '../../i18n/en/index.ts';
import { de } from '../../i18n/de/index.ts';
import { speakWords, strings } from '../../i18n/index.ts';
import { pl } from '../../i18n/pl/index.ts';
import { cell } from '../../testing/gridSteps.test-helper.ts';
import { fakeContext } from '../../testing/fakeContext.test-helper.ts';
import type { ApiContext } from '../../../runtime/api/context.ts';
import { exampleServices, press, renderWindow } from '../../testing/renderWindow.test-helper.tsx';
import type { Locator } from 'vitest/browser';

const WIDTHS = [600, 640, 700, 760, 840, 900, 1_000, 1_080, 1_180, 1_280, 1_440, 1_700, 1_920];
/** From this width on the footer is one line. */
const ONE_LINE = 700;
const LANGUAGES = { en, de, pl };

/** A database with every view of a table. */
function servicesWithSearch(): ApiContext {
  const services = exampleServices();
  const { openConnections } = services;
  const open: typeof openConnections.open = async function* (id, secrets, signal) {
    for await (const step of openConnections.open(id, secrets, signal)) {
      if (step.step !== 'open') yield step;
      else yield { ...step, connection: { ...step.connection, facets: [...step.connection.facets, 'search'] } };
    }
  };
  return fakeContext({ ...services, openConnections: { ...openConnections, open } });
}

const footerOf = (): Element => {
  const footer = document.querySelector('[data-testid="range"]')?.closest('nav')?.parentElement;
  if (footer === null || footer === undefined) throw new Error('The tab has no footer.');
  return footer;
};
const isShown = (element: Element | null | undefined): element is Element =>
  element !== null && element !== undefined && element.getClientRects().length > 0;
const nameOf = (one: Element): string => one.getAttribute('aria-label') ?? one.textContent;

/** The parts of a bar that are cut off, or cover another one. */
function faultsOf(bar: Element, lines: number): readonly string[] {
  const edge = bar.getBoundingClientRect();
  const parts = [...bar.querySelectorAll('button, select, label, [data-testid="range"]')].filter(isShown);
  const boxes = parts.map((one) => ({ name: nameOf(one), one, box: one.getBoundingClientRect() }));
  const cut = boxes.filter(
    ({ one, box }) =>
      box.left < edge.left ||
      box.right > edge.right ||
      box.top < edge.top ||
      box.bottom > edge.bottom ||
      (!one.matches('select') && one.scrollWidth > one.clientWidth + 1),
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
  return [
    ...cut.map(({ name }) => `${name} is cut`),
    ...covered.map(({ name }) => `${name} is covered`),
    ...(edge.height > lines * 48 ? [`${Math.round(edge.height)} pixels are more than ${lines} lines`] : []),
  ];
}

function faults(width: number, isStaged: boolean): readonly string[] {
  const range = document.querySelector('[data-testid="range"]');
  const changes = document.querySelector(`[aria-label="${strings.editing.undo}"]`)?.closest('[role="group"]') ?? null;
  const history = [strings.editing.undo, strings.editing.redo].map((name) => document.querySelector(`[aria-label="${name}"]`));
  const lines = width >= ONE_LINE ? 1 : 2;
  const footer = footerOf();
  // The sums of a selection, and the reason why a row was not saved, have lines of their own.
  const summed = footer.matches('[data-selection]') ? 1 : 0;
  const reasons = changes?.querySelector('[role="note"]') === null ? 0 : 1;
  return [
    ...faultsOf(footer, lines + summed),
    ...(isShown(range) ? [] : ['the range is gone']),
    ...(!isStaged || history.every(isShown) ? [] : ['undo is gone']),
    ...(!isStaged || changes === null ? [] : faultsOf(changes, lines + reasons)),
  ];
}

const FRAMES = 30;
const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

async function faultsAtEachWidth(isStaged = false): Promise<readonly string[]> {
  const found: string[] = [];
  for (const density of ['comfortable', 'compact']) {
    document.documentElement.dataset['density'] = density;
    for (const width of WIDTHS) {
      await page.viewport(width, 600);
      // The sidebar folds a moment after the window became narrow.
      for (let frame = 0; frame < FRAMES && faults(width, isStaged).length > 0; frame += 1) await nextFrame();
      found.push(...faults(width, isStaged).map((fault) => `${width} ${density}: ${fault}`));
    }
  }
  await page.viewport(1_280, 800);
  return found;
}

async function retype(grid: Locator, shown: string, text: string): Promise<void> {
  await cell(grid, shown).click();
  // The cursor is behind the value.
  await press('{F2}');
  await press('{Control>}a{/Control}');
  await userEvent.keyboard(text);
}

describe('the footer of a tab', () => {
  afterEach(() => {
    speakWords(en);
    delete document.documentElement.dataset['density'];
  });
  afterAll(() => page.viewport(1_280, 800));

  it.each(Object.entries(LANGUAGES))(
    'loses nothing in %s, however wide the window is and whatever is staged or selected',
    async (_language, words) => {
      speakWords(words);
      await page.viewport(1_280, 800);
      await renderWindow(servicesWithSearch(), 'products');
      const grid = page.getByRole('grid', { name: strings.grid.label('products') });
      await expect.element(cell(grid, 'Lamp 1')).toBeVisible();
      expect(await faultsAtEachWidth()).toEqual([]);
      await cell(grid, 'Lamp 1').click();
      await press('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
      expect(await faultsAtEachWidth()).toEqual([]);
      await retype(grid, '37.5', '13{Enter}');
      await retype(grid, 'Lamp 1', 'Floor lamp{Enter}');
      expect(await faultsAtEachWidth(true)).toEqual([]);
      await userEvent.click(page.getByRole('button', { name: strings.editing.review }));
      const review = page.getByRole('dialog', { name: strings.editing.reviewTitle('products') });
      await review.getByRole('button', { name: strings.editing.save(2) }).click();
      await expect.element(page.getByText(strings.editing.failed(1), { exact: true })).toBeVisible();
      await press('{Escape}');
      await expect.element(review).not.toBeInTheDocument();
      expect(await faultsAtEachWidth(true)).toEqual([]);
    },
  );
});
