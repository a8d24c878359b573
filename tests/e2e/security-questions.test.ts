import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { CATALOGUE_PATH, createSigningKey } from '@tabularium/sdk/package';
import { packPackage, signPackage } from '@tabularium/registry';
import { secrets as germanWords } from '../../host/src/renderer/i18n/de/secrets.ts';
import { errors as germanErrors } from '../../host/src/renderer/i18n/de/errors.ts';
import { createRegistryProxy } from '../security/registryProxy.ts';
import { screenshot } from './browser.ts';
import { addConnection, savedConnection, soon } from './openTable.ts';
import { chooseDriver, driverOption, installedOf, namedDriver, openPluginBrowser, settingsOf } from './pluginBrowser.ts';
import { useOwnWindow } from './fixture.ts';
import { expectNoViolations } from './openTool.ts';
import { speak } from './speak.ts';

// The questions between a stranger's change and its effect, as a person meets them: each is answered by keyboard, rejected by Escape, and changes
// nothing unless the person agrees.

const fixture = useOwnWindow({ products: 50, sharesConnection: true });

/** One document of a registry may take 60 seconds on a busy machine. */
const REFRESH_MILLISECONDS = 70_000;

/** Saves a connection that came with a file from somewhere else: the person hasn't confirmed where its credentials go. */
async function importConnection(name: string): Promise<void> {
  const { application } = fixture;
  const file = join(application.files, `${name.slice(0, 20)}.json`);
  await application.command('connections', 'export', 'Cluster', '--file', file);
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll('"Cluster"', JSON.stringify(name)));
  await application.command('connections', 'import', file);
}

/** A picture and a check in both schemes and sizes. */
async function lookAt(page: Page, name: string, dialog: Locator): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [width, height] of [
      [1280, 800],
      [900, 600],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height });
      await screenshot(page, `${name}-${colorScheme}-${width}`);
      await expectNoViolations(page);
      expect(await dialog.evaluate((element) => element.scrollWidth > element.clientWidth + 1)).toBe(false);
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

const secretDialog = (page: Page, name: string): Locator =>
  page.getByRole('dialog', { name: `Check where the credentials of ${name} go` });

async function showConnections(page: Page): Promise<void> {
  await page.reload();
  await page.getByRole('button', { name: 'Settings' }).waitFor();
  await page.keyboard.press('Control+Shift+l');
  await page.getByRole('heading', { name: 'Connections', exact: true }).waitFor();
}

/** The button that refuses has the keyboard; Tab leads to the one that agrees. */
async function agreeByKeyboard(page: Page, dialog: Locator, refuse: string, agree: string): Promise<void> {
  await soon(() => dialog.getByRole('button', { name: refuse }).evaluate((button) => button === document.activeElement)).toBe(
    true,
  );
  await page.keyboard.press('Tab');
  await soon(() => dialog.getByRole('button', { name: agree }).evaluate((button) => button === document.activeElement)).toBe(
    true,
  );
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
}

/** A driver whose second version takes what was an ordinary text, with a default, for the host of another server. */
function reachingDriver(version: string, cluster: object, furtherOrigins: readonly object[]): ReturnType<typeof namedDriver> {
  return namedDriver('reach', 'Reach', {
    version,
    sdk: '^1.1',
    manifest: {
      connection: {
        fields: [
          { id: 'host', label: 'Host', type: 'text' },
          { id: 'port', label: 'Port', type: 'number' },
          { id: 'mode', label: 'Mode', type: 'select', options: [{ value: 'plain', label: 'Plain' }], default: 'plain' },
          { id: 'cluster', label: 'Cluster', type: 'text', ...cluster },
          { id: 'gate', label: 'Gate', type: 'number' },
        ],
      },
      permissions: {
        http: {
          origin: {
            host: { field: 'host', whenEmpty: '127.0.0.1' },
            port: { field: 'port', whenEmpty: 1 },
            scheme: { field: 'mode', plainValues: ['plain'] },
          },
          furtherOrigins,
        },
      },
    },
  });
}

