import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Locator } from 'vitest/browser';
import { OtherWriter } from '../testing/exampleTable.test-helper.ts';
import { cell, header } from '../testing/gridSteps.test-helper.ts';
import { exampleServices, press, renderProducts } from '../testing/renderWindow.test-helper.tsx';

// Rows come and go under a person's hands: what is typed changes the row that was meant, which is looked at in the table itself.

async function begin(): Promise<{ readonly grid: Locator; readonly others: OtherWriter }> {
  const others = new OtherWriter();
  return { grid: await renderProducts(exampleServices({}, others)), others };
}

const reload = (): Promise<void> => page.getByRole('button', { name: 'Reload rows' }).click();
/** As Shift+Tab from the button does. */
const focusGrid = (grid: Locator): void => (grid.element() as HTMLElement).focus();
const changes = (text: string): Locator => page.getByText(text, { exact: true });

async function save(count: string): Promise<void> {
  await page.getByRole('button', { name: 'Review…' }).click();
  await page
    .getByRole('dialog', { name: 'Changes of products' })
    .getByRole('button', { name: `Save ${count}` })
    .click();
  await expect.element(page.getByText(`Saved ${count} of products`)).toBeVisible();
}

describe('while rows move', () => {
  it('a change stays with its row when others insert and delete rows above it, and when the rows are sorted', async () => {
    const { grid, others } = await begin();
    await cell(grid, 'Lamp 6').click();
    await press('{F2}{Control>}a{/Control}Floor lamp{Enter}');
    await expect.element(changes('1 change')).toBeVisible();
    others.add(3);
    others.delete(2);
    await reload();
    await expect.element(cell(grid, 'New 3')).toBeVisible();
    await expect.element(cell(grid, 'Floor lamp')).toHaveAttribute('data-changed', 'true');
    await cell(grid, 'Kettle 8').click();
    await press('{F2}{Control>}a{/Control}Teapot{Enter}');
    await header(grid, 'name').getByRole('button').first().click();
    await expect.element(header(grid, 'name')).toHaveAttribute('aria-sort', 'ascending');
    await cell(grid, 'Bottle 104').click();
    await press('Jug{Enter}');
    await expect.element(changes('3 changes')).toBeVisible();
    const before = others.rows().map(([id, name]) => [id, name]);
    await save('3 changes');
    const wanted = new Map<unknown, string>([
      [6, 'Floor lamp'],
      [8, 'Teapot'],
      [104, 'Jug'],
    ]);
    expect(others.rows().map(([id, name]) => [id, name])).toEqual(before.map(([id, name]) => [id, wanted.get(id) ?? name]));
  });

  it('an inserted row takes what is typed next, also from far down and right, and no other row does', async () => {
    const { grid, others } = await begin();
    await cell(grid, 'Kettle 3').click();
    await press('{Control>}{End}{/Control}');
    await expect.element(cell(grid, 'Note of 1000').or(cell(grid, '1000'))).toBeVisible();
    await page.getByRole('button', { name: 'Insert row' }).click();
    await expect.element(grid.getByRole('gridcell', { selected: true })).toHaveAttribute('data-column', '1');
    await press('Teapot{Enter}');
    await expect.element(changes('1 change')).toBeVisible();
    await expect.element(grid.getByRole('row', { name: /Teapot/ })).toHaveAttribute('data-staged', 'insert');
    const before = others.rows();
    await save('1 change');
    // The new row has a key above those of the example.
    expect(others.rows().filter(([id]) => Number(id) <= 1_000)).toEqual(before);
  });
});

