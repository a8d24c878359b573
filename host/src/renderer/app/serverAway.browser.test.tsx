import { DriverError } from '@tabularium/sdk';
import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { exampleServices, renderProducts } from '../testing/renderWindow.test-helper.tsx';

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
