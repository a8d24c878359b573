import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cell, header } from '../../testing/gridSteps.test-helper.ts';
import { exampleServices, press, renderProducts, renderWindow } from '../../testing/renderWindow.test-helper.tsx';

const summary = page.getByRole('status', { name: 'Selection' });
const clipboard = (): Promise<string> => navigator.clipboard.readText();

describe('the grid', () => {
  it('moves the active cell with the arrow keys', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Lamp 1').click();
    await press('{ArrowDown}{ArrowDown}');
    await expect.element(cell(grid, 'Kettle 3')).toHaveAttribute('aria-selected', 'true');
    await expect.element(cell(grid, 'Lamp 1')).not.toHaveAttribute('aria-selected');
  });

  it('names the active cell to assistive technology', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Chair 2').click();
    const id = cell(grid, 'Chair 2').element().id;
    expect(id).not.toBe('');
    await expect.element(grid).toHaveAttribute('aria-activedescendant', id);
  });

  it('keeps the active cell on the screen when it becomes narrower', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Lamp 1').click();
    const row = cell(grid, 'Lamp 1').element().closest('[role="row"]');
    const last = row?.querySelector('[role="gridcell"]:last-of-type');
    if (last == null) throw new Error('The row has no cell.');
    await userEvent.click(last);
    const before = grid.element().clientWidth;
    await page.viewport(640, 800);
    try {
      await expect.poll(() => grid.element().clientWidth).toBeLessThan(before);
      await expect.element(grid).toHaveAttribute('aria-activedescendant', last.id);
      await expect.element(grid.getByRole('gridcell', { selected: true })).toBeInViewport({ ratio: 1 });
    } finally {
      await page.viewport(1280, 800);
    }
  });

  it('goes to the last row with Ctrl+End and back to the first with Ctrl+Home', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Lamp 1').click();
    await press('{Control>}{End}{/Control}');
    await expect.element(cell(grid, 'Jacket 1000')).toBeInViewport();
    await press('{Control>}{Home}{/Control}');
    await expect.element(cell(grid, 'Lamp 1')).toBeInViewport();
  });

  it('shows further rows when the wheel is turned', async () => {
    const grid = await renderProducts();
    await userEvent.wheel(grid, { delta: { y: 2_800 } });
    await expect.element(cell(grid, 'Lamp 101')).toBeVisible();
    await expect.element(cell(grid, 'Lamp 1')).not.toBeInTheDocument();
  });

  it('reads the rows of a later page when they come on the screen', async () => {
    const grid = await renderProducts();
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect.element(page.getByText('101–200 of 1,000')).toBeVisible();
    await expect.element(cell(grid, 'Lamp 101')).toBeInViewport();
  });

  it('selects a range with Shift and the arrow keys, and says its size', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Lamp 1').click();
    await press('{Shift>}{ArrowDown}{ArrowRight}{/Shift}');
    await expect.element(cell(grid, 'Chair 2')).toHaveAttribute('aria-selected', 'true');
    await expect.element(summary.getByText('2 rows × 2 columns')).toBeVisible();
  });

  it('selects a range with Shift and a click', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Lamp 1').click();
    await cell(grid, 'Bottle 4').click({ modifiers: ['Shift'] });
    await expect.element(cell(grid, 'Kettle 3')).toHaveAttribute('aria-selected', 'true');
    await expect.element(summary.getByText('4 rows × 1 column')).toBeVisible();
  });

  it('selects everything with Ctrl+A, and one cell again with Escape', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Lamp 1').click();
    await press('{Control>}a{/Control}');
    await expect.element(cell(grid, 'Jacket 5')).toHaveAttribute('aria-selected', 'true');
    await press('{Escape}');
    await expect.element(cell(grid, 'Jacket 5')).not.toHaveAttribute('aria-selected');
    await expect.element(cell(grid, 'Lamp 1')).toHaveAttribute('aria-selected', 'true');
  });

  it('selects a row by its number', async () => {
    const grid = await renderProducts();
    await grid.getByRole('rowheader', { name: '2', exact: true }).click();
    await expect.element(cell(grid, 'Chair 2')).toHaveAttribute('aria-selected', 'true');
    await expect.element(cell(grid, 'Kinto').first()).toHaveAttribute('aria-selected', 'true');
  });

  it('sums the numbers of a selection', async () => {
    const grid = await renderProducts();
    await cell(grid, '0.5').first().click();
    await press('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
    await expect.element(summary.getByText('Sum 112.5')).toBeVisible();
  });

  it('sums no numbers that identify rows, and says their ends', async () => {
    const grid = await renderProducts();
    await cell(grid, '4000001').click();
    await press('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
    await expect.element(summary.getByText('Greatest 4000003')).toBeVisible();
    await expect.element(summary.getByText('Least 4000001')).toBeVisible();
    await expect.element(summary.getByText(/Sum|Average/)).not.toBeInTheDocument();
  });

  it('copies the active cell, every digit of it', async () => {
    const grid = await renderProducts();
    await cell(grid, '9007199254740993').click();
    await press('{Control>}c{/Control}');
    await expect.element(page.getByText('Copied barcode')).toBeVisible();
    expect(await clipboard()).toBe('9007199254740993');
  });

  it('copies a range as rows and columns', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Lamp 1').click();
    await press('{Shift>}{ArrowDown}{ArrowRight}{/Shift}{Control>}c{/Control}');
    await expect.element(page.getByText('Copied 2 rows × 2 columns')).toBeVisible();
    expect(await clipboard()).toBe('Lamp 1\tAalto\nChair 2\tKinto');
  });

  it('distinguishes null, absent and text', async () => {
    const grid = await renderProducts();
    await expect.element(cell(grid, 'null').first()).toHaveAttribute('data-tone', 'null');
    const absent = grid.getByTitle(/^Absent/).first();
    await expect.element(absent).toHaveAttribute('data-tone', 'absent');
  });
});

