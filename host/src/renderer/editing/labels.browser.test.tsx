import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { PRODUCTS_DESCRIPTION } from '../testing/exampleTable.test-helper.ts';
import { cell } from '../testing/gridSteps.test-helper.ts';
import { exampleServices, press, renderProducts } from '../testing/renderWindow.test-helper.tsx';

const BRAND = 'Aalto';
const LABELS = ['Acme', 'Aalto', 'Kinto', 'Lumen', 'Muji', 'Muuto'];

/** The products, whose brand is one of some labels. */
async function renderLabels(labels: readonly string[] = LABELS) {
  const services = exampleServices();
  const columns = PRODUCTS_DESCRIPTION.columns.map((column) =>
    column.name === 'brand' ? { ...column, kind: 'enum' as const, values: labels } : column,
  );
  vi.spyOn(services.tables, 'describe').mockResolvedValue({ ...PRODUCTS_DESCRIPTION, columns });
  const grid = await renderProducts(services);
  const brand = grid.getByRole('gridcell', { name: BRAND, exact: true }).first();
  return { grid, brand };
}

const editor = page.getByRole('combobox', { name: 'Edit brand' });
const options = page.getByRole('listbox', { name: 'Values of brand' }).getByRole('option');
const option = (name: string) => page.getByRole('option', { name, exact: true });
const review = page.getByRole('button', { name: 'Review…' });