describe('the addresses of a connection', () => {
  it('are asked about where an update of its driver reaches another one', async () => {
    const { application, page } = fixture;
    await application.registry.publish(reachingDriver('1.0.0', { default: 'localhost' }, []));
    await application.command('drivers', 'install', 'reach');
    await application.command(
      'connections',
      'add',
      '--driver',
      'reach',
      '--name',
      'Reaching',
      '--host',
      '127.0.0.1',
      '--port',
      '7',
    );
    const origin = {
      host: { field: 'cluster' },
      port: { field: 'gate', whenEmpty: 9 },
      scheme: { field: 'mode', plainValues: ['plain'] },
    };
    const further = { id: 'count', label: 'Counters', reason: 'It counts.', origin };
    await application.registry.publish(reachingDriver('2.0.0', {}, [further]));
    await application.command('drivers', 'update', 'reach');
    await expect(application.command('tables', 'Reaching')).rejects.toThrow(/SECRET_NOT_CONFIRMED/);
    await showConnections(page);
    await savedConnection(page, 'Reaching').click();
    const dialog = page.getByRole('dialog', { name: 'Check the addresses that Reaching reaches' });
    await dialog.waitFor();
    await dialog.getByText('http://localhost:9').waitFor();
    await dialog.getByText('The driver says why: “It counts.”').waitFor();
    await lookAt(page, 'address-open', dialog);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect(application.command('tables', 'Reaching')).rejects.toThrow(/SECRET_NOT_CONFIRMED/);
    await page.getByRole('button', { name: 'Compare and confirm…' }).click();
    await agreeByKeyboard(page, dialog, "Don't confirm", 'Confirm and use');
    await soon(async () => JSON.stringify(await application.command('tables', 'Reaching').catch(String))).not.toMatch(
      /SECRET_NOT_CONFIRMED/,
    );
    await application.command('connections', 'remove', 'Reaching');
  });
});

describe('the credentials of a connection', () => {
  it('of a file are confirmed before the connection opens', async () => {
    const { application, page } = fixture;
    await page.getByRole('navigation', { name: 'Collections' }).getByText('products', { exact: true }).waitFor();
    await importConnection('Imported');
    await showConnections(page);
    await savedConnection(page, 'Imported').click();
    const dialog = secretDialog(page, 'Imported');
    await dialog.waitFor();
    await dialog.getByText(`http://127.0.0.1:${application.sandbox.port}`).first().waitFor();
    await lookAt(page, 'secret-open', dialog);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect(application.command('tables', 'Imported')).rejects.toThrow(/SECRET_NOT_CONFIRMED/);
    await page.getByRole('button', { name: 'Compare and confirm…' }).click();
    await agreeByKeyboard(page, dialog, "Don't confirm", 'Confirm and use');
    await page.getByRole('navigation', { name: 'Collections' }).getByText('products', { exact: true }).waitFor();
  });

  it('are asked about in full where the name of the connection is as long as it can be', async () => {
    const { application, page } = fixture;
    const name = `Long${'W'.repeat(116)}`;
    await importConnection(name);
    await showConnections(page);
    await savedConnection(page, name).click();
    const dialog = secretDialog(page, name);
    await dialog.waitFor();
    await lookAt(page, 'secret-long-name', dialog);
    const close = await dialog.getByRole('button', { name: 'Close' }).boundingBox();
    expect((close?.x ?? Infinity) + (close?.width ?? 0)).toBeLessThan(1280);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await application.command('connections', 'remove', name);
  });

  it('are confirmed before they go to a host that is typed over the old one, in Test and in Save', async () => {
    const { application, page } = fixture;
    await addConnection(application, 'Moved');
    await showConnections(page);
    await savedConnection(page, 'Moved').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Edit…' }).click();
    const form = page.getByRole('dialog', { name: 'Edit Moved' });
    await form.getByLabel('Host').fill('localhost');
    await form.getByRole('button', { name: 'Test connection' }).click();
    const dialog = secretDialog(page, 'Moved');
    await dialog.waitFor();
    await dialog.getByText(`http://localhost:${application.sandbox.port}`).first().waitFor();
    await lookAt(page, 'secret-test', dialog);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // The form and what was typed are still there.
    await soon(() => form.getByLabel('Host').inputValue()).toBe('localhost');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor();
    await lookAt(page, 'secret-save', dialog);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(JSON.stringify(await application.command('connections', 'list'))).not.toContain('localhost');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await agreeByKeyboard(page, dialog, "Don't confirm", 'Confirm and use');
    await form.waitFor({ state: 'detached' });
    expect(await application.command('tables', 'Moved')).toMatchObject({ tables: expect.any(Array) as unknown[] });
  });
});