describe('columns', () => {
  it('sorts by a click on a header, and turns the order with the next', async () => {
    const grid = await renderProducts();
    await header(grid, 'id').getByRole('button').click();
    await expect.element(header(grid, 'id')).toHaveAttribute('aria-sort', 'ascending');
    await header(grid, 'id').getByRole('button').click();
    await expect.element(header(grid, 'id')).toHaveAttribute('aria-sort', 'descending');
    await expect.element(cell(grid, 'Jacket 1000')).toBeInViewport();
  });

  it('sorts from the keyboard', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Lamp 1').click();
    await press('{ArrowUp}{Enter}');
    await expect.element(header(grid, 'name')).toHaveAttribute('aria-sort', 'ascending');
    await expect.element(cell(grid, 'Bottle 104')).toBeVisible();
  });

  it('sorts by two columns with Shift, and says that two is the most', async () => {
    const grid = await renderProducts();
    for (const name of ['brand', 'price', 'name'])
      await header(grid, name)
        .getByRole('button')
        .click({ modifiers: ['Shift'] });
    await expect.element(page.getByText('At most 2 columns can be sorted by at once.')).toBeVisible();
    await expect.element(header(grid, 'price')).toHaveAttribute('aria-sort', 'ascending');
    await expect.element(header(grid, 'name')).toHaveAttribute('aria-sort', 'none');
  });

  it('says why a column cannot be sorted by', async () => {
    const grid = await renderProducts();
    await expect
      .element(header(grid, 'tags'))
      .toHaveAttribute('aria-description', expect.stringContaining('Lists have no order.'));
    await expect.element(header(grid, 'tags').getByRole('button')).toHaveAttribute('aria-disabled', 'true');
  });

  it('shows the button of a column’s menu beside its name, not over it', async () => {
    const grid = await renderProducts();
    for (const name of ['id', 'name', 'price', 'barcode', 'available']) {
      await header(grid, name).hover();
      const cellOfName = header(grid, name).element();
      const button = cellOfName.querySelector(`[title="Actions for ${name}"]`);
      const text = [...cellOfName.querySelectorAll('span')].find(
        (one) => one.childElementCount === 0 && one.textContent === name,
      );
      if (button === null || text === undefined) throw new Error(`The header of ${name} has no button or no name.`);
      await expect.poll(() => button.getBoundingClientRect().height).toBeGreaterThan(0);
      const [over, under] = [button.getBoundingClientRect(), text.getBoundingClientRect()];
      const isOver = over.left < under.right && over.right > under.left && over.top < under.bottom && over.bottom > under.top;
      expect(isOver, name).toBe(false);
    }
  });

  it('goes to the first row when another order makes other rows of them', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Lamp 1').click();
    await press('{Control>}{End}{/Control}');
    await expect.element(cell(grid, 'Jacket 1000')).toBeInViewport();
    await header(grid, 'name').getByRole('button').click();
    await expect.element(cell(grid, 'Bottle 104')).toBeInViewport();
  });

  it('has its sorting and its widths again when its tab is opened again', async () => {
    const services = exampleServices();
    const before = await renderProducts(services);
    const widthOf = (grid: typeof before): number => header(grid, 'brand').element().getBoundingClientRect().width;
    await header(before, 'id').getByRole('button').click();
    await header(before, 'id').getByRole('button').click();
    await expect.element(cell(before, 'Jacket 1000')).toBeInViewport();
    const first = widthOf(before);
    await cell(before, 'Jacket 1000').click();
    await press('{ArrowUp}{ArrowRight}{Alt>}{ArrowRight}{/Alt}');
    await expect.poll(() => widthOf(before)).toBe(first + 16);
    await renderWindow(services, 'products');
    const after = page.getByRole('grid', { name: 'Rows of products' });
    await expect.element(cell(after, 'Jacket 1000')).toBeInViewport();
    await expect.element(header(after, 'id')).toHaveAttribute('aria-sort', 'descending');
    await expect.poll(() => widthOf(after)).toBe(first + 16);
  });

  it('keeps the widths that suited the first rows when other rows are the first ones', async () => {
    const services = exampleServices();
    const before = await renderProducts(services);
    const widths = (grid: typeof before): readonly number[] =>
      grid
        .getByRole('columnheader')
        .elements()
        .map((one) => one.getBoundingClientRect().width);
    // Measured when the first rows are on the screen, which is a frame after them.
    let first: readonly number[] = [];
    await expect
      .poll(async () => {
        first = widths(before);
        await new Promise((resolve) => setTimeout(resolve, 100));
        return widths(before);
      })
      .toSatisfy((later) => JSON.stringify(later) === JSON.stringify(first));
    await header(before, 'id').getByRole('button').click();
    await header(before, 'id').getByRole('button').click();
    await expect.element(cell(before, 'Jacket 1000')).toBeInViewport();
    await renderWindow(services, 'products');
    const after = page.getByRole('grid', { name: 'Rows of products' });
    await expect.element(cell(after, 'Jacket 1000')).toBeInViewport();
    await expect.poll(() => widths(after)).toEqual(first);
  });

  it('shows no number, date or id that is cut, however narrow its column is', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Lamp 1').click();
    await press('{ArrowUp}');
    for (let column = 0; column < header(grid, '').elements().length; column += 1) {
      await press(`{Alt>}${'{ArrowLeft}'.repeat(12)}{/Alt}{ArrowRight}`);
    }
    const barcode = cell(grid, '9007199254740993');
    await expect.element(barcode).toHaveAttribute('title', '9007199254740993');
    await expect.element(cell(grid, '2026-03-01T08:30:00Z').first()).toHaveAttribute('data-cut');
    // Words end in an ellipsis, and a price keeps its whole part.
    await expect.element(cell(grid, 'Kettle 3')).not.toHaveAttribute('data-cut');
    const misread = grid
      .getByRole('gridcell')
      .elements()
      .filter((one) => one.scrollWidth > one.clientWidth && !/[a-z]{2}/i.test(one.textContent))
      .filter((one) => !one.textContent.includes('.'))
      .map((one) => one.textContent);
    expect(misread).toEqual([]);
    await barcode.click();
    await press('{F2}');
    await expect.element(page.getByRole('textbox', { name: 'Edit barcode' })).toHaveValue('9007199254740993');
  });

  it('opens the menu of a column from the keyboard, and Escape brings the focus back to the grid', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Lamp 1').click();
    await press('{ArrowUp}{Alt>}{ArrowDown}{/Alt}');
    const menu = page.getByRole('menu', { name: 'Actions for name' });
    await expect.element(menu.getByRole('menuitem', { name: 'Hide column' })).toBeVisible();
    await press('{Escape}');
    await expect.element(menu).not.toBeInTheDocument();
    await expect.element(grid).toHaveFocus();
  });

  it('hides a column from its menu, and “Columns…” shows it again', async () => {
    const grid = await renderProducts();
    await header(grid, 'brand').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Hide column' }).click();
    await expect.element(header(grid, 'brand')).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Columns…' }).click();
    await page.getByRole('checkbox', { name: 'Show brand' }).click();
    await expect.element(header(grid, 'brand')).toBeVisible();
  });

  it('widens a column with Alt and an arrow key', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Lamp 1').click();
    const before = header(grid, 'name').element().getBoundingClientRect().width;
    await press('{ArrowUp}{Alt>}{ArrowRight}{/Alt}');
    await expect.poll(() => header(grid, 'name').element().getBoundingClientRect().width).toBe(before + 16);
  });

  it('widens a column by drawing its edge', async () => {
    const grid = await renderProducts();
    const before = header(grid, 'name').element().getBoundingClientRect();
    await userEvent.dragAndDrop(page.getByTitle(/^Width of name:/), header(grid, 'price'));
    await expect.poll(() => header(grid, 'name').element().getBoundingClientRect().width).toBeGreaterThan(before.width + 50);
  });

  it('fits a column to its cells by a double click on its edge, which says so', async () => {
    const grid = await renderProducts();
    const width = (): number => header(grid, 'name').element().getBoundingClientRect().width;
    const before = width();
    await userEvent.dragAndDrop(page.getByTitle(/^Width of name:/), header(grid, 'price'));
    await expect.poll(width).toBeGreaterThan(before + 50);
    await page.getByTitle(/^Width of name: .*double-click/).dblClick();
    await expect.poll(width).toBeLessThan(before + 50);
    const { scrollWidth, clientWidth } = cell(grid, 'Lamp 1').element();
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
  });

  it('moves a column from the keyboard', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Lamp 1').click();
    await press('{ArrowUp}{Alt>}{Shift>}{ArrowRight}{/Shift}{/Alt}');
    await expect.element(header(grid, 'name')).toHaveAttribute('aria-colindex', '4');
    await expect.element(header(grid, 'brand')).toHaveAttribute('aria-colindex', '3');
  });
});

