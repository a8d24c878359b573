import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { followReference } from '../state/followedReferences.ts';
import { workspaceTableKey } from '../state/workspace.ts';
import { PRODUCTS } from '../testing/exampleTable.test-helper.ts';
import { cell } from '../testing/gridSteps.test-helper.ts';
import { exampleServices, press, renderProducts, renderWindow } from '../testing/renderWindow.test-helper.tsx';

const bar = page.getByRole('region', { name: 'Filter rows' });
const column = bar.getByRole('combobox', { name: 'Column' });
const operator = bar.getByRole('combobox', { name: 'Operator' });
const value = bar.getByLabelText('Value', { exact: true });
const option = (name: string | RegExp) => page.getByRole('option', { name });

/** Adds a condition and chooses its column by typing the beginning of its name. */
async function addCondition(name: string): Promise<void> {
  await bar.getByRole('button', { name: 'Filter', exact: true }).click();
  await column.last().click();
  await userEvent.keyboard(name);
  await option(new RegExp(`^${name}`)).click();
}

async function chooseOperator(words: string): Promise<void> {
  await operator.last().click();
  await option(words).click();
}

describe('the filter bar', () => {
  it('applies a condition with Enter', async () => {
    const grid = await renderProducts();
    await addCondition('name');
    await chooseOperator('contains');
    await value.click();
    await press('kettle{Enter}');
    await expect.element(page.getByText('of 200 filtered')).toBeVisible();
    await expect.element(cell(grid, 'Kettle 8')).toBeVisible();
    await expect.element(cell(grid, 'Lamp 1')).not.toBeInTheDocument();
  });

  it('takes the column whose name was typed with Enter', async () => {
    await renderProducts();
    await bar.getByRole('button', { name: 'Filter', exact: true }).click();
    await column.click();
    await press('pri{Enter}');
    await expect.element(column).toHaveValue('price');
    await column.click();
    await press('BAR{Enter}');
    await expect.element(column).toHaveValue('barcode');
  });

  it('goes to the first row when it is applied and when it is cleared, from far below as well', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Lamp 1').click();
    await press('{Control>}{End}{/Control}');
    await expect.element(cell(grid, 'Jacket 1000')).toBeInViewport();
    await addCondition('name');
    await chooseOperator('contains');
    await value.click();
    await press('kettle{Enter}');
    await expect.element(cell(grid, 'Kettle 3')).toBeInViewport();
    await userEvent.wheel(grid, { delta: { y: 100_000 } });
    await expect.element(cell(grid, 'Kettle 998')).toBeInViewport();
    await bar.getByRole('button', { name: 'Clear' }).click();
    await expect.element(cell(grid, 'Lamp 1')).toBeInViewport();
  });

  it('opens with Ctrl+Shift+F with the cursor in the value', async () => {
    const grid = await renderProducts();
    await cell(grid, 'Lamp 1').click();
    await press('{Control>}{Shift>}f{/Shift}{/Control}');
    await expect.element(value).toHaveFocus();
  });

  it('gives the focus back to the grid with Escape', async () => {
    const grid = await renderProducts();
    await addCondition('price');
    await value.click();
    await press('{Escape}');
    await expect.element(grid).toHaveFocus();
  });

  it('keeps the value when another operator is chosen', async () => {
    await renderProducts();
    await addCondition('price');
    await userEvent.fill(value, '400');
    await chooseOperator('is greater than');
    await expect.element(value).toHaveValue('400');
  });

  it('asks for two values between which rows lie', async () => {
    const grid = await renderProducts();
    await addCondition('price');
    await chooseOperator('is between');
    await userEvent.fill(bar.getByLabelText('From', { exact: true }), '37');
    await userEvent.fill(bar.getByLabelText('To', { exact: true }), '38');
    await press('{Enter}');
    await expect.element(cell(grid, 'Chair 2')).toBeVisible();
    await expect.element(cell(grid, 'Lamp 1')).not.toBeInTheDocument();
  });

  it('marks an invalid number before any request', async () => {
    const grid = await renderProducts();
    await addCondition('price');
    await value.click();
    await press('much{Enter}');
    await expect.element(bar.getByRole('alert').getByText('Enter a number.')).toBeVisible();
    await expect.element(cell(grid, 'Lamp 1')).toBeVisible();
  });

  it('folds the operators that the database refuses under one line, which shows them dimmed with their reasons', async () => {
    await renderProducts();
    await addCondition('name');
    await operator.click();
    await expect.element(option('contains')).toBeVisible();
    await expect.element(option(/matches pattern/)).not.toBeInTheDocument();
    await option(/supported: show why/).click();
    await expect.element(option(/matches pattern/).getByText('This database has no patterns.')).toBeVisible();
    await expect.element(option(/matches pattern/)).toHaveAttribute('data-combobox-disabled', 'true');
  });

  it('suggests values of the column, which the keyboard chooses', async () => {
    const grid = await renderProducts();
    await addCondition('brand');
    await value.click();
    await press('ki');
    await expect.element(option(/Kinto/)).toBeVisible();
    await expect.element(option(/Aalto/)).not.toBeInTheDocument();
    await press('{ArrowDown}{Enter}');
    await expect.element(value).toHaveValue('Kinto');
    await press('{Enter}');
    await expect.element(cell(grid, 'Chair 2')).toBeVisible();
    await expect.element(cell(grid, 'Aalto')).not.toBeInTheDocument();
  });

  it('says so when no known value fits', async () => {
    await renderProducts();
    await addCondition('brand');
    await value.click();
    await press('zz');
    await expect.element(page.getByText('No known value matches.')).toBeVisible();
  });

  it('closes the suggestions with the first Escape and leaves with the second', async () => {
    const grid = await renderProducts();
    await addCondition('brand');
    await value.click();
    await press('k');
    await expect.element(option(/Kinto/)).toBeVisible();
    await press('{Escape}');
    await expect.element(option(/Kinto/)).not.toBeInTheDocument();
    await expect.element(value).toHaveFocus();
    await press('{Escape}');
    await expect.element(grid).toHaveFocus();
  });

  it('sends a raw filter as it was typed', async () => {
    const grid = await renderProducts();
    await bar.getByRole('button', { name: 'Raw filter' }).click();
    await expect.element(bar.getByRole('textbox', { name: 'Raw filter' })).toHaveFocus();
    await press('price > 450{Enter}');
    await expect.element(cell(grid, 'Lamp 1')).not.toBeInTheDocument();
    await expect.element(cell(grid, 'Bottle 14')).toBeVisible();
  });

  it('shows beside a raw filter what the database says of it', async () => {
    await renderProducts();
    await bar.getByRole('button', { name: 'Raw filter' }).click();
    await press('nowhere{Enter}');
    await expect.element(bar.getByRole('alert').getByText('Unknown word “nowhere”.')).toBeVisible();
  });

  it('marks a filter that the database refuses, keeps the rows of the one before, and remembers that one', async () => {
    const services = exampleServices();
    const grid = await renderProducts(services);
    await bar.getByRole('button', { name: 'Raw filter' }).click();
    await press('price > 450{Enter}');
    await expect.element(cell(grid, 'Bottle 14')).toBeVisible();
    const raw = bar.getByRole('textbox', { name: 'Raw filter' });
    await raw.fill('nowhere');
    await press('{Enter}');
    await expect.element(bar.getByRole('alert').getByText('Unknown word “nowhere”.')).toBeVisible();
    await expect.element(bar.getByText('The rows are those of the last filter that worked.')).toBeVisible();
    await expect.element(raw).toHaveAttribute('aria-invalid', 'true');
    await expect.element(cell(grid, 'Bottle 14')).toBeVisible();
    await expect.element(cell(grid, 'Lamp 1')).not.toBeInTheDocument();
    await raw.fill('price > 460');
    await expect.element(bar.getByRole('alert')).not.toBeInTheDocument();
    await raw.fill('nowhere');
    await press('{Enter}');
    await expect.element(bar.getByRole('alert')).toBeVisible();

    await renderWindow(services, 'products');
    await expect.element(raw).toHaveValue('price > 450');
    const again = page.getByRole('grid', { name: 'Rows of products' });
    await expect.element(cell(again, 'Bottle 14')).toBeVisible();
    await expect.element(cell(again, 'Lamp 1')).not.toBeInTheDocument();
  });

  it('does not say of a filter that was refused that no row matches it', async () => {
    await renderProducts();
    await bar.getByRole('button', { name: 'Raw filter' }).click();
    await press('price > 99999{Enter}');
    await expect.element(page.getByText('No rows match this filter')).toBeVisible();
    await bar.getByRole('textbox', { name: 'Raw filter' }).fill('nowhere');
    await expect.element(page.getByText('No rows match this filter')).not.toBeInTheDocument();
    await press('{Enter}');
    await expect.element(bar.getByRole('alert')).toBeVisible();
    await expect.element(page.getByText('No rows matched the filter that was applied last')).toBeVisible();
    await expect.element(page.getByText('No rows match this filter')).not.toBeInTheDocument();
  });

  it('offers the filter that a closed tab had when a reference opens it', async () => {
    const services = exampleServices();
    await renderProducts(services);
    await bar.getByRole('button', { name: 'Raw filter' }).click();
    await press('price > 450{Enter}');
    await expect.element(page.getByText(/^of \d+ filtered$/)).toBeVisible();
    const [connection] = services.connectionStore.list();
    if (connection === undefined) throw new Error('The example has no connection.');
    await page.getByTitle(/^Close .*products/).click();
    await expect.element(bar).not.toBeInTheDocument();
    followReference(connection.id, workspaceTableKey(PRODUCTS), { conditions: [{ column: 'brand', text: 'Acme' }] });
    await page.getByRole('navigation', { name: 'Tables' }).getByText('products').click();
    await expect.element(page.getByText('“products” shows the referenced row in place of the former filter.')).toBeVisible();
    await page.getByRole('button', { name: 'Former filter' }).click();
    await expect.element(bar.getByRole('textbox', { name: 'Raw filter' })).toHaveValue('price > 450');
    await expect.element(cell(page.getByRole('grid', { name: 'Rows of products' }), 'Bottle 14')).toBeVisible();
  });

  it('brings back no condition that was half filled in', async () => {
    const services = exampleServices();
    await renderProducts(services);
    await addCondition('price');
    await value.click();
    await press('much{Enter}');
    await expect.element(bar.getByRole('alert').getByText('Enter a number.')).toBeVisible();
    await renderWindow(services, 'products');
    const again = page.getByRole('grid', { name: 'Rows of products' });
    await expect.element(cell(again, 'Lamp 1')).toBeVisible();
    await expect.element(column).not.toBeInTheDocument();
  });

  it('switches a condition off and on without forgetting it', async () => {
    const grid = await renderProducts();
    await addCondition('price');
    await chooseOperator('is less than');
    await userEvent.fill(value, '1');
    await press('{Enter}');
    await expect.element(cell(grid, 'Chair 2')).not.toBeInTheDocument();
    await bar.getByRole('checkbox', { name: 'Use the condition on price' }).click();
    await expect.element(cell(grid, 'Chair 2')).toBeVisible();
    await expect.element(value).toHaveValue('1');
  });

  it('shows every row again when it is cleared', async () => {
    const grid = await renderProducts();
    await addCondition('price');
    await chooseOperator('is less than');
    await userEvent.fill(value, '0');
    await press('{Enter}');
    await expect.element(page.getByRole('heading', { name: 'No rows match this filter' })).toBeVisible();
    await bar.getByRole('button', { name: 'Clear' }).click();
    await expect.element(cell(grid, 'Lamp 1')).toBeVisible();
    await expect.element(value).not.toBeInTheDocument();
  });
});
