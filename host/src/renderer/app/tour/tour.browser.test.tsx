import { beforeEach, describe, expect, it } from 'vitest';
import { page, server } from 'vitest/browser';
import type { TourEvent } from '../../../common/firstRun.ts';
import { fakeContext } from '../../testing/fakeContext.test-helper.ts';
import type { FakeOptions } from '../../testing/fakeServices.test-helper.ts';
import { exampleServices, press, renderWindow } from '../../testing/renderWindow.test-helper.tsx';

let events: TourEvent[];
beforeEach(() => {
  events = [];
});

/** A window of a new data directory, whose host writes down what is done with the tour. */
async function newWindow(options: Partial<FakeOptions> = {}, open?: 'products' | 'console'): Promise<void> {
  const services = exampleServices({ isNew: true, ...options });
  const { firstRun } = services;
  const noting = fakeContext({
    ...services,
    firstRun: {
      get: () => firstRun.get(),
      noteTour: (event) => {
        events.push(event);
        return firstRun.noteTour(event);
      },
    },
  });
  await renderWindow(noting, open);
}

const offer = page.getByRole('button', { name: 'Take the tour' });
const card = page.getByRole('region', { name: 'Tour of the window' }).filter({ hasText: 'Step' });
const button = (name: string) => card.getByRole('button', { name, exact: true });
const says = (text: string) => expect.poll(() => card.query()?.textContent).toContain(text);
const here = (): string | null | undefined => document.querySelector('[data-tour-here]')?.getAttribute('data-tour');

async function begin(): Promise<void> {
  await offer.click();
  await expect.element(card).toBeVisible();
}

async function beginInPalette(): Promise<void> {
  await press('{Control>}k{/Control}');
  await expect.element(page.getByRole('dialog').getByRole('combobox')).toHaveFocus();
  await press('take the tour{Enter}');
  await expect.element(card).toBeVisible();
}

describe('the offer on the start page', () => {
  it('takes no focus and opens nothing, and its answer removes it', async () => {
    await newWindow();
    await expect.element(offer).toBeVisible();
    expect(document.activeElement).toBe(document.body);
    await expect.element(card).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'No, thanks' }).click();
    await expect.element(offer).not.toBeInTheDocument();
    await expect.poll(() => events).toEqual(['declined']);
  });

  it('is there in a new data directory only', async () => {
    await newWindow({ isNew: false });
    await expect.element(page.getByRole('heading', { name: 'Connections' })).toBeVisible();
    await expect.element(offer).not.toBeInTheDocument();
  });

  it('is back, with the reason, where the answer could not be saved', async () => {
    const services = exampleServices({ isNew: true });
    const failing = {
      get: () => services.firstRun.get(),
      noteTour: () => {
        throw new Error('The disk is full.');
      },
    };
    await renderWindow(fakeContext({ ...services, firstRun: failing }));
    await page.getByRole('button', { name: 'No, thanks' }).click();
    await expect.element(page.getByRole('contentinfo').getByText(/answer about the tour couldn't be saved/)).toBeVisible();
    await expect.element(offer).toBeVisible();
  });
});