describe('finding and going', () => {
  it('finds text in the loaded rows, and Enter goes from match to match', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Lamp 1').click();
    await press('{Control>}f{/Control}');
    const field = page.getByRole('textbox', { name: 'Find in loaded rows' });
    await expect.element(field).toHaveFocus();
    await userEvent.keyboard('Kettle');
    await expect.element(page.getByRole('status').filter({ hasText: /of 40/ })).toBeVisible();
    await press('{Enter}{Enter}');
    await expect.element(cell(grid, 'Kettle 8')).toHaveAttribute('data-found', 'current');
  });

  it('closes the search with Escape, and the grid has the focus again', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Lamp 1').click();
    await press('{Control>}f{/Control}nothing like it');
    await expect.element(page.getByText(/^No match/)).toBeVisible();
    await press('{Escape}');
    await expect.element(page.getByRole('search', { name: 'Find in loaded rows' })).not.toBeInTheDocument();
    await expect.element(grid).toHaveFocus();
  });

  it('goes to a row by its number', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Lamp 1').click();
    await press('{Control>}g{/Control}');
    await expect.element(page.getByRole('textbox', { name: 'Row' })).toHaveFocus();
    await press('777{Enter}');
    await expect.element(cell(grid, 'Chair 777')).toHaveAttribute('aria-selected', 'true');
  });

  it('says which rows there are to go to', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Lamp 1').click();
    await press('{Control>}g{/Control}');
    const dialog = page.getByRole('dialog', { name: 'Go to' });
    await expect.element(dialog.getByRole('textbox', { name: 'Row' })).toHaveFocus();
    await press('5000{Enter}');
    await expect.element(dialog.getByText('Enter a number from 1 to 1,000.')).toBeVisible();
    await press('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(grid).toHaveFocus();
  });
});

describe('a grid that becomes wider', () => {
  it('draws the columns that come into sight, also after a scroll that brought no other column', async () => {
    await page.viewport(700, 500);
    try {
      const grid = await renderProducts();
      const element = grid.element();
      const lastEdge = (): number =>
        Math.max(
          ...grid
            .getByRole('columnheader')
            .elements()
            .map((header) => header.getBoundingClientRect().right),
        );
      for (let left = 0; left < 120; left += 20) {
        element.scrollLeft = left;
        await expect.poll(() => element.scrollLeft).toBe(left);
        await page.viewport(700, 500);
        await expect.poll(() => lastEdge()).toBeGreaterThanOrEqual(element.getBoundingClientRect().right - 20);
        await page.viewport(820, 500);
        await expect.poll(() => lastEdge()).toBeGreaterThanOrEqual(element.getBoundingClientRect().right - 20);
      }
    } finally {
      await page.viewport(1280, 800);
    }
  });
});