describe('a cell of labels', () => {
  it('opens their list with its own label, and takes the one that the arrow keys choose', async () => {
    const { grid, brand } = await renderLabels();
    await brand.click();
    await press('{F2}');
    await expect.element(editor).toHaveFocus();
    await expect.element(option(BRAND)).toHaveAttribute('aria-selected', 'true');
    expect(options.elements()).toHaveLength(LABELS.length);
    await press('{ArrowUp}');
    const before = LABELS.at((LABELS.indexOf(BRAND) - 1) % LABELS.length) ?? '';
    await expect.element(option(before)).toHaveAttribute('aria-selected', 'true');
    await press('{Enter}');
    await expect.element(editor).not.toBeInTheDocument();
    await expect.element(cell(grid, before).first()).toHaveAttribute('data-changed', 'true');
  });

  it('finds a label by a part of it, and takes the first that it finds', async () => {
    const { grid, brand } = await renderLabels();
    await brand.click();
    await press('mu');
    await expect.element(editor).toHaveValue('mu');
    expect(options.elements().map((element) => element.textContent)).toEqual(['Muji', 'Muuto']);
    await press('{ArrowDown}{Tab}');
    await expect.element(cell(grid, 'Muuto').first()).toHaveAttribute('data-changed', 'true');
  });

  it('distinguishes the empty label from no value', async () => {
    const services = exampleServices();
    const columns = PRODUCTS_DESCRIPTION.columns.map((column) =>
      column.name === 'note' ? { ...column, kind: 'enum' as const, values: ['', 'Note of 1'] } : column,
    );
    vi.spyOn(services.tables, 'describe').mockResolvedValue({ ...PRODUCTS_DESCRIPTION, columns });
    const grid = await renderProducts(services);
    const missing = grid.getByRole('gridcell', { name: 'null', exact: true }).first();
    await missing.dblClick();
    await press('{Enter}');
    await expect.element(review).not.toBeInTheDocument();
    await missing.dblClick();
    await press('{ArrowDown}{Enter}');
    await expect
      .element(grid.getByRole('gridcell', { name: 'empty', exact: true }).first())
      .toHaveAttribute('data-changed', 'true');
  });

  it('takes a label that is clicked, and stays at its cell', async () => {
    const { grid, brand } = await renderLabels();
    await brand.dblClick();
    await option('Muji').click();
    await expect.element(editor).not.toBeInTheDocument();
    await expect.element(cell(grid, 'Muji').first()).toHaveAttribute('data-changed', 'true');
    await expect.element(cell(grid, 'Muji').first()).toHaveAttribute('data-active');
  });

  it('keeps a text beside the labels in the editor, with the labels; Escape leaves the cell as it was', async () => {
    const { grid, brand } = await renderLabels();
    await brand.click();
    await press('{F2}{Control>}a{/Control}');
    await userEvent.keyboard('Ikea');
    await press('{Enter}');
    await expect.element(page.getByRole('alert').filter({ hasText: /enter one of “Acme”, “Aalto”/ })).toBeVisible();
    await expect.element(editor).toHaveValue('Ikea');
    await press('{Escape}');
    await expect.element(editor).not.toBeInTheDocument();
    await expect.element(review).not.toBeInTheDocument();
    await expect.element(cell(grid, BRAND).first()).toBeVisible();
  });

  it('takes the label that the arrow keys chose where the focus leaves, and stages nothing where none was chosen', async () => {
    const { grid, brand } = await renderLabels();
    await brand.click();
    await press('{F2}');
    await cell(grid, 'Lamp 1').click();
    await expect.element(editor).not.toBeInTheDocument();
    await expect.element(review).not.toBeInTheDocument();
    await brand.click();
    await press('{F2}{ArrowDown}');
    await cell(grid, 'Lamp 1').click();
    await expect.element(editor).not.toBeInTheDocument();
    await expect.element(cell(grid, 'Kinto').first()).toHaveAttribute('data-changed', 'true');
  });

  it.each([
    ['ACTIVE', 'active'],
    ['active ', 'active'],
    ['act', 'active'],
    ['rea', 'reactivate'],
    ['DRAFT', 'Draft'],
    ['yes', undefined],
    ['draft ', 'draft '],
  ])('takes for %j the label %j', async (typed, label) => {
    const { grid, brand } = await renderLabels([BRAND, 'inactive', 'active', 'reactivate', 'Draft', 'draft ', 'Yes', 'YES']);
    await brand.click();
    await press('{F2}{Control>}a{/Control}');
    await userEvent.keyboard(typed);
    await press('{Enter}');
    if (label === undefined) await expect.element(page.getByRole('alert').filter({ hasText: /enter one of/ })).toBeVisible();
    else await expect.poll(() => grid.element().querySelector('[data-changed]')?.textContent).toBe(label);
  });

  it('shows blanks at the ends of labels, and the cell’s own label among a thousand', async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => `label ${at}`);
    await renderLabels([...many.slice(0, 900), BRAND, ' ', '  ', 'a ', ' a', ...many.slice(900)]);
    const brand = page.getByRole('gridcell', { name: BRAND, exact: true }).first();
    await brand.click();
    await press('{F2}');
    await expect.element(option(BRAND)).toHaveAttribute('aria-selected', 'true');
    const texts = options.elements().map((element) => element.textContent);
    expect(texts).toEqual(expect.arrayContaining(['·', '··', 'a·', '·a']));
    await expect.element(page.getByText('805 more: type to find them')).toBeInTheDocument();
  });

  it('keeps the wheel from the table behind the list', async () => {
    const { grid, brand } = await renderLabels();
    await brand.click();
    await press('{F2}');
    const wheel = new WheelEvent('wheel', { deltaY: 400, bubbles: true, cancelable: true });
    option(BRAND).element().dispatchEvent(wheel);
    expect(wheel.defaultPrevented).toBe(true);
    expect(grid.element().scrollTop).toBe(0);
  });

  it('is a list in the inspector', async () => {
    const { grid, brand } = await renderLabels();
    await brand.click();
    await press('{Control>}i{/Control}');
    await page.getByText('Fields', { exact: true }).click();
    const field = page.getByRole('combobox', { name: 'Value of brand' });
    await expect.element(field).toHaveDisplayValue(BRAND);
    await userEvent.selectOptions(field, 'Muuto');
    await expect.element(cell(grid, 'Muuto').first()).toHaveAttribute('data-changed', 'true');
  });
});