describe('the tour', () => {
  it('leads over the sample to its rows, filter, console and palette, and ends there', async () => {
    await newWindow();
    await begin();
    expect(here()).toBe('list');
    await says('Step 1 of 5');
    await button('Open “Shop”').click();
    await says('Step 2 of 5Rows and changes');
    expect(here()).toBe('grid');
    await expect.element(button('Next')).toHaveFocus();
    for (const [title, control] of [
      ['Step 3 of 5Filter and search', 'filter'],
      ['Step 4 of 5Console', 'console'],
      ['Step 5 of 5Everything by its name', 'palette'],
    ] as const) {
      await button('Next').click();
      await says(title);
      expect(here()).toBe(control);
    }
    await button('Done').click();
    await expect.element(card).not.toBeInTheDocument();
    expect(here()).toBeUndefined();
    await expect.poll(() => events).toEqual(['started', 'finished']);
  });

  it('is walked with the keyboard alone, forwards and back', async () => {
    await newWindow({}, 'products');
    await expect.element(page.getByRole('grid')).toBeVisible();
    await beginInPalette();
    await expect.element(button('Next')).toHaveFocus();
    await says('Step 1 of 5');
    await press('{Enter}');
    await says('Rows and changes');
    await press('{Shift>}{Tab}{/Shift}{Enter}');
    await says('Step 1 of 5');
    await expect.element(button('Back')).not.toBeInTheDocument();
    await press('{Shift>}{Tab}{/Shift}');
    await expect.element(button('Skip the tour')).toHaveFocus();
    await press('{Enter}');
    await expect.element(card).not.toBeInTheDocument();
    await expect.poll(() => events).toEqual(['started', 'skipped']);
  });

  it('leaves out a step whose control is not there', async () => {
    await newWindow({ connections: [] });
    await begin();
    expect(here()).toBe('list');
    await says('Step 1 of 2');
    await says('Create the first one here.');
    await button('Next').click();
    await says('Step 2 of 2');
    expect(here()).toBe('palette');
  });

  it('goes to the next control when that of its step leaves the screen', async () => {
    await newWindow({}, 'products');
    await expect.element(page.getByRole('grid')).toBeVisible();
    await beginInPalette();
    await button('Next').click();
    await says('Rows and changes');
    await press('{Alt>}w{/Alt}');
    await says('Console');
    expect(here()).toBe('console');
  });

  it('leaves the window usable: a cell is edited beside it, and F6 leads to it', async () => {
    await newWindow({}, 'products');
    const cell = page.getByRole('gridcell', { name: 'Lamp 1', exact: true });
    await expect.element(cell).toBeVisible();
    await beginInPalette();
    await button('Next').click();
    await cell.click();
    await press('{F2}');
    await expect.element(page.getByRole('grid').getByRole('textbox')).toHaveFocus();
    // Escape belongs to the cell first.
    await press('{Escape}');
    await expect.element(page.getByRole('grid').getByRole('textbox')).not.toBeInTheDocument();
    await expect.element(card).toBeVisible();
    const region = (): string | undefined => document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset['region'];
    await expect.poll(region).toBe('content');
    for (let turn = 0; turn < 6 && region() !== 'tour'; turn += 1) await press('{F6}');
    expect(region()).toBe('tour');
  });

  it('Escape skips it from anywhere, and the focus is where it was', async () => {
    await newWindow({}, 'products');
    const grid = page.getByRole('grid');
    await page.getByRole('gridcell', { name: 'Lamp 1', exact: true }).click();
    await expect.element(grid).toHaveFocus();
    await beginInPalette();
    await expect.element(button('Next')).toHaveFocus();
    await press('{Escape}');
    await expect.element(card).not.toBeInTheDocument();
    await expect.element(grid).toHaveFocus();
    await expect.poll(() => events).toEqual(['started', 'skipped']);
  });

  it('Escape closes a dialog or a menu above it, and the tour stays', async () => {
    await newWindow();
    await begin();
    await press('{Control>},{/Control}');
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await expect.element(settings).toBeVisible();
    await press('{Escape}');
    await expect.element(settings).not.toBeInTheDocument();
    await expect.element(card).toBeVisible();
    await page.getByRole('button', { name: 'Connections: switch connection' }).click();
    await expect.element(page.getByRole('menu')).toBeVisible();
    await press('{Escape}');
    await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
    await expect.element(card).toBeVisible();
    expect(events).toEqual(['started']);
  });

  it('starts from the settings, which close, and gives the focus back to their button', async () => {
    await newWindow({ isNew: false });
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('tab', { name: 'About' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take the tour' }).click();
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    await expect.element(button('Next')).toHaveFocus();
    await press('{Escape}');
    await expect.element(page.getByRole('button', { name: 'Settings' })).toHaveFocus();
  });

  it('announces each step, and names itself', async () => {
    await newWindow();
    await begin();
    const region = card.element();
    const live = region.querySelector('[aria-live="polite"][aria-atomic="true"]');
    expect(live?.textContent).toMatch(/^Step 1 of 5Connections/);
    expect(region.getAttribute('aria-describedby')).toBe(live?.id);
    await button('Next').click();
    // The same element, whose new text is read aloud.
    expect(region.querySelector('[aria-live]')).toBe(live);
    expect(live?.textContent).toMatch(/^Step 2 of 2/);
  });

  it.each([
    [1280, 800],
    [900, 600],
    [640, 400],
  ])('lies within a window of %i × %i, beside its control', async (width, height) => {
    await page.viewport(width, height);
    try {
      await newWindow({}, 'products');
      await expect.element(page.getByRole('grid')).toBeVisible();
      await beginInPalette();
      for (;;) {
        await expect.element(card).toBeVisible();
        const box = card.element().getBoundingClientRect();
        expect(box.left).toBeGreaterThanOrEqual(0);
        expect(box.top).toBeGreaterThanOrEqual(0);
        expect(box.right).toBeLessThanOrEqual(width);
        expect(box.bottom).toBeLessThanOrEqual(height);
        const control = document.querySelector('[data-tour-here]')?.getBoundingClientRect();
        const isSmall = control !== undefined && control.height < height / 4;
        const overlaps =
          control !== undefined &&
          box.left < control.right &&
          control.left < box.right &&
          box.top < control.bottom &&
          control.top < box.bottom;
        if (isSmall) expect(overlaps).toBe(false);
        if (button('Done').query() !== null) break;
        await button('Next').click();
      }
    } finally {
      await page.viewport(server.config.browser.viewport.width, server.config.browser.viewport.height);
    }
  });
});
