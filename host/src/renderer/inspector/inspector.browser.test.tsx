import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cell } from '../testing/gridSteps.test-helper.ts';
import { press, renderProducts } from '../testing/renderWindow.test-helper.tsx';

const panel = page.getByRole('complementary', { name: /^(Value|Row)$/ });

/** Opens the inspector beside a cell. */
async function inspect(shown: string) {
  const grid = await renderProducts();
  await cell(grid, shown).click();
  await press('{Control>}i{/Control}');
  await expect.element(panel).toBeVisible();
  return grid;
}

describe('the inspector', () => {
  it('opens with Ctrl+I on the active cell, and closes with Escape', async () => {
    const grid = await inspect('9007199254740993');
    await expect.element(panel.getByLabelText('Value of barcode')).toHaveValue('9007199254740993');
    await press('{Escape}');
    await expect.element(panel).not.toBeInTheDocument();
    await expect.element(grid).toHaveFocus();
  });

  it('follows the active cell', async () => {
    await inspect('Note of 1');
    await expect.element(panel.getByText('Note of 1')).toBeVisible();
    await press('{ArrowDown}');
    await expect.element(panel.getByText('Note of 2')).toBeVisible();
  });

  it('shows all fields of the row, and says which cannot be edited', async () => {
    await inspect('Lamp 1');
    await panel.getByText('Fields', { exact: true }).click();
    await expect.element(panel.getByLabelText('Value of barcode')).toHaveValue('9007199254740993');
    await expect.element(panel.getByRole('img', { name: /The id names the row/ })).toBeVisible();
  });

  it('stages a field with Enter', async () => {
    const grid = await inspect('Lamp 1');
    await panel.getByText('Fields', { exact: true }).click();
    await userEvent.fill(panel.getByLabelText('Value of price'), '99.25');
    await press('{Enter}');
    await expect.element(cell(grid, '99.25')).toHaveAttribute('data-changed', 'true');
  });

  it('takes Escape in a field as “leave it as it was”', async () => {
    await inspect('Lamp 1');
    await panel.getByText('Fields', { exact: true }).click();
    const price = panel.getByLabelText('Value of price');
    await userEvent.fill(price, '99.25');
    await press('{Escape}');
    await expect.element(price).toHaveValue('0.5');
    await expect.element(panel).toBeVisible();
  });

  it('rejects an invalid number in place', async () => {
    await inspect('Lamp 1');
    await panel.getByText('Fields', { exact: true }).click();
    await userEvent.fill(panel.getByLabelText('Value of price'), 'dear');
    await press('{Enter}');
    await expect.element(panel.getByText('Not changed: enter a number.')).toBeVisible();
  });

  it('finds a field by its name', async () => {
    await inspect('Lamp 1');
    await panel.getByText('Fields', { exact: true }).click();
    await userEvent.fill(panel.getByRole('textbox', { name: 'Find in the row' }), 'barc');
    await expect.element(panel.getByLabelText('Value of barcode')).toBeVisible();
    await expect.element(panel.getByLabelText('Value of price')).not.toBeInTheDocument();
  });

  it('sets a field to null from its menu', async () => {
    const grid = await inspect('Note of 1');
    await panel.getByText('Fields', { exact: true }).click();
    await panel.getByRole('button', { name: 'Actions for note' }).click();
    await page.getByRole('menuitem', { name: 'Set to null' }).click();
    await expect.element(cell(grid, 'Note of 1')).not.toBeInTheDocument();
    await expect.element(cell(grid, 'null').first()).toHaveAttribute('data-changed', 'true');
  });

  it('shows the row as JSON, the large number as its digits', async () => {
    await inspect('Lamp 1');
    await panel.getByText('JSON', { exact: true }).click();
    const text = panel.getByRole('textbox', { name: 'Row as JSON' });
    await expect.element(text.getByText('9007199254740993')).toBeVisible();
    await panel.getByText('Tree', { exact: true }).click();
    await expect.element(panel.getByRole('treeitem', { name: /barcode.*9007199254740993/ })).toBeVisible();
  });

  it('stages a text with Enter, without a line break; Shift+Enter is one', async () => {
    const grid = await inspect('Lamp 1');
    const name = panel.getByLabelText('Value of name', { exact: true });
    await name.click();
    await press('{Control>}a{/Control}Floor lamp{Enter}');
    await expect.element(cell(grid, 'Floor lamp')).toHaveAttribute('data-changed', 'true');
    await expect.element(name).toHaveValue('Floor lamp');
    await name.click();
    await press('{Control>}a{/Control}two{Shift>}{Enter}{/Shift}lines{Enter}');
    await expect.element(name).toHaveValue('two\nlines');
  });

  it('stages a field that was typed into when a cell of another row is clicked', async () => {
    const grid = await inspect('Lamp 1');
    const name = panel.getByLabelText('Value of name', { exact: true });
    await name.click();
    await press('{Control>}a{/Control}Floor lamp');
    await cell(grid, 'Kettle 3').click();
    await expect.element(cell(grid, 'Floor lamp')).toHaveAttribute('data-changed', 'true');
    await expect.element(name).toHaveValue('Kettle 3');
    await expect.element(page.getByText('1 change', { exact: true })).toBeVisible();
    await panel.getByLabelText('Value of price').click();
    await press('{Control>}a{/Control}dear');
    await cell(grid, 'Bottle 4').click();
    await expect.element(page.getByText(/What was typed for price is not kept: “dear”/)).toBeVisible();
    await expect.element(page.getByText('1 change', { exact: true })).toBeVisible();
  });

  it('keeps a value that is typed with its row when another cell is chosen, and when it is closed and opened again', async () => {
    const grid = await inspect('Lamp 1');
    await panel.getByText('Value', { exact: true }).click();
    await panel.getByRole('button', { name: 'Edit', exact: true }).click();
    const text = panel.getByRole('textbox', { name: 'Edit name' });
    await text.click();
    await press('{Control>}a{/Control}Floor lamp');
    await cell(grid, 'Kettle 3').click();
    await expect.element(text).toHaveValue('Floor lamp');
    await expect.element(panel.getByText('Row 1', { exact: true })).toBeVisible();
    await press('{Escape}');
    await expect.element(panel).not.toBeInTheDocument();
    await press('{Control>}i{/Control}');
    await expect.element(text).toHaveValue('Floor lamp');
    await panel.getByRole('button', { name: 'Stage the change', exact: true }).click();
    await expect.element(cell(grid, 'Floor lamp')).toHaveAttribute('data-changed', 'true');
    await expect.element(cell(grid, 'Kettle 3')).not.toHaveAttribute('data-changed');
  });

  it('asks before Escape or Cancel discards JSON that was typed', async () => {
    await inspect('Lamp 1');
    await panel.getByText('JSON', { exact: true }).click();
    await panel.getByRole('button', { name: 'Edit as JSON' }).click();
    const text = panel.getByRole('textbox', { name: 'Row as JSON' });
    await expect.element(text).toHaveFocus();
    await press(' ');
    await press('{Escape}');
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await expect.element(panel.getByRole('button', { name: 'Stage the changes' })).toBeVisible();
    await panel.getByRole('button', { name: 'Cancel' }).click();
    await question.getByRole('button', { name: 'Discard', exact: true }).click();
    await expect.element(panel.getByRole('button', { name: 'Edit as JSON' })).toBeVisible();
  });
});
