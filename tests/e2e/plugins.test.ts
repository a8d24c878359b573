import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createSigningKey, fingerprintOf, keyIdOf } from '@tabularium/sdk/package';
import type { PackageFiles, SigningKey } from '@tabularium/sdk/package';
import { collectDriver, packPackage, signPackage } from '@tabularium/registry';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Locator } from 'playwright-core';
import { z } from 'zod';
import { root } from '../../scripts/paths.ts';
import { driverSource } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { expectNoViolations } from './openTool.ts';
import { openConnection } from './openTable.ts';
import { installedOf, removeTestDrivers } from './pluginBrowser.ts';
import { toolAnswer } from '../support/toolAnswer.ts';

// The life of drivers as a person sees it: browse, install, trust, update with an open connection, roll back, pin, file, folder, remove.

const fixture = useOwnWindow({ products: 500, sharesConnection: true, provokes: /502/ });

const named = (id: string, title: string, more: Parameters<typeof tinyDriver>[0] = {}) =>
  tinyDriver({
    id,
    name: `@example/tabularium-driver-${id}`,
    code: driverSource('', '', id),
    ...more,
    manifest: { title, tagline: `Connects to ${title}.`, ...more.manifest },
    files: { 'README.md': `# ${title}\n\nReads **everything**.\n\n<img src=x onerror=alert(1)>\n`, ...more.files },
  });

/** A file that the driver asks to read. */
const ASKING = {
  manifest: {
    connection: {
      fields: [
        { id: 'name', label: 'Name', type: 'text' },
        { id: 'book', label: 'Book', type: 'file', readBy: 'driver' },
      ],
    },
    permissions: { files: [{ field: 'book', access: 'read', reason: 'The book to show.' }] },
    category: 'file',
  },
};

/** A publisher that is not trusted yet. Each test has its own. */
async function newPublisher(
  name: string,
): Promise<{ readonly key: SigningKey; sign(files: PackageFiles): Promise<PackageFiles> }> {
  const key = await createSigningKey();
  const publisher = { id: name.toLowerCase().replaceAll(' ', '-'), name };
  return { key, sign: (files) => signPackage(files, publisher, key) };
}

/** A driver with two versions, of which the older one is installed. Each test has its own. */
async function installOlder(id: string, title: string): Promise<Locator> {
  const { application } = fixture;
  await application.registry.publish(named(id, title));
  await application.command('drivers', 'install', id);
  await application.registry.publish(named(id, title, { version: '1.1.0' }));
  await openBrowser();
  await settings().getByRole('button', { name: 'Refresh the list' }).click();
  await option(title).getByText('1.1.0 available').waitFor();
  return choose(title);
}

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-plugins-'));
  const { registry } = fixture.application;
  await registry.publish(named('tomorrow', 'Tomorrow', { sdk: '^2.0', manifest: { category: 'graph' } }));
  const books = await newPublisher('Acme Books');
  await registry.publishPacked(await packPackage(await books.sign(named('books', 'Acme Books', ASKING))));
});

afterEach(() => removeTestDrivers(fixture.application));

