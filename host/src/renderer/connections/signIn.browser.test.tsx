import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { exampleManifest } from '../testing/exampleManifest.test-helper.ts';
import { exampleServices, press, renderWindow } from '../testing/renderWindow.test-helper.tsx';
import { plainManifest } from '../../common/plainManifest.test-helper.ts';

/** A form that signs in at a provider with a code. */
const manifest = plainManifest({
  ...exampleManifest,
  permissions: {
    http: {
      origin: {
        host: { field: 'host', whenEmpty: 'localhost' },
        port: { field: 'port', whenEmpty: 4321 },
        scheme: { field: 'plain', plainValues: ['true'] },
      },
      credentials: [
        {
          scheme: 'oauth2',
          grant: 'signIn',
          field: 'token',
          clientId: { value: 'tabularium' },
          tokenUrl: { value: 'https://login.example/token' },
          deviceUrl: { value: 'https://login.example/device' },
        },
      ],
    },
  },
  connection: {
    fields: [
      ...exampleManifest.connection.fields.filter(({ id }) => id !== 'password'),
      { id: 'token', label: 'Sign-in', type: 'secret' },
    ],
  },
});

it('shows the code of a sign-in, and Escape cancels it without closing the form', async () => {
  let ended = false;
  const services = exampleServices({ manifests: [manifest] });
  await renderWindow(
    fakeContext({
      ...services,
      signIns: {
        signInForm: async function* (_form, signal) {
          yield { step: 'device', address: 'https://login.example/enter', code: 'ABCD-EFGH', expiresAt: Date.now() + 600_000 };
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          ended = true;
        },
      },
    }),
  );
  await page.getByRole('button', { name: 'New connection' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /Example Database/ }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Mine');
  await dialog.getByRole('button', { name: 'Sign in…', exact: true }).click();
  await expect.element(dialog.getByText('ABCD-EFGH', { exact: true })).toBeVisible();
  await press('{Escape}');
  await expect.element(dialog.getByText('The sign-in was cancelled.')).toBeVisible();
  await expect.element(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Mine');
  await expect.poll(() => ended).toBe(true);
});
