import { afterEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { OtherWriter } from '../../testing/exampleTable.test-helper.ts';
import { cell } from '../../testing/gridSteps.test-helper.ts';
import { exampleServices, press, renderProducts } from '../../testing/renderWindow.test-helper.tsx';

const FOREIGN = 'http://tracker.invalid';
const PICTURE = `${FOREIGN}/pixel.png`;
const panel = page.getByRole('complementary', { name: /^(Value|Row)$/ });

/** The addresses at the foreign server that the browser requested. */
const requested = (): readonly string[] =>
  performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => name.startsWith(FOREIGN));

async function renderPictures() {
  // The modules of the test fill the buffer, and a full one takes no more entries.
  performance.clearResourceTimings();
  performance.setResourceTimingBufferSize(10_000);
  const others = new OtherWriter();
  others.change(2, { note: PICTURE });
  others.change(3, { note: `<img src="${PICTURE}">` });
  const grid = await renderProducts(exampleServices({}, others));
  await expect.element(cell(grid, PICTURE)).toBeVisible();
  return grid;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a cell with the address of a picture', () => {
  it('requests nothing from its server, in the grid and in the inspector', async () => {
    const grid = await renderPictures();
    await cell(grid, PICTURE).click();
    await press('{Control>}i{/Control}');
    await expect.element(panel.getByRole('button', { name: 'Show picture' })).toBeVisible();
    await panel.getByText('Fields', { exact: true }).click();
    await expect.element(panel.getByLabelText('Value of note')).toHaveValue(PICTURE);
    // Neither an element that loads it, nor a link whose server the browser would look up.
    for (const element of document.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        if (name !== 'title') expect(value, `${element.tagName} ${name}`).not.toContain('tracker.invalid');
      }
    }
    expect(requested()).toEqual([]);
    // The same look finds a request that is made.
    const control = new Image();
    control.src = `${FOREIGN}/control.png`;
    await expect.poll(requested).toEqual([`${FOREIGN}/control.png`]);
  });

  it('is marked, and opens in a new tab without a referrer when a person asks', async () => {
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    const grid = await renderPictures();
    await expect.element(cell(grid, PICTURE)).toHaveAttribute('data-mark', 'picture');
    await cell(grid, PICTURE).click({ button: 'right' });
    expect(open).not.toHaveBeenCalled();
    await page.getByRole('menuitem', { name: 'Show picture' }).click();
    expect(open).toHaveBeenCalledExactlyOnceWith(PICTURE, '_blank', 'noopener,noreferrer');
    await press('{Control>}i{/Control}');
    await panel.getByRole('button', { name: 'Show picture' }).click();
    expect(open).toHaveBeenCalledTimes(2);
    expect(open).toHaveBeenLastCalledWith(PICTURE, '_blank', 'noopener,noreferrer');
  });
});

describe('a cell with a long text', () => {
  it('shows its length, and all of it in the inspector', async () => {
    const others = new OtherWriter();
    others.change(2, { note: `${'long '.repeat(200)}end` });
    const grid = await renderProducts(exampleServices({}, others));
    const long = grid.getByRole('gridcell', { name: /^long long/ });
    await expect.element(long).toHaveAttribute('data-length', '1,003');
    await expect.element(long).toHaveAttribute('title', '1,003 characters. Open the inspector to see them all.');
    await long.click();
    await press('{Control>}i{/Control}');
    await expect.element(panel.getByText(/long end$/)).toBeVisible();
  });
});
