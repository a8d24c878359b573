import { DriverError } from '@tabularium/sdk';
import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { exampleServices, renderProducts } from '../testing/renderWindow.test-helper.tsx';

it('the window says that the server is not reachable until it answers again', async () => {
  const services = exampleServices();
  await renderProducts(services);
  const status = page.getByRole('contentinfo');
  const title = page.getByRole('region', { name: 'Title bar' });
  const { tables } = services;
  const list = tables.list.bind(tables);
  let isAway = true;
  vi.spyOn(tables, 'list').mockImplementation((...asked) =>
    isAway ? Promise.reject(new DriverError('CONNECTION_LOST')) : list(...asked),
  );
  const refresh = page.getByRole('navigation').getByRole('button', { name: /^(Refresh|Reload)/ });
  await refresh.click();
  await expect.element(status.getByText('Server not reachable')).toBeVisible();
  await expect.element(title.getByText('· Not reachable')).toBeVisible();
  isAway = false;
  await refresh.click();
  await expect.element(status.getByText('Server not reachable')).not.toBeInTheDocument();
  await expect.element(title.getByText('· Not reachable')).not.toBeInTheDocument();
});
