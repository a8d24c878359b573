import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { HostError } from '../../common/errors.ts';
import { SavedChanges } from '../../runtime/storage/savedChanges.ts';
import { exampleServices, renderProducts } from '../testing/renderWindow.test-helper.tsx';

it('a permission that is taken back elsewhere closes the connection, and the window says so at once', async () => {
  const services = exampleServices();
  const savedChanges = new SavedChanges();
  let isAllowed = true;
  const secretQuestion = async (): Promise<undefined> => {
    if (!isAllowed) throw new HostError('GRANT_NEEDED');
  };
  await renderProducts({
    ...services,
    savedChanges,
    connectionService: Object.assign(Object.create(services.connectionService) as typeof services.connectionService, {
      secretQuestion,
    }),
  });
  const notice = page.getByText(/^Shop was closed: a permission of its driver was revoked/);
  savedChanges.note('drivers');
  await expect.element(page.getByRole('grid')).toBeVisible();
  expect(notice.elements()).toHaveLength(0);
  isAllowed = false;
  savedChanges.note('drivers');
  await expect.element(notice).toBeVisible();
});
