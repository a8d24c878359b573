import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { PRODUCTS_DESCRIPTION } from '../testing/exampleTable.test-helper.ts';
import { exampleServices, renderWindow } from '../testing/renderWindow.test-helper.tsx';

it('asks before it reads the rows of a table whose reading may do more than read', async () => {
  const services = exampleServices();
  const { tables } = services;
  const readPage = tables.readPage.bind(tables);
  let pages = 0;
  tables.describe = async () => ({ ...PRODUCTS_DESCRIPTION, uncertainRead: 'the view products, which calls purge' });
  tables.readPage = async (...asked) => {
    pages += 1;
    return readPage(...asked);
  };
  await renderWindow(services, 'products');
  await expect.element(page.getByRole('heading', { name: 'Reading “products” may do more than read' })).toBeVisible();
  await expect.element(page.getByText('the view products, which calls purge', { exact: false })).toBeVisible();
  expect(pages).toBe(0);
  await page.getByRole('button', { name: 'Read the rows' }).click();
  await expect.element(page.getByRole('grid')).toBeVisible();
  await expect.poll(() => pages).toBeGreaterThan(0);
});
