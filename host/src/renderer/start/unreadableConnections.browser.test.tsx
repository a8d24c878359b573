import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { exampleServices, renderWindow } from '../testing/renderWindow.test-helper.tsx';

it.each([
  ['beside others', ['Shop']],
  ['alone', []],
])('a connection that cannot be read is listed with its reason and removed: %s', async (_of, saved) => {
  const services = exampleServices({ connections: saved });
  let left = [{ id: crypto.randomUUID() as string, name: 'Attic', fields: ['settings', 'color'], secrets: undefined }];
  await renderWindow(
    fakeContext({
      ...services,
      connectionStore: { ...services.connectionStore, unreadable: () => left },
      connectionService: {
        ...services.connectionService,
        remove: async (id) => {
          left = left.filter((one) => one.id !== id);
        },
      },
    }),
  );
  const list = page.getByRole('list', { name: "Connections that can't be read" });
  await expect.element(list.getByText('Unreadable: settings, color')).toBeVisible();
  await list.getByRole('button', { name: 'Remove the unreadable connection Attic' }).click();
  await page.getByRole('dialog', { name: 'Remove “Attic”?' }).getByRole('button', { name: 'Remove Attic' }).click();
  await expect.element(list).not.toBeInTheDocument();
});
