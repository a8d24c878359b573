import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { preferencesSchema } from '../../common/api.ts';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { exampleServices, renderWindow } from '../testing/renderWindow.test-helper.tsx';

describe('newer versions of the application', () => {
  it('are announced once in the status bar, and named under About', async () => {
    const services = exampleServices();
    const info = async () => ({
      ...(await services.application.info()),
      newerVersion: { version: '9.1.0', registry: 'Acme' },
    });
    await renderWindow(fakeContext({ ...services, application: { ...services.application, info } }), 'products');
    await expect.element(page.getByText('Tabularium 9.1.0 is available at Acme.')).toBeVisible();
    await userEvent.click(page.getByRole('button', { name: 'Settings' }));
    await userEvent.click(page.getByRole('tab', { name: 'About' }));
    await expect.element(page.getByText('9.1.0, at Acme')).toBeVisible();
  });

  it('are looked for only after the switch', async () => {
    const services = exampleServices();
    let preferences = preferencesSchema.parse({});
    let looks = 0;
    await renderWindow(
      fakeContext({
        ...services,
        preferences: { get: () => preferences, set: (next) => (preferences = next) },
        applicationUpdates: {
          look: async () => {
            looks += 1;
          },
        },
      }),
      'products',
    );
    await userEvent.click(page.getByRole('button', { name: 'Settings' }));
    await userEvent.click(page.getByRole('tab', { name: 'About' }));
    const look = page.getByRole('switch', { name: 'Look for newer versions' });
    await expect.element(look).not.toBeChecked();
    expect(looks).toBe(0);
    (look.element() as HTMLElement).focus();
    await userEvent.keyboard(' ');
    await expect.element(look).toBeChecked();
    await expect.poll(() => [preferences.lookForNewerVersions, looks]).toEqual([true, 1]);
  });
});
