import { describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { PRODUCTS_DESCRIPTION } from '../testing/exampleTable.test-helper.ts';
import { cell, header } from '../testing/gridSteps.test-helper.ts';
import { exampleServices, press, renderProducts } from '../testing/renderWindow.test-helper.tsx';

/** The products, whose brand has a default and a comment, and whose key and note the database writes. */
async function renderPresets() {
  const services = exampleServices();
  const described = {
    ...PRODUCTS_DESCRIPTION,
    columns: PRODUCTS_DESCRIPTION.columns.map((column) => {
      if (column.name === 'id') return { ...column, generated: { kind: 'identityAlways' as const } };
      if (column.name === 'brand') return { ...column, default: "'Aalto'", comment: 'As on the box' };
      return column.name === 'note' ? { ...column, generated: { kind: 'virtual' as const, expression: 'lower(name)' } } : column;
    }),
  };
  vi.spyOn(services.tables, 'describe').mockResolvedValue(described);
  return renderProducts(services);
}

describe('a column that the database fills', () => {
  it('has its comment and default in the header', async () => {
    const grid = await renderPresets();
    await expect
      .element(header(grid, 'brand'))
      .toHaveAttribute('aria-description', expect.stringMatching(/As on the box\nDefault 'Aalto'$/));
    await expect
      .element(header(grid, 'id'))
      .toHaveAttribute('aria-description', expect.stringMatching(/Numbered by the database, always$/));
    await header(grid, 'brand').getByRole('button').hover();
    await expect.element(page.getByRole('tooltip').getByText(/As on the box/)).toBeVisible();
  });

  it('shows a new row the value that it will get, in the grid and in the inspector', async () => {
    const grid = await renderPresets();
    await page.getByRole('button', { name: 'Insert row' }).first().click();
    await cell(grid, "'Aalto'").click();
    await press('{Control>}i{/Control}');
    await page.getByText('Fields', { exact: true }).click();
    await expect.element(page.getByRole('textbox', { name: 'Value of brand' })).toHaveAttribute('placeholder', "'Aalto'");
    await expect.element(page.getByRole('textbox', { name: 'Value of brand' })).toHaveValue('');
  });

  it('takes no value in a new row where the database writes it itself, and says why', async () => {
    const grid = await renderPresets();
    await page.getByRole('button', { name: 'Insert row' }).first().click();
    await cell(grid, 'Numbered by the database, always').click();
    await press('{F2}');
    await expect
      .element(page.getByText('Numbered by the database, always. A new row takes no value here.').first())
      .toBeVisible();
    await expect.element(grid.getByRole('textbox')).not.toBeInTheDocument();
  });
});
