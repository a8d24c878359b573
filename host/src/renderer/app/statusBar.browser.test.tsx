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
