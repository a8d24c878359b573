import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { fakeContext } from '../testing/fakeContext.test-helper.ts';
import { exampleManifest } from '../testing/exampleManifest.test-helper.ts';
import { exampleServices, renderWindow } from '../testing/renderWindow.test-helper.tsx';
import { plainManifest } from '../../common/plainManifest.test-helper.ts';

const manifest = plainManifest({
  ...exampleManifest,
  connection: {
    fields: [
      ...exampleManifest.connection.fields,
      { id: 'boards', label: 'Boards host', type: 'text' },
      { id: 'boardsPort', label: 'Boards port', type: 'number' },
      { id: 'token', label: 'Boards token', type: 'secret' },
    ],
  },
  permissions: {
    http: {
      origin: {
        host: { field: 'host', whenEmpty: 'localhost' },
        port: { field: 'port', whenEmpty: 4321 },
        scheme: { field: 'plain', plainValues: ['true'] },
      },
      furtherOrigins: [
        {
          id: 'boards',
          label: 'Dashboards',
          reason: 'It lists the dashboards of a table.',
          origin: {
            host: { field: 'boards' },
            port: { field: 'boardsPort', whenEmpty: 5601 },
            scheme: { field: 'plain', plainValues: ['true'] },
          },
          credentials: [{ field: 'token', scheme: 'bearer' }],
        },
        { id: 'cloud', label: 'Cloud API', reason: 'It reads what a query costs.', origin: 'https://api.example.com' },
      ],
    },
  },
});

it('says in the form where else requests go, with which credentials and why', async () => {
  await renderWindow(fakeContext(exampleServices({ manifests: [manifest] })));
  await page.getByRole('button', { name: 'New connection' }).click();
  const dialog = page.getByRole('dialog');
  // Before anything is chosen: a fixed address is asked about, so it is seen here.
  await expect.element(dialog.getByText('Sends requests to https://api.example.com')).toBeVisible();
  await dialog.getByRole('button', { name: /Example Database/ }).click();
  await dialog.getByRole('textbox', { name: 'Host', exact: true }).fill('db.example');
  await expect
    .element(
      dialog.getByText(
        /Requests without credentials also go to “Cloud API” at https:\/\/api\.example\.com:443\. Certificate and host name checked\. The driver’s reason for “Cloud API”: “It reads what a query costs\.”/,
      ),
    )
    .toBeVisible();
  await expect.element(dialog.getByText(/“Dashboards”/)).not.toBeInTheDocument();

  await dialog.getByRole('textbox', { name: 'Boards host' }).fill('boards.example');
  await expect
    .element(dialog.getByText(/Requests with Boards token also go to “Dashboards” at https?:\/\/boards\.example:5601\./))
    .toBeVisible();

  // It may hold a password, and nothing is sent there.
  await dialog.getByRole('textbox', { name: 'Boards host' }).fill('me:pass@boards.example');
  await expect.element(dialog.getByText(/“Dashboards”/)).not.toBeInTheDocument();
});