describe('the plug-in browser', () => {
  it.each([
    [
      'says in the details of a driver that the kernel does not confine it, where it does not',
      'The kernel of this computer has no Landlock.',
    ],
    ['does not say so where it does', undefined],
  ])('%s', async (_name, missing) => {
    const { application, page } = fixture;
    await application.registry.publish(namedDriver('wall', 'Wall'));
    // The page gets this answer whether or not this computer has the kernel sandbox.
    await page.addInitScript((reason: string | undefined) => {
      const send = window.fetch.bind(window);
      window.fetch = async (input, init) => {
        const answer = await send(input, init);
        const url = input instanceof Request ? input.url : String(input);
        if (!url.includes('drivers.details')) return answer;
        const body = (await answer.text()).replaceAll(/"kernelSandboxMissing":"(?:[^"\\]|\\.)*",?/g, '');
        const reported = reason === undefined ? '' : `"kernelSandboxMissing":${JSON.stringify(reason)},`;
        const { status, headers } = answer;
        return new Response(body.replaceAll('"offered":[', `${reported}"offered":[`), { status, headers });
      };
    }, missing);
    await page.reload();
    await openPluginBrowser(page);
    await settingsOf(page).getByRole('button', { name: 'Refresh the list' }).click();
    const details = await chooseDriver(page, 'Wall');
    const notice = details.getByRole('alert').filter({ hasText: 'No kernel sandbox' });
    await details.getByText('Reads everything.').waitFor();
    if (missing === undefined) expect(await notice.count()).toBe(0);
    else {
      await notice.waitFor();
      const text = await notice.innerText();
      expect(text).toContain('Only the permission model of Node.js confines drivers on this computer.');
      expect(text).toContain('Install only drivers that you trust.');
      expect(text).toContain(missing);
      await notice.scrollIntoViewIfNeeded();
      await lookAt(page, 'no-kernel-sandbox', details);
      await soon(() => details.getByRole('button', { name: 'Install', exact: true }).isEnabled()).toBe(true);
    }
  });

  it('asks before an older version, and Escape keeps the one in use', async () => {
    const { application, page } = fixture;
    await application.registry.publish(namedDriver('shelf', 'Fixture'));
    await application.registry.publish(namedDriver('shelf', 'Fixture', { version: '1.1.0' }));
    await application.command('drivers', 'install', 'shelf');
    await openPluginBrowser(page);
    await settingsOf(page).getByRole('button', { name: 'Refresh the list' }).click();
    const driverPane = await chooseDriver(page, 'Fixture');
    const older = driverPane.getByRole('button', { name: 'Install version 1.0.0' });
    await older.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Go back to an older driver for Fixture?' });
    await dialog.waitFor();
    await lookAt(page, 'downgrade', dialog);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await installedOf(application, 'shelf')).toMatchObject([{ version: '1.1.0', current: true }]);
    await older.click();
    await dialog.waitFor();
    await agreeByKeyboard(page, dialog, 'Keep 1.1.0', 'Go back to 1.0.0');
    await soon(async () => JSON.stringify(await installedOf(application, 'shelf'))).toMatch(
      /"version":"1\.0\.0"[^}]*"current":true/,
    );
  });

  it('marks a driver that can be taken for another one, in the list, its details and the question', async () => {
    const { application, page } = fixture;
    const title = 'Sеarch Server (Typesense)';
    await openPluginBrowser(page);
    const files = namedDriver('lookalike', title);
    const signed = await signPackage(files, { id: 'stranger', name: 'Stranger' }, await createSigningKey());
    await application.registry.publishPacked(await packPackage(signed));
    await settingsOf(page).getByRole('button', { name: 'Refresh the list' }).click();
    await driverOption(page, title).getByText('Look-alike').waitFor();
    const details = await chooseDriver(page, title);
    await details.getByText('Look-alike of another driver').waitFor();
    await lookAt(page, 'look-alike-details', settingsOf(page));
    await details.getByRole('button', { name: 'Install', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Trust “Stranger”?' });
    await dialog.getByText(/This driver resembles “Search Server \(Typesense\)”/).waitFor();
    await lookAt(page, 'look-alike-question', dialog);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await installedOf(application, 'lookalike')).toEqual([]);
  });

  it('shows a registry whose catalogue is signed, unsigned, and taken away', async () => {
    const { application, page } = fixture;
    await openPluginBrowser(page);
    const states = { stripped: false };
    const meddle: Parameters<typeof createRegistryProxy>[0]['meddle'] = (url, outgoing) => {
      if (!url.pathname.startsWith(`/${CATALOGUE_PATH}`) || !states.stripped) return false;
      outgoing.writeHead(404).end();
      return true;
    };
    await using signed = await createRegistryProxy({ target: application.registry.url, meddle });
    await using unsigned = await createRegistryProxy({
      target: application.registry.url,
      meddle: (url, outgoing) => {
        if (!url.pathname.startsWith(`/${CATALOGUE_PATH}`)) return false;
        outgoing.writeHead(404).end();
        return true;
      },
    });
    for (const url of [signed.url, unsigned.url]) await application.command('drivers', 'registries', 'add', url);
    const refresh = settingsOf(page).getByRole('button', { name: 'Refresh the list' });
    const show = (view: string) => settingsOf(page).locator('label').getByText(view, { exact: true }).click();
    const row = (url: string) =>
      settingsOf(page).getByRole('list', { name: 'Registries' }).getByRole('listitem').filter({ hasText: url });
    await refresh.click();
    await show('Registries');
    // Exact, because “Unsigned catalogue” holds these words too: it is there until the refresh, which waits for each registry, is done.
    await row(signed.url).getByText('Signed catalogue', { exact: true }).waitFor({ timeout: REFRESH_MILLISECONDS });
    await row(signed.url).getByText('Fingerprint of the catalogue').waitFor();
    await row(unsigned.url).getByText('Unsigned catalogue', { exact: true }).waitFor();
    states.stripped = true;
    await show('Drivers');
    await refresh.click();
    await settingsOf(page)
      .getByText(/had one before/)
      .first()
      .waitFor({ timeout: REFRESH_MILLISECONDS });
    await show('Registries');
    await row(signed.url).getByText('Catalogue not trusted').waitFor();
    await row(signed.url)
      .getByText(/had one before/)
      .waitFor();
    await lookAt(page, 'catalogue-states', settingsOf(page));
    for (const url of [signed.url, unsigned.url]) await application.command('drivers', 'registries', 'remove', url);
  });
});

