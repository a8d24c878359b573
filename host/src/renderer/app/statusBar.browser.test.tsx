import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { beginActivity, notify } from '../state/notify.ts';
import { exampleServices, renderWindow } from '../testing/renderWindow.test-helper.tsx';

it('a warning that comes while work runs is shown beside it, and one from before is not', async () => {
  await renderWindow(exampleServices());
  const status = page.getByRole('contentinfo');
  notify({ tone: 'warning', text: 'An old warning.', tab: 'none' });
  await expect.element(status.getByText('An old warning.')).toBeVisible();
  const work = beginActivity('Saving 2 changes…');
  try {
    await expect.element(status.getByText('Saving 2 changes…')).toBeVisible();
    await expect.element(status.getByText('An old warning.')).not.toBeInTheDocument();
    notify({ tone: 'plain', text: 'Copied a thing.', tab: 'none' });
    await expect.element(status.getByText('Copied a thing.')).not.toBeInTheDocument();
    const again = { label: 'Try again', run: () => notify() };
    notify({ tone: 'warning', text: 'Nothing was undone.', tab: 'none', action: again });
    await expect.element(status.getByText('Nothing was undone.')).toBeVisible();
    await expect.element(status.getByText('Saving 2 changes…')).toBeVisible();
    await status.getByRole('button', { name: 'Try again' }).click();
    await expect.element(status.getByText('Nothing was undone.')).not.toBeInTheDocument();
    notify({ tone: 'warning', text: 'Nothing was redone.', tab: 'none' });
    await status.getByRole('button', { name: 'Dismiss' }).click();
    await expect.element(status.getByText('Nothing was redone.')).not.toBeInTheDocument();
    await expect.element(status.getByText('Saving 2 changes…')).toBeVisible();
  } finally {
    work.end();
  }
});

it('work of a connection that is not on the screen is named after it, also in the list of the others', async () => {
  const services = exampleServices({ connections: ['Shop', 'Warehouse'] });
  await renderWindow(services, 'products');
  const [shop, warehouse] = services.connectionStore.list();
  const status = page.getByRole('contentinfo');
  const works = [
    beginActivity('Exporting rows', () => undefined, warehouse?.id),
    beginActivity('Importing rows', () => undefined, warehouse?.id),
    beginActivity('Saving rows', () => undefined, shop?.id),
    beginActivity('Looking for drivers'),
  ];
  try {
    await expect.element(status.getByText('Looking for drivers', { exact: true })).toBeVisible();
    works[3]?.end();
    await expect.element(status.getByText('Saving rows', { exact: true })).toBeVisible();
    works[2]?.end();
    await expect.element(status.getByText('Warehouse: Importing rows', { exact: true })).toBeVisible();
    await expect.element(status.getByRole('button', { name: 'Cancel: Warehouse: Importing rows' })).toBeVisible();
    await status.getByRole('button', { name: '1 more' }).click();
    await expect.element(page.getByText('Warehouse: Exporting rows', { exact: true })).toBeVisible();
  } finally {
    for (const work of works) work.end();
  }
});
