import { DriverError } from '@tabularium/sdk';
import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { exampleServices, renderProducts, renderWindow } from '../testing/renderWindow.test-helper.tsx';

/** Longer than the first pause. */
const RETURN_MILLISECONDS = 10_000;

it('the window says that the server is not reachable until it answers again', async () => {
  const services = exampleServices();
  await renderProducts(services);
  const textIn = (region: string) => document.querySelector(`[data-region='${region}']`)?.textContent;
  const { tables } = services;
  const list = tables.list.bind(tables);
  let isAway = true;
  vi.spyOn(tables, 'list').mockImplementation((...asked) =>
    isAway ? Promise.reject(new DriverError('CONNECTION_LOST')) : list(...asked),
  );
  const refresh = page.getByRole('navigation').getByRole('button', { name: /^(Refresh|Reload)/ });
  await refresh.click();
  await expect.poll(() => textIn('status')).toContain('Server not reachable');
  expect(textIn('title')).toContain('· Not reachable');
  isAway = false;
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await expect.poll(() => textIn('status')).not.toContain('Server not reachable');
  expect(textIn('title')).not.toContain('Not reachable');
});

it('a table that could not be opened is read when the server answers again, without a press', async () => {
  const services = exampleServices();
  const { tables } = services;
  const [list, describeTable] = [tables.list.bind(tables), tables.describe.bind(tables)];
  let isAway = true;
  let asked = 0;
  vi.spyOn(tables, 'list').mockImplementation((...input) => {
    asked += 1;
    return isAway && asked > 1 ? Promise.reject(new DriverError('CONNECTION_REFUSED')) : list(...input);
  });
  vi.spyOn(tables, 'describe').mockImplementation((...input) =>
    isAway ? Promise.reject(new DriverError('CONNECTION_REFUSED')) : describeTable(...input),
  );
  await renderWindow(services, 'products');
  await expect.element(page.getByText(/^The structure of “products” couldn.t be read$/)).toBeVisible();
  await expect.element(page.getByRole('main').getByRole('button', { name: 'Try again' })).toBeVisible();
  isAway = false;
  const grid = page.getByRole('grid', { name: 'Rows of products' });
  await expect
    .element(grid.getByRole('gridcell', { name: 'Lamp 1', exact: true }), { timeout: RETURN_MILLISECONDS })
    .toBeVisible();
  expect(document.querySelector("[data-region='status']")?.textContent).not.toContain('Server not reachable');
});

it('a server that rejects the credential is not asked over and over', async () => {
  const services = exampleServices();
  await renderProducts(services);
  const { tables } = services;
  let failure: DriverError = new DriverError('CONNECTION_LOST');
  const listed = vi.spyOn(tables, 'list').mockImplementation(() => Promise.reject(failure));
  await page
    .getByRole('navigation')
    .getByRole('button', { name: /^(Refresh|Reload)/ })
    .click();
  await expect.poll(() => document.querySelector("[data-region='status']")?.textContent).toContain('Server not reachable');
  failure = new DriverError('ACCESS_REFUSED');
  const before = listed.mock.calls.length;
  await expect.poll(() => listed.mock.calls.length, { timeout: RETURN_MILLISECONDS }).toBe(before + 1);
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  expect(listed.mock.calls.length).toBe(before + 1);
});