describe('the question about credentials in German', () => {
  it('is German in every word of the dialog and of what is behind it', async () => {
    const { application, page } = fixture;
    await importConnection('Importiert');
    await speak(page, 'de');
    await page.keyboard.press('Control+Shift+l');
    await page.getByRole('button', { name: /^Öffnen:? Importiert/ }).click();
    const dialog = page.getByRole('dialog', { name: germanWords.title('Importiert') });
    await dialog.waitFor();
    await dialog.getByText(`http://127.0.0.1:${application.sandbox.port}`).first().waitFor();
    await lookAt(page, 'secret-german', dialog);
    await expectGerman(page.locator('body'));
    await soon(() => dialog.innerText()).toContain(germanWords.textNew('Importiert'));

    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const behind = page.getByRole('alert').filter({ hasText: germanWords.textNew('Importiert') });
    await behind.getByText(germanErrors.kinds.SECRET_NOT_CONFIRMED.advice).waitFor();
    await lookAt(page, 'secret-german-refused', behind);
    await expectGerman(page.locator('body'));
    await page.getByRole('button', { name: germanWords.compare }).click();
    await agreeByKeyboard(page, dialog, germanWords.cancel, germanWords.confirm);
    await page.getByRole('navigation', { name: 'Collections' }).getByText('products', { exact: true }).waitFor();

    // Saved with another host, the key is asked about with old and new side by side.
    await page.keyboard.press('Control+Shift+l');
    await page.getByRole('button', { name: /^Öffnen:? Importiert/ }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Bearbeiten…' }).click();
    const form = page.getByRole('dialog', { name: /Importiert/ });
    await form.getByLabel('Host').fill('localhost');
    await form.getByRole('button', { name: 'Speichern', exact: true }).click();
    await dialog.waitFor();
    await dialog.getByText(`http://localhost:${application.sandbox.port}`).first().waitFor();
    await soon(() => dialog.innerText()).toContain(germanWords.text('Importiert'));
    await lookAt(page, 'secret-german-changed', dialog);
    await expectGerman(dialog);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.reload();
    await speak(page, 'en');
  });
});

/** No word in this place is one that English sentences are made of. */
async function expectGerman(place: Locator): Promise<void> {
  const english =
    /\b(the|of|and|is|are|not|be|to|with|this|that|you|your|from|for|or|has|have|were|by|at|it|cannot|credentials)\b/gi;
  expect((await place.innerText()).match(english) ?? []).toEqual([]);
}