afterAll(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

const page = () => fixture.page;
const settings = () => page().getByRole('dialog', { name: 'Settings' });
const rows = () => settings().getByRole('listbox', { name: 'Drivers' }).getByRole('option');
const option = (name: string) => rows().filter({ has: page().getByText(name, { exact: true }) });
const details = (name: string) => settings().getByRole('region', { name, exact: true });
const showView = (name: string) => settings().locator('label').getByText(name, { exact: true }).click();

const collection = (name: string) => page().getByRole('navigation', { name: 'Collections' }).getByText(name, { exact: true });

async function openBrowser(): Promise<void> {
  await page().getByRole('button', { name: 'Settings' }).click();
  await settings().getByRole('tab', { name: 'Drivers' }).click();
  await settings().getByRole('listbox', { name: 'Drivers' }).waitFor();
}

async function choose(name: string): Promise<Locator> {
  await option(name).click();
  await details(name).waitFor();
  return details(name);
}

const installed = (id: string) => installedOf(fixture.application, id);

describe('a saved connection whose driver is missing', () => {
  // The window installs it for the connection that it opens: what is removed before that comes back.
  beforeEach(() => collection('products').waitFor());

  it('installs it without asking, and opens', async () => {
    await fixture.application.command('drivers', 'remove', 'search');
    expect(await installed('search')).toEqual([]);
    await openConnection(page(), 'Cluster');
    await collection('products').waitFor();
    expect(await installed('search')).toMatchObject([{ current: true, usedBy: ['Cluster'] }]);
  });

  it('installs it for a command and for a client, too', async () => {
    await fixture.application.command(
      ...['connections', 'add', '--driver', 'search', '--name', 'For clients', '--host', '127.0.0.1'],
      ...['--port', String(fixture.application.sandbox.port), '--api-key-env', 'E2E_API_KEY', '--ai-policy', 'alwaysAllow'],
    );
    await fixture.application.command('drivers', 'remove', 'search');
    expect(await installed('search')).toEqual([]);
    expect(await fixture.application.command('tables', 'For clients')).toMatchObject({ tables: expect.any(Array) as unknown[] });
    expect(await installed('search')).toMatchObject([{ current: true }]);

    await fixture.application.command('drivers', 'remove', 'search');
    const { token } = z
      .looseObject({ token: z.string() })
      .parse(await fixture.application.command('tokens', 'create', '--name', 'plugins', '--scope', 'readOnly'));
    const client = new Client({ name: 'e2e', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(fixture.application.mcp), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
    );
    try {
      const tables = await client.callTool({ name: 'list_tables', arguments: { connection: 'For clients' } });
      expect(JSON.stringify(toolAnswer(tables))).toContain('products');
    } finally {
      await client.close();
    }
    expect(await installed('search')).toMatchObject([{ current: true }]);
    await fixture.application.command('connections', 'remove', 'For clients');
  });
});

describe('the plug-in browser', () => {
  it('lists what is installed and what there is, and says why a version cannot run here', async () => {
    await openBrowser();
    await settings().getByRole('button', { name: 'Refresh the list' }).click();
    await option('Acme Books').waitFor();
    expect(await option('Acme Books').innerText()).not.toContain('Installed');
    await option('Search Server (Typesense)').getByText('Installed').waitFor();
    const tomorrow = await choose('Tomorrow');
    await tomorrow
      .getByText(/needs a newer Tabularium \(contract \^2\.0; this one has 1\.[0-9.]+\)\. Update Tabularium/)
      .first()
      .waitFor();
    expect(await tomorrow.getByRole('button', { name: 'Install' }).count()).toBe(0);
    await screenshot(page(), 'plugins-01-cannot-run');
    await expectNoViolations(page());
  });

  it('is searched by words and category, and walked by arrow keys', async () => {
    await openBrowser();
    await settings().getByRole('button', { name: 'Refresh the list' }).click();
    await option('Tomorrow').waitFor();
    await settings().getByRole('textbox', { name: 'Search drivers' }).fill('acme');
    await expect.poll(() => rows().count()).toBe(1);
    await settings().getByRole('textbox', { name: 'Search drivers' }).fill('nothing like it');
    await settings().getByRole('heading', { name: 'Nothing matches' }).waitFor();
    await screenshot(page(), 'plugins-02-no-match');
    await settings().getByRole('button', { name: 'Show all' }).click();
    await settings().getByRole('combobox', { name: 'Category' }).selectOption('Graph');
    await expect.poll(() => rows().count()).toBe(1);
    await settings().getByRole('combobox', { name: 'Category' }).selectOption('All categories');
    await option('Acme Books').focus();
    await page().keyboard.press('End');
    await expect.poll(() => rows().last().getAttribute('aria-selected')).toBe('true');
    await page().keyboard.press('Home');
    await expect.poll(() => rows().first().getAttribute('aria-selected')).toBe('true');
  });

  it('installs, and shows what the driver says of itself without obeying it', async () => {
    for (const version of ['1.0.0', '1.1.0']) await fixture.application.registry.publish(named('shelf', 'Fixture', { version }));
    await openBrowser();
    await settings().getByRole('button', { name: 'Refresh the list' }).click();
    const driverPane = await choose('Fixture');
    await driverPane.getByRole('button', { name: 'Install version 1.0.0' }).click();
    await option('Fixture').getByText('1.1.0 available').waitFor();
    await driverPane.getByRole('heading', { name: 'Fixture' }).last().waitFor();
    await driverPane.getByText('<img src=x onerror=alert(1)>').waitFor();
    expect(await driverPane.locator('img').count()).toBe(0);
    await driverPane.getByText('Signature checked on every file').waitFor();
    await page().getByRole('img', { name: '1 driver update waits' }).waitFor();
    await screenshot(page(), 'plugins-03-update-waits');
  });

  it("updates, rolls back in one click, and doesn't offer that update automatically again", async () => {
    const driverPane = await installOlder('turned', 'Turned back');
    await driverPane.getByRole('button', { name: 'Update to 1.1.0' }).click();
    await driverPane.getByRole('button', { name: 'Roll back to 1.0.0' }).click();
    await expect
      .poll(() => installed('turned'))
      .toMatchObject([
        { version: '1.0.0', current: true },
        { version: '1.1.0', current: false, refusedBecause: 'You rolled it back.' },
      ]);
    await driverPane.getByText(/Disabled: You rolled it back/).waitFor();
    expect(await option('Turned back').innerText()).not.toContain('available');
    await screenshot(page(), 'plugins-04-rolled-back');
  });

  it('pins, and lets go', async () => {
    const driverPane = await installOlder('kept', 'Kept');
    await driverPane.getByRole('button', { name: 'More for Kept' }).click();
    await page().getByRole('menuitem', { name: 'Stay at 1.0.0' }).click();
    await option('Kept').getByText('Pinned').waitFor();
    expect(await installed('kept')).toMatchObject([{ version: '1.0.0', pinned: true }]);
    await driverPane.getByRole('button', { name: 'More for Kept' }).click();
    await page().getByRole('menuitem', { name: 'Allow updates again' }).click();
    await expect.poll(() => option('Kept').getByText('Pinned').count()).toBe(0);
  });

  it('switches off and on', async () => {
    const driverPane = await installOlder('switched', 'Switched');
    await driverPane.getByRole('button', { name: 'More for Switched' }).click();
    await page().getByRole('menuitem', { name: 'Disable' }).click();
    await option('Switched').getByText('Disabled').waitFor();
    await driverPane.getByRole('button', { name: 'Enable' }).click();
    await expect.poll(() => option('Switched').getByText('Disabled').count()).toBe(0);
  });
});

/** Publishes a driver, and shows the list with it. */
async function publish(files: PackageFiles): Promise<void> {
  await fixture.application.registry.publishPacked(await packPackage(files));
  await openBrowser();
  await settings().getByRole('button', { name: 'Refresh the list' }).click();
}

describe('an untrusted publisher', () => {
  it('is asked about with fingerprint and wishes, and refused without a trace', async () => {
    const publisher = await newPublisher('Doubted Databases');
    await publish(await publisher.sign(named('doubted', 'Doubted', ASKING)));
    const driverPane = await choose('Doubted');
    await driverPane.getByRole('button', { name: 'Install', exact: true }).click();
    const question = page().getByRole('dialog', { name: 'Trust “Doubted Databases”?' });
    await question.getByText(fingerprintOf(await keyIdOf(publisher.key.publicKey))).waitFor();
    await question.getByText(/To read the file chosen under “book”\. The driver says why: “The book to show\.”/).waitFor();
    await screenshot(page(), 'plugins-05-trust');
    await expectNoViolations(page());
    await question.getByRole('button', { name: "Don't trust" }).click();
    await question.waitFor({ state: 'detached' });
    expect(await installed('doubted')).toEqual([]);
  });

  it('is trusted once, listed, and can be revoked', async () => {
    const publisher = await newPublisher('Trusted Databases');
    await publish(await publisher.sign(named('trusted', 'Trusted', ASKING)));
    await (await choose('Trusted')).getByRole('button', { name: 'Install', exact: true }).click();
    await page().getByRole('button', { name: 'Trust and install' }).click();
    await option('Trusted').getByText('Installed').waitFor();
    expect(await installed('trusted')).toMatchObject([{ publisher: { name: 'Trusted Databases', origin: 'thirdParty' } }]);
    await showView('Publishers');
    await settings().getByRole('button', { name: 'Revoke the key of Trusted Databases' }).click();
    await settings().getByRole('button', { name: 'Trust again: the key of Trusted Databases' }).waitFor();
    await screenshot(page(), 'plugins-06-publishers');
    await expectNoViolations(page());
    await showView('Drivers');
    await (
      await choose('Trusted')
    )
      .getByText(/was revoked on/)
      .first()
      .waitFor();
    await page()
      .getByRole('img', { name: /1 driver has a problem/ })
      .waitFor();
    await screenshot(page(), 'plugins-07-revoked');
    await showView('Publishers');
    await settings().getByRole('button', { name: 'Trust again: the key of Trusted Databases' }).click();
    await showView('Drivers');
    await option('Trusted').getByText('Installed').waitFor();
  });
});

describe('a driver from a file', () => {
  it('is installed when it is picked', async () => {
    const publisher = await newPublisher('Picked Databases');
    const { tarball } = await packPackage(await publisher.sign(named('picked', 'Picked')));
    await openBrowser();
    const [chooser] = await Promise.all([
      page().waitForEvent('filechooser'),
      (async () => {
        await settings().getByRole('button', { name: 'More ways to install' }).click();
        await page().getByRole('menuitem', { name: 'Install from file…' }).click();
      })(),
    ]);
    await chooser.setFiles({ name: 'picked.tgz', mimeType: 'application/gzip', buffer: tarball });
    await page().getByRole('button', { name: 'Trust and install' }).click();
    await option('Picked').getByText('Installed').waitFor();
  });

  it('is installed when it is dropped, and refused when it was changed', async () => {
    const publisher = await newPublisher('Dropped Databases');
    const files = await publisher.sign(named('dropped', 'Dropped'));
    await openBrowser();
    const drop = async (name: string, bytes: Buffer): Promise<void> => {
      const transfer = await page().evaluateHandle(
        ([fileName, content]) => {
          const data = new DataTransfer();
          data.items.add(new File([Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))], fileName));
          return data;
        },
        [name, bytes.toString('base64')] as const,
      );
      await settings().getByRole('listbox', { name: 'Drivers' }).dispatchEvent('drop', { dataTransfer: transfer });
    };
    const changed = new Map(files).set('dist/index.js', new TextEncoder().encode('export const driver = 1;'));
    await drop('changed.tgz', (await packPackage(changed)).tarball);
    await settings().getByText('changed.tgz was not installed').first().waitFor();
    await screenshot(page(), 'plugins-08-file-refused');
    await settings().getByRole('button', { name: 'Dismiss' }).click();
    expect(await installed('dropped')).toEqual([]);
    await drop('dropped.tgz', (await packPackage(files)).tarball);
    await page().getByRole('button', { name: 'Trust and install' }).click();
    await option('Dropped').getByText('Installed').waitFor();
  });

  it('is saved for another machine', async () => {
    const driverPane = await installOlder('saved', 'Saved');
    await driverPane.getByRole('button', { name: 'More for Saved' }).click();
    const [download] = await Promise.all([
      page().waitForEvent('download'),
      page().getByRole('menuitem', { name: 'Save as file…' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('saved-1.0.0.tgz');
    const saved = join(folder, 'saved.tgz');
    await download.saveAs(saved);
    const bundled = z
      .object({ file: z.string() })
      .parse(await fixture.application.command('drivers', 'bundle', 'saved', join(folder, 'from-command.tgz')));
    expect(await readFile(saved)).toEqual(await readFile(bundled.file));
  });
});

describe("a developer's folder", () => {
  it('is loaded after a warning, and marked wherever it shows', async () => {
    const { application } = fixture;
    await application.registry.publish(named('mine', 'Own driver'));
    await application.command('drivers', 'install', 'mine');
    const source = join(folder, 'mine');
    for (const [path, bytes] of named('mine', 'Own driver', { version: '2.0.0' })) {
      await mkdir(dirname(join(source, path)), { recursive: true });
      await writeFile(join(source, path), bytes);
    }
    await openBrowser();
    await settings().getByRole('button', { name: 'More ways to install' }).click();
    await page().getByRole('menuitem', { name: 'Load from folder…' }).click();
    const dialog = page().getByRole('dialog', { name: 'Load from folder…' });
    await dialog.getByLabel('Folder').fill(source);
    await dialog.getByRole('button', { name: 'Load' }).click();
    await option('Own driver').getByText('Unsigned folder').waitFor();
    const driverPane = await choose('Own driver');
    await driverPane.getByText(new RegExp(`loaded from ${source}`)).waitFor();
    await screenshot(page(), 'plugins-09-folder');
    await page().keyboard.press('Escape');
    await settings().waitFor({ state: 'detached' });
    await page().getByRole('button', { name: 'Cluster' }).first().click();
    await page().getByRole('menuitem', { name: 'New connection…' }).click();
    await page()
      .getByRole('button', { name: /^Own driver/ })
      .getByText('Unsigned folder')
      .waitFor();
    await screenshot(page(), 'plugins-10-chooser');
    await page().keyboard.press('Escape');
    await openBrowser();
    await (await choose('Own driver')).getByRole('button', { name: 'Stop loading from the folder' }).click();
    await option('Own driver').getByText('Unsigned folder').waitFor({ state: 'detached' });
    expect(await installed('mine')).toMatchObject([{ version: '1.0.0', current: true }]);
  });
});

describe('an update with an open connection', () => {
  it('applies to new connections, says so, and to the open one when asked', async () => {
    await collection('products').waitFor();
    const [before] = z.array(z.looseObject({ version: z.string() })).parse(await installed('search'));
    const next = `${before?.version.replace(/\.\d+$/, '')}.999`;
    await fixture.application.registry.publish(await collectDriver(join(root, 'drivers/search'), next));
    await openBrowser();
    await settings().getByRole('button', { name: 'Refresh the list' }).click();
    await settings().getByRole('button', { name: 'Update all (1)' }).click();
    const search = await choose('Search Server (Typesense)');
    await search.getByText('Cluster still uses another version.', { exact: false }).waitFor();
    await screenshot(page(), 'plugins-11-open-session');
    expect(await installed('search')).toMatchObject([
      { version: before?.version, usedBy: ['Cluster'] },
      { version: next, current: true, usedBy: [] },
    ]);
    await search.getByRole('button', { name: 'Reopen now' }).click();
    await search.getByText('Cluster still uses another version.', { exact: false }).waitFor({ state: 'detached' });
    await fixture.application.command('tables', 'Cluster');
    expect(await installed('search')).toMatchObject([
      { version: before?.version, usedBy: [] },
      { version: next, usedBy: ['Cluster'] },
    ]);
    // No driver has an update in the test that follows.
    await fixture.application.command('drivers', 'remove', 'search');
  });
});

describe('registries', () => {
  it('are listed, and offline mode asks none', async () => {
    await installOlder('offline', 'Offline');
    await showView('Registries');
    await settings().getByRole('list', { name: 'Registries' }).getByText('Local driver registry').waitFor();
    await settings().getByLabel('Address').fill('https://registry.example/');
    await settings().getByRole('button', { name: 'Add registry' }).click();
    await settings().getByRole('button', { name: 'Remove the registry registry.example' }).waitFor();
    await screenshot(page(), 'plugins-12-registries');
    await expectNoViolations(page());
    await settings().getByRole('button', { name: 'Remove the registry registry.example' }).click();
    await settings().getByRole('switch', { name: 'Offline mode' }).click();
    await showView('Drivers');
    await settings().getByText("Offline mode: registries aren't used").waitFor();
    await (await choose('Offline')).getByRole('button', { name: 'More for Offline' }).click();
    await page().getByRole('menuitem', { name: 'Remove…' }).click();
    await page().getByRole('dialog', { name: 'Remove the driver for Offline?' }).waitFor();
    await screenshot(page(), 'plugins-13-remove');
    await page().getByRole('button', { name: 'Remove the driver', exact: true }).click();
    await expect.poll(() => installed('offline')).toEqual([]);
    expect(await fixture.application.command('drivers', 'network')).toMatchObject({ offline: true });
    await fixture.application.command('drivers', 'network', '--no-offline');
  });

  it('hold at 900×600', async () => {
    await page().setViewportSize({ width: 900, height: 600 });
    await openBrowser();
    await settings().getByRole('button', { name: 'Refresh the list' }).click();
    await choose('Tomorrow');
    await screenshot(page(), 'plugins-14-small');
    await expectNoViolations(page());
    const overflow = await settings().evaluate((dialog) => dialog.scrollWidth > dialog.clientWidth);
    expect(overflow).toBe(false);
  });
});
