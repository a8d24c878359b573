import { MantineProvider } from '@mantine/core';
import type { ReactElement } from 'react';
import { describe, expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import type { OriginGrant } from '@tabularium/sdk/manifest';
import type { SecretQuestion } from '../../common/secretQuestion.ts';
import { plainManifest } from '../../common/plainManifest.test-helper.ts';
import { GrantDialog } from '../plugins/GrantDialog.tsx';
import { TrustDialog } from '../plugins/TrustDialog.tsx';
import { exampleManifest } from '../testing/exampleManifest.test-helper.ts';
import { SecretDialog } from './SecretDialog.tsx';

const nothing = (): void => undefined;
const done = async (): Promise<void> => undefined;

/** A host's name begins with that of another one, and its end says whose it is. */
const END = 'evil-site.example';
const HOST = `api.github.com.${'o'.repeat(63)}.${'o'.repeat(63)}.${'o'.repeat(60)}.${END}`;
const ORIGIN: OriginGrant = `https://${HOST}`;
const LABEL = 'L'.repeat(40);
const REASON = 'R'.repeat(400);
const NAME = 'N'.repeat(80);

const { permissions } = plainManifest({
  ...exampleManifest,
  permissions: {
    http: {
      origin: {
        host: { field: 'host', whenEmpty: 'localhost' },
        port: { field: 'port', whenEmpty: 4321 },
        scheme: { field: 'plain', plainValues: ['true'] },
      },
      furtherOrigins: [{ id: 'a', label: LABEL, reason: REASON, origin: ORIGIN }],
    },
    unconfined: { reason: REASON, grants: ['files'] },
  },
});
const driver = { id: 'example', title: NAME, packageName: `@example/${'p'.repeat(100)}`, version: '1.0.0' };
const publisher = { id: 'example', name: NAME, fingerprint: 'aaaa', origin: 'firstParty' as const };
const place = { origins: [`${ORIGIN}:8443/${'p'.repeat(100)}`, `${ORIGIN}:8444`], verification: 'identity' as const };
const side = {
  ...{ driver: 'example', publisher: 'aaaa', publisherName: NAME, authorityFile: '', sentAs: ['x-api-key: '], grants: [] },
  ...{ origins: [ORIGIN], verification: 'identity' as const, from: { kind: 'store' as const } },
};
const question: SecretQuestion = {
  connection: NAME,
  driver: { title: NAME },
  changes: [{ field: 'key', label: LABEL, now: side }],
  newOrigins: [
    { id: '', label: '', reason: '', now: place },
    { id: 'a', label: LABEL, reason: REASON, before: place, now: place },
  ],
  isDistrusted: true,
  code: '0'.repeat(32),
};

const DIALOGS: Readonly<Record<string, () => ReactElement>> = {
  'a fixed address': () => (
    <GrantDialog
      question={{ driver, publisher, askedBy: 'aaaa', grants: [ORIGIN], missing: [ORIGIN], permissions }}
      onAllow={done}
      onRefuse={nothing}
    />
  ),
  'a fixed address and a wider grant': () => (
    <GrantDialog
      question={{ driver, publisher, askedBy: 'aaaa', grants: ['files', ORIGIN], missing: ['files', ORIGIN], permissions }}
      onAllow={done}
      onRefuse={nothing}
    />
  ),
  'the trust in a publisher': () => (
    <TrustDialog
      question={{
        keyId: 'a'.repeat(64),
        fingerprint: 'aaaa bbbb',
        publisher: { id: 'example', name: NAME },
        driver,
        permissions,
      }}
      onTrust={done}
      onRefuse={nothing}
    />
  ),
  'the credentials and origins of a connection': () => <SecretDialog question={question} onConfirm={done} onRefuse={nothing} />,
};

describe.each(Object.keys(DIALOGS))('the question about %s', (name) => {
  it.each([
    [900, 600],
    [1280, 800],
    [480, 600],
  ])('shows the end of each address in a window of %d × %d, and scrolls to no side', async (width, height) => {
    await page.viewport(width, height);
    await render(<MantineProvider>{DIALOGS[name]?.()}</MantineProvider>);
    await expect.element(page.getByRole('dialog')).toBeVisible();
    const dialog = page.getByRole('dialog').element();
    const scrolled = [document.documentElement, dialog, ...dialog.querySelectorAll('*')].filter(
      (element) => getComputedStyle(element).overflowX !== 'visible' && element.scrollWidth > element.clientWidth,
    );
    expect(scrolled.map(({ tagName, className }) => `${tagName} ${className}`)).toEqual([]);
    const { left, right } = dialog.getBoundingClientRect();
    const addresses = [...dialog.querySelectorAll('code')].filter(({ textContent }) => textContent.includes(HOST));
    expect(addresses.length).toBeGreaterThan(0);
    for (const address of addresses) {
      const end = [...address.querySelectorAll('span')].find(({ textContent }) => textContent === END);
      const [box, ...others] = end?.getClientRects() ?? [];
      expect(others).toEqual([]);
      expect(box?.left).toBeGreaterThanOrEqual(left);
      expect(box?.right).toBeLessThanOrEqual(right);
    }
  });
});
