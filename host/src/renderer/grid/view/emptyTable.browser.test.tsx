import { describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { OtherWriter } from '../../testing/exampleTable.test-helper.ts';
import { exampleServices, renderWindow } from '../../testing/renderWindow.test-helper.tsx';

const overlay = () => page.getByRole('heading', { name: 'No rows' }).element().parentElement as HTMLElement;
const inOverlay = (name: string) => page.elementLocator(overlay()).getByRole('button', { name });

function withoutRows(): ReturnType<typeof exampleServices> {
  const others = new OtherWriter();
  for (const [id] of others.rows()) others.delete(Number(id));
  return exampleServices({}, others);
}

describe('a table without rows', () => {
  it('offers to insert one', async () => {
    await renderWindow(withoutRows(), 'products');
    await expect.element(page.getByRole('heading', { name: 'No rows' })).toBeVisible();
    await inOverlay('Insert row').click();
    await expect.element(page.getByRole('gridcell', { name: 'required' })).toBeVisible();
    await expect.element(page.getByText('1 change', { exact: true })).toBeVisible();
    await expect.element(page.getByRole('heading', { name: 'No rows' })).not.toBeInTheDocument();
  });

  it('offers only to read it again where nothing can be written', async () => {
    const services = withoutRows();
    vi.spyOn(services.editing, 'ability').mockResolvedValue({ allowed: false, reason: 'The connection is read-only.' });
    await renderWindow(services, 'products');
    await expect.element(page.getByRole('heading', { name: 'No rows' })).toBeVisible();
    await expect.element(inOverlay('Reload rows')).toBeVisible();
    await expect.element(inOverlay('Insert row')).not.toBeInTheDocument();
  });
});
