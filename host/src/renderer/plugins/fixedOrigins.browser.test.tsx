import { MantineProvider } from '@mantine/core';
import { describe, expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import type { ConsentGrant } from '@tabularium/sdk/manifest';
import { plainManifest } from '../../common/plainManifest.test-helper.ts';
import { exampleManifest } from '../testing/exampleManifest.test-helper.ts';
import { GrantDialog } from './GrantDialog.tsx';

const { permissions } = plainManifest({
  ...exampleManifest,
  permissions: {
    http: {
      origin: {
        host: { field: 'host', whenEmpty: 'localhost' },
        port: { field: 'port', whenEmpty: 4321 },
        scheme: { field: 'plain', plainValues: ['true'] },
      },
      furtherOrigins: [
        { id: 'cloud', label: 'Cloud API', reason: 'It reads what a query costs.', origin: 'https://api.example.com' },
        { id: 'other', label: 'Other API', reason: 'It reads other things.', origin: 'https://other.example.com' },
      ],
    },
    unconfined: { reason: 'It opens files.', grants: ['files'] },
  },
});

async function ask(grants: readonly ConsentGrant[], missing: readonly ConsentGrant[]): Promise<void> {
  await render(
    <MantineProvider>
      <GrantDialog
        question={{
          driver: { id: 'example', title: 'Example', packageName: '@example/driver', version: '1.0.0' },
          publisher: { id: 'example', name: 'Example Ltd', fingerprint: 'aaaa', origin: 'firstParty' },
          askedBy: 'aaaa',
          grants: [...grants],
          missing: [...missing],
          permissions,
        }}
        onAllow={async () => undefined}
        onRefuse={() => undefined}
      />
    </MantineProvider>,
  );
}

describe('the question about fixed addresses', () => {
  it('names each address that is asked for, what could be sent there, and the driver’s reason', async () => {
    await ask(['https://api.example.com'], ['https://api.example.com']);
    const dialog = page.getByRole('dialog', { name: 'Let the driver for Example send requests to other servers?' });
    await expect
      .element(dialog.getByText(/It can send whatever it reads from your databases to this address:.*“Cloud API”/))
      .toBeVisible();
    await expect.element(dialog.getByText('https://api.example.com', { exact: true })).toBeVisible();
    await expect.element(dialog.getByText('“Example Ltd” says: Cloud API: It reads what a query costs.')).toBeVisible();
    await expect.element(dialog.getByText(/Other API|It opens files/)).not.toBeInTheDocument();
  });

  it('is part of the question about a wider grant', async () => {
    await ask(['files', 'https://api.example.com', 'https://other.example.com'], ['files', 'https://other.example.com']);
    const dialog = page.getByRole('dialog', { name: 'Let the driver for Example leave the sandbox?' });
    await expect.element(dialog.getByText('https://other.example.com', { exact: true })).toBeVisible();
    await expect.element(dialog.getByText(/The driver calls it “Other API”\./)).toBeVisible();
    await expect.element(dialog.getByText('“Example Ltd” says: It opens files. Other API: It reads other things.')).toBeVisible();
    await expect.element(dialog.getByText(/Cloud API/)).not.toBeInTheDocument();
  });
});