describe('the selection', () => {
  const selected = (grid: Locator): Locator => grid.getByRole('gridcell', { selected: true });

  it('stays with its row when others delete and add rows above it, and Delete reaches that row', async () => {
    const { grid, others } = await begin();
    await cell(grid, 'Kettle 8').click();
    others.delete(3);
    await reload();
    await expect.element(cell(grid, 'Kettle 3')).not.toBeInTheDocument();
    await expect.element(selected(grid)).toHaveTextContent('Kettle 8');
    others.add(2);
    await reload();
    await expect.element(cell(grid, 'New 2')).toBeVisible();
    await expect.element(selected(grid)).toHaveTextContent('Kettle 8');
    focusGrid(grid);
    await press('{Delete}');
    await expect.element(grid.getByRole('row', { name: /Kettle 8 / })).toHaveAttribute('data-staged', 'delete');
  });

  it('is empty when somebody deleted its row, so that no key reaches another one', async () => {
    const { grid, others } = await begin();
    await cell(grid, 'Kettle 8').click();
    others.delete(8);
    await reload();
    await expect.element(cell(grid, 'Kettle 8')).not.toBeInTheDocument();
    await expect.element(selected(grid)).not.toBeInTheDocument();
    focusGrid(grid);
    await press('{Delete}');
    await press('x');
    await expect.element(changes('1 change')).not.toBeInTheDocument();
  });

  it('of several rows is the active cell alone when one of them is another row now', async () => {
    const { grid, others } = await begin();
    await cell(grid, 'Lamp 6').click();
    await press('{Shift>}{ArrowDown}{ArrowDown}{ArrowDown}{/Shift}');
    await expect.poll(() => selected(grid).elements().length).toBe(4);
    others.delete(7);
    await reload();
    await expect.element(cell(grid, 'Chair 7')).not.toBeInTheDocument();
    await expect
      .poll(() =>
        selected(grid)
          .elements()
          .map(({ textContent }) => textContent),
      )
      .toEqual(['Lamp 6']);
  });
});

describe('a new row that was saved', () => {
  it('has the active cell still, where the table has the row; what is typed next changes no other', async () => {
    const { grid, others } = await begin();
    others.add(3);
    await reload();
    await expect.element(cell(grid, 'New 3')).toBeVisible();
    for (const name of ['Sofa', 'Desk']) {
      await page.getByRole('button', { name: 'Insert row' }).click();
      await expect.element(grid.getByRole('row', { name: /^\+/ }).last()).toHaveAttribute('data-active');
      await press(`${name}{Enter}`);
      await expect.element(cell(grid, name)).toBeVisible();
    }
    await cell(grid, 'Desk').click();
    await save('2 changes');
    await expect.element(cell(grid, 'Desk')).toHaveAttribute('data-active', 'true');
    await expect.element(grid.getByRole('row', { name: /^\+/ })).not.toBeInTheDocument();
    const before = others.rows().map(([id, name]) => [id, name]);
    await press('Table{Enter}');
    await expect.element(cell(grid, 'Table')).toHaveAttribute('data-changed', 'true');
    await save('1 change');
    expect(others.rows().map(([id, name]) => [id, name])).toEqual(
      before.map(([id, name]) => [id, name === 'Desk' ? 'Table' : name]),
    );
  });

  it('leaves nothing selected where the rows that are read don’t have it', async () => {
    const { grid, others } = await begin();
    await page.getByRole('button', { name: 'Insert row' }).click();
    await expect.element(grid.getByRole('row', { name: /^\+/ })).toHaveAttribute('data-active');
    await press('Sofa{Enter}');
    await cell(grid, 'Sofa').click();
    others.insert = () => 9_999;
    await save('1 change');
    await expect.element(cell(grid, 'Sofa')).not.toBeInTheDocument();
    expect(grid.element().querySelectorAll('[data-active]')).toHaveLength(0);
    await press('x{Enter}');
    await expect.element(changes('1 change')).not.toBeInTheDocument();
  });
});

describe('undo', () => {
  it('goes back over a cell, a pasted block, a deletion and a discard, each as one step, and forward again', async () => {
    const { grid } = await begin();
    await cell(grid, 'Lamp 1').click();
    await press('{F2}{Control>}a{/Control}Floor lamp{Enter}');
    await expect.element(changes('1 change')).toBeVisible();
    await cell(grid, 'Kettle 3').click();
    const data = new DataTransfer();
    data.setData('text/plain', 'Jug\nCup\nMug');
    grid.element().dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Stage/ })
      .click();
    await expect.element(changes('4 changes')).toBeVisible();
    await cell(grid, 'Lamp 6').click();
    await press('{Delete}');
    await expect.element(changes('5 changes')).toBeVisible();
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await page.getByRole('button', { name: 'Discard 5 changes' }).click();
    await expect.element(changes('5 changes')).not.toBeInTheDocument();
    await cell(grid, 'Lamp 1').click();
    const undo = '{Control>}z{/Control}';
    for (const left of ['5 changes', '4 changes', '1 change']) {
      await press(undo);
      await expect.element(changes(left)).toBeVisible();
    }
    await press(undo);
    await expect.element(changes('1 change')).not.toBeInTheDocument();
    await press('{Control>}y{/Control}');
    await expect.element(changes('1 change')).toBeVisible();
    await press('{Control>}{Shift>}z{/Shift}{/Control}');
    await expect.element(changes('4 changes')).toBeVisible();
  });
});
