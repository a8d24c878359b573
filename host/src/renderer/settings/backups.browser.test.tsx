import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { HostError } from '../../common/errors.ts';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { exampleServices, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { BackupsPane } from './BackupsPane.tsx';

it('the list of backups is reloaded also where a restore is refused, because the backup may be gone', async () => {
  const services = exampleServices();
  let isGone = false;
  const view = () => {
    const shown = services.backups.view();
    return isGone ? { ...shown, backups: shown.backups.slice(0, 1) } : shown;
  };
  const restoreAtNextStart = async () => {
    isGone = true;
    throw new HostError('BACKUP_UNUSABLE', 'There is no such backup.');
  };
  await renderPart(<BackupsPane />, fakeContext({ ...services, backups: { ...services.backups, view, restoreAtNextStart } }));
  const restoring = page.getByRole('table').getByRole('button', { name: /^Restore/ });
  await expect.element(restoring.nth(1)).toBeVisible();
  await restoring.nth(1).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Restore at next start' }).click();
  await expect.element(dialog.getByText('There is no such backup.')).toBeVisible();
  await expect
    .element(page.getByRole('table', { includeHidden: true }).getByRole('row', { includeHidden: true }).nth(2))
    .not.toBeInTheDocument();
  await expect.element(dialog).toBeVisible();
});
