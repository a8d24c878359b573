import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { exampleServices, press, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { ResultGrid } from './ResultGrid.tsx';

it('names its active cell to assistive technology only while the cell is drawn', async () => {
  const rows = Array.from({ length: 1_000 }, (_unused, index) => [`Row ${index + 1}`]);
  await renderPart(
    <div style={{ height: 400, display: 'grid' }}>
      <ResultGrid label="Answer" columns={[{ name: 'name', kind: 'text' }]} rows={rows} />
    </div>,
    exampleServices(),
  );
  const grid = page.getByRole('grid', { name: 'Answer' });
  const first = grid.getByRole('gridcell', { name: 'Row 1', exact: true });
  await expect.element(first).toBeVisible();
  await expect.element(grid).toHaveAttribute('aria-activedescendant', first.element().id);
  await userEvent.wheel(grid, { delta: { y: 8_000 } });
  await expect.element(first).not.toBeInTheDocument();
  await expect.element(grid).not.toHaveAttribute('aria-activedescendant');
  grid.element().focus();
  await press('{ArrowDown}');
  const second = grid.getByRole('gridcell', { name: 'Row 2', exact: true });
  await expect.element(second).toBeVisible();
  await expect.element(grid).toHaveAttribute('aria-activedescendant', second.element().id);
});
