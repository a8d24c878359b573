import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { cell } from '../testing/gridSteps.test-helper.ts';
import { exampleServices, press, renderProducts } from '../testing/renderWindow.test-helper.tsx';

it('why a cell can’t be edited is in the status bar until another cell is the active one', async () => {
  const services = exampleServices();
  vi.spyOn(services.editing, 'ability').mockResolvedValue({ allowed: false, reason: 'The table has no key.' });
  const grid = await renderProducts(services);
  const refusal = page.getByRole('status').getByText('Read-only: The table has no key.');
  await cell(grid, 'Lamp 1').click();
  await press('{F2}');
  await expect.element(refusal).toBeVisible();
  // Keys that leave the active cell where it is leave the reason, too.
  await press('{Shift}');
  await expect.element(refusal).toBeVisible();
  await press('{ArrowDown}');
  await expect.element(refusal).not.toBeInTheDocument();
  await cell(grid, 'Kettle 3').click();
  await press('{F2}');
  await expect.element(refusal).toBeVisible();
});
