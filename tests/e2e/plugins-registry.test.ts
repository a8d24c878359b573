import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { createSigningKey, registryFileSchema } from '@tabularium/sdk/package';
import { packPackage, signPackage } from '@tabularium/registry';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createRegistryProxy } from '../security/registryProxy.ts';
import type { RegistryProxy } from '../security/registryProxy.ts';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { expectNoViolations } from './openTool.ts';
import { savedConnection, soon } from './openTable.ts';
import {
  chooseDriver,
  closeSettings,
  driverFiles,
  driverOption,
  installedOf,
  namedDriver,
  openPluginBrowser,
  removeTestDrivers,
  settingsOf,
} from './pluginBrowser.ts';

// Drivers from a registry that is slow, broken or away: waiting, cancelling, joining, updating several, and what the list says of its age.

/** A proxy of the real registry that holds archives back, sends rubbish, or fails on demand. */
class Gate {
  proxy!: RegistryProxy;
  isDown = false;
  /** Archives of packages whose name has this in it are changed on the way. */
  spoils: string | undefined;
  #held: Promise<void> = Promise.resolve();
  #release: () => void = () => undefined;

  hold(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    this.#release = resolve;
  }

  release(): void {
    this.#release();
  }

  /** Lets everything through, as at the beginning. */
  open(): void {
    this.isDown = false;
    this.spoils = undefined;
    this.release();
    this.#held = Promise.resolve();
  }

  readonly meddle = (url: URL, outgoing: ServerResponse, answer: IncomingMessage): boolean => {
    if (this.isDown) {
      outgoing.writeHead(503).end('{}');
      return true;
    }
    if (!url.pathname.endsWith('.tgz')) return false;
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => {
      const archive = Buffer.concat(chunks);
      const spoilt = this.spoils !== undefined && url.pathname.includes(this.spoils);
      // The first half at once, so that something of it can be seen.
      outgoing.writeHead(200, { 'content-length': archive.length });
      outgoing.write(archive.subarray(0, archive.length / 2));
      const rest = spoilt
        ? Buffer.alloc(archive.length - Math.floor(archive.length / 2), 0xff)
        : archive.subarray(archive.length / 2);
      void this.#held.then(() => outgoing.end(rest));
    });
    return true;
  };

  /** How often archives were asked for. */
  archives(): number {
    return this.proxy.asked.filter((line) => line.endsWith('.tgz')).length;
  }
}

const fixture = useOwnWindow({
  products: 50,
  sharesConnection: true,
  provokes: /502|503|ERR_FAILED|Failed to fetch/,
});
const gate = new Gate();

beforeAll(async () => {
  const { registry } = fixture.application;
  gate.proxy = await createRegistryProxy({ target: registry.url, meddle: gate.meddle });
  const file = registryFileSchema.parse(JSON.parse(await readFile(registry.registryJsonPath, 'utf8')));
  await writeFile(`${registry.registryJsonPath}.new`, JSON.stringify({ ...file, url: gate.proxy.url }), { mode: 0o600 });
  await rename(`${registry.registryJsonPath}.new`, registry.registryJsonPath);
});

afterEach(async () => {
  gate.open();
  await removeTestDrivers(fixture.application);
});

afterAll(async () => {
  gate.open();
  await gate.proxy?.[Symbol.asyncDispose]();
});

/** Publishes a version of a driver that no other test has. */
async function publish(id: string, title: string, version = '1.0.0'): Promise<void> {
  await fixture.application.registry.publish(namedDriver(id, title, { version }));
}

async function showDrivers(): Promise<void> {
  await openPluginBrowser(fixture.page);
  await settingsOf(fixture.page).getByRole('button', { name: 'Refresh the list' }).click();
}

/** Shows the list of connections in a window without tabs; no driver is installed. */
async function beginWithoutDriver(): Promise<void> {
  const { application, page } = fixture;
  const address = new URL('#new', page.url()).href;
  // The window has it installed for the connection that it opens: what is removed before that, or while it is open, comes back.
  await soon(async () => (await installedOf(application, 'search')).length).toBeGreaterThan(0);
  await page.goto('about:blank');
  await application.command('drivers', 'remove', 'search');
  await page.goto(address);
  await savedConnection(page, 'Cluster').waitFor();
}

describe('a download that takes its time', () => {
  it('is cancelled in the chooser, and leaves no trace; chosen again it opens the form', async () => {
    const { application, page } = fixture;
    await beginWithoutDriver();
    gate.hold();
    await page.getByRole('button', { name: 'New connection' }).first().click();
    // Behind the dialog is the list of connections, with the name of their driver.
    const tile = page
      .getByRole('dialog', { name: 'New connection' })
      .getByRole('button', { name: /Search Server \(Typesense\)/ });
    await tile.getByText('Not installed').waitFor();
    await tile.click();
    const download = page.getByRole('button', { name: 'Download and install' });
    await download.click();
    const steps = page.getByRole('list', { name: 'Installation' });
    await steps.locator('[aria-current="step"]').getByText('Downloading').waitFor();
    await screenshot(page, 'plugins-20-chooser-downloading');
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Cancel', exact: true }).first().click();
    await tile.getByText('Not installed').waitFor();
    await soon(() => driverFiles(application)).toEqual([]);
    expect(await installedOf(application, 'search')).toEqual([]);
    await tile.click();
    await download.click();
    await steps.locator('[aria-current="step"]').getByText('Downloading').waitFor();
    gate.release();
    await page.getByLabel('Host').waitFor();
    expect(await installedOf(application, 'search')).toMatchObject([{ current: true }]);
    expect((await driverFiles(application)).filter((file) => file.startsWith('.'))).toEqual([]);
  });

  it('is cancelled while a connection opens, and leaves nothing', async () => {
    const { application, page } = fixture;
    await beginWithoutDriver();
    gate.hold();
    await savedConnection(page, 'Cluster').click();
    await page.getByText('Installing the driver').waitFor();
    await page.getByRole('list', { name: 'Installation' }).locator('[aria-current="step"]').getByText('Downloading').waitFor();
    await screenshot(page, 'plugins-21-opening-downloading');
    await expectNoViolations(page);
    await page.getByRole('main').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Opening was cancelled.').waitFor();
    await screenshot(page, 'plugins-22-opening-cancelled');
    await soon(() => driverFiles(application)).toEqual([]);
    expect(await installedOf(application, 'search')).toEqual([]);
  });

  it('is one download for everybody who waits: this window, another one and a command', async () => {
    const { application, page } = fixture;
    await beginWithoutDriver();
    gate.hold();
    const before = gate.archives();
    await savedConnection(page, 'Cluster').click();
    await page.getByText('Installing the driver').waitFor();
    await soon(() => gate.archives()).toBe(before + 1);
    const other = await page.context().newPage();
    await other.goto(new URL('#new', page.url()).href);
    await savedConnection(other, 'Cluster').click();
    await other.getByText('Installing the driver').waitFor();
    const tables = application.command('tables', 'Cluster');
    // One who gives up does not take it from the others.
    await other.getByRole('main').getByRole('button', { name: 'Cancel' }).click();
    await other.getByText('Opening was cancelled.').waitFor();
    gate.release();
    await page.getByRole('navigation', { name: 'Collections' }).getByText('products', { exact: true }).waitFor();
    expect(await tables).toMatchObject({ tables: expect.any(Array) as unknown[] });
    expect(gate.archives()).toBe(before + 1);
  });

  it('is cancelled in the plug-in browser by keyboard, and leaves nothing', async () => {
    const { application, page } = fixture;
    await publish('shelf', 'Fixture');
    await showDrivers();
    const driverPane = await chooseDriver(page, 'Fixture');
    const before = await driverFiles(application);
    gate.hold();
    await driverPane.getByRole('button', { name: 'Install', exact: true }).focus();
    await page.keyboard.press('Enter');
    await driverOption(page, 'Fixture').getByRole('progressbar', { name: 'Installing Fixture' }).waitFor();
    await driverPane.locator('[aria-current="step"]').getByText('Downloading').waitFor();
    await screenshot(page, 'plugins-23-browser-downloading');
    await expectNoViolations(page);
    await driverPane.getByRole('button', { name: 'Cancel' }).focus();
    await page.keyboard.press('Enter');
    await driverPane.getByRole('button', { name: 'Install', exact: true }).waitFor();
    // The button that was pressed is gone; the keyboard is still where it was used.
    await soon(() => driverPane.evaluate((region) => region.contains(document.activeElement))).toBe(true);
    await soon(() => driverFiles(application)).toEqual(before);
  });
});

describe('several updates', () => {
  it('are made together, each with its progress; one that fails stays named until it is tried again', async () => {
    const { application, page } = fixture;
    const drivers = [
      ['box', 'Box'],
      ['crate', 'Crate'],
      ['rack', 'Rack'],
    ] as const;
    for (const [id, title] of drivers) {
      await publish(id, title);
      await application.command('drivers', 'install', id);
      await publish(id, title, '1.1.0');
    }
    gate.hold();
    gate.spoils = 'crate';
    await showDrivers();
    await page.getByRole('img', { name: '3 driver updates wait', includeHidden: true }).waitFor();
    await settingsOf(page).getByRole('button', { name: 'Update all (3)' }).click();
    for (const name of ['Box', 'Crate', 'Rack'])
      await driverOption(page, name)
        .getByRole('progressbar', { name: `Updating ${name}` })
        .waitFor();
    await screenshot(page, 'plugins-24-updating-all');
    await expectNoViolations(page);
    gate.release();
    for (const name of ['Box', 'Rack']) await driverOption(page, name).getByText('Installed').waitFor();
    await driverOption(page, 'Crate').getByText('Failed').waitFor();
    const crate = await chooseDriver(page, 'Crate');
    await crate.getByText(/do not have the SHA-512 that the registry announced/).waitFor();
    await page.getByRole('img', { name: /1 driver update waits, 1 driver has a problem/, includeHidden: true }).waitFor();
    await screenshot(page, 'plugins-25-update-failed');
    expect(await installedOf(application, 'crate')).toMatchObject([{ version: '1.0.0', current: true }]);
    gate.spoils = undefined;
    await crate.getByRole('button', { name: 'Try again' }).click();
    await driverOption(page, 'Crate').getByText('Installed').waitFor();
    await page.getByRole('img', { name: /update|problem/, includeHidden: true }).waitFor({ state: 'detached' });
    for (const [id] of drivers)
      expect(await installedOf(application, id)).toMatchObject([{ version: '1.0.0' }, { version: '1.1.0', current: true }]);
  });

  it('that do not wait are said not to', async () => {
    const { application, page } = fixture;
    await publish('current', 'Current');
    await application.command('drivers', 'install', 'current');
    await showDrivers();
    await driverOption(page, 'Current').getByText('Installed').waitFor();
    await settingsOf(page).locator('label').getByText('Updates', { exact: true }).click();
    await settingsOf(page).getByRole('heading', { name: 'Everything is up to date' }).waitFor();
    await screenshot(page, 'plugins-26-nothing-waits');
    await settingsOf(page).getByRole('button', { name: 'Show all' }).click();
    await driverOption(page, 'Current').waitFor();
  });
});

describe('a registry that cannot be asked', () => {
  it('leaves the saved list, with the reason and its age, in browser and chooser', async () => {
    const { application, page } = fixture;
    await publish('attic', 'Attic');
    await application.command('drivers', 'install', 'attic');
    await showDrivers();
    await driverOption(page, 'Attic').getByText('Installed').waitFor();
    gate.isDown = true;
    await settingsOf(page).getByRole('button', { name: 'Refresh the list' }).click();
    const footer = settingsOf(page).getByRole('status').filter({ hasText: 'List refreshed' });
    await footer.getByText(/Showing the saved list\. The driver registry .* cannot be used\. It answered 503/).waitFor();
    await driverOption(page, 'Attic').waitFor();
    await screenshot(page, 'plugins-27-registry-down');
    await expectNoViolations(page);
    await closeSettings(page);
    await page.getByRole('button', { name: 'Cluster' }).first().click();
    await page.getByRole('menuitem', { name: 'New connection…' }).click();
    const chooser = page.getByRole('dialog', { name: 'New connection' });
    await chooser.getByRole('button', { name: /^Attic/ }).waitFor();
    await chooser.getByText(/List refreshed .*The list may be out of date\. .*answered 503/).waitFor();
    await screenshot(page, 'plugins-28-chooser-registry-down');
    await expectNoViolations(page);
    await page.keyboard.press('Escape');
    await chooser.waitFor({ state: 'detached' });
    expect(await application.command('drivers', 'search', 'attic')).toMatchObject({
      drivers: [{ id: 'attic', state: 'installed' }],
      refreshedAt: expect.any(String) as string,
      problem: expect.stringContaining('503') as string,
    });
  });

  it('is not asked in offline mode, and the list still says how old it is', async () => {
    const { application, page } = fixture;
    await showDrivers();
    await driverOption(page, 'Search Server (Typesense)').waitFor();
    await settingsOf(page).getByRole('status').filter({ hasText: 'List refreshed' }).waitFor();
    await application.command('drivers', 'network', '--offline');
    // A request that was sent before may still be on its way.
    let before = -1;
    await soon(async () => {
      const last = gate.proxy.asked.length;
      await setTimeout(500);
      before = gate.proxy.asked.length;
      return before === last;
    }).toBe(true);
    await page.reload();
    await showDrivers();
    const footer = settingsOf(page).getByRole('status').filter({ hasText: 'List refreshed' });
    await footer
      .getByText(/Offline mode/)
      .first()
      .waitFor();
    await screenshot(page, 'plugins-29-offline');
    expect(gate.proxy.asked.length).toBe(before);
    await application.command('drivers', 'network', '--no-offline');
    await settingsOf(page).getByRole('button', { name: 'Refresh the list' }).click();
    await footer.getByText(/Offline|saved list/).waitFor({ state: 'detached' });
  });

  it("and a host that doesn't respond are distinct", async () => {
    const { page } = fixture;
    await page.route('**/api/**drivers.overview**', (route) => route.abort());
    await page.reload();
    await page.getByRole('button', { name: 'Settings' }).click();
    await settingsOf(page).getByRole('tab', { name: 'Drivers' }).click();
    const failed = settingsOf(page).getByRole('alert', { name: "The list of drivers couldn't be read" });
    await failed.waitFor();
    await screenshot(page, 'plugins-30-list-failed');
    await expectNoViolations(page);
    await page.unroute('**/api/**drivers.overview**');
    await failed.getByRole('button', { name: 'Try again' }).click();
    await driverOption(page, 'Search Server (Typesense)').waitFor();
  });
});

describe('a registry that was added in the settings', () => {
  it('is asked for its scope, finds by the names of packages where it has no search, and its publisher is asked about', async () => {
    const { application, page } = fixture;
    await publish('foreign', 'Foreign');
    const files = namedDriver('acme', 'Acme', { name: '@acme/tabularium-driver' });
    const key = await createSigningKey();
    await application.registry.publishPacked(await packPackage(await signPackage(files, { id: 'acme', name: 'Acme' }, key)));
    await using proxy = await createRegistryProxy({ target: application.registry.url, withoutSearch: true });
    // The local registry has everything here; away it is as on a computer without one.
    gate.isDown = true;
    await openPluginBrowser(page);
    await settingsOf(page).locator('label').getByText('Registries', { exact: true }).click();
    const add = settingsOf(page).getByRole('form', { name: 'Add a registry' });
    await add.getByLabel('Address').fill(proxy.url);
    await add.getByLabel('Scopes').fill('@acme');
    await add.getByLabel('Packages').fill('@acme/tabularium-driver');
    await soon(() => add.getByLabel('Token').isDisabled()).toBe(true);
    await add.getByText("The secure store isn't available on this computer.").waitFor();
    await add.getByRole('button', { name: 'Add registry' }).click();
    await settingsOf(page).getByText('Only for @acme · Also @acme/tabularium-driver').waitFor();
    await screenshot(page, 'plugins-33-registry-added');
    await settingsOf(page).locator('label').getByText('Drivers', { exact: true }).click();
    await settingsOf(page).getByRole('button', { name: 'Refresh the list' }).click();
    const acme = await chooseDriver(page, 'Acme');
    await acme.getByRole('button', { name: 'Install', exact: true }).click();
    await page.getByRole('button', { name: 'Trust and install' }).click();
    await driverOption(page, 'Acme').getByText('Installed').waitFor();
    expect(proxy.asked.some((line) => line.endsWith('.tgz'))).toBe(true);
    expect(proxy.asked.filter((line) => line.includes('driver-foreign'))).toEqual([]);
    await application.command('drivers', 'registries', 'remove', proxy.url);
  });
});

describe('all of it', () => {
  it.each([
    ['dark', 1280, 800],
    ['dark', 900, 600],
    ['light', 900, 600],
  ] as const)('holds in %s at %i×%i', async (colorScheme, width, height) => {
    const { page } = fixture;
    await showDrivers();
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    await chooseDriver(page, 'Search Server (Typesense)');
    await screenshot(page, `plugins-31-browser-${colorScheme}-${width}`);
    await expectNoViolations(page);
    for (const view of ['Publishers', 'Registries']) {
      await settingsOf(page).locator('label').getByText(view, { exact: true }).click();
      await settingsOf(page).getByRole('list', { name: view }).waitFor();
      await screenshot(page, `plugins-32-${view.toLowerCase()}-${colorScheme}-${width}`);
      await expectNoViolations(page);
      const overflow = await settingsOf(page).evaluate((dialog) => dialog.scrollWidth > dialog.clientWidth);
      expect(overflow).toBe(false);
    }
    await settingsOf(page).locator('label').getByText('Drivers', { exact: true }).click();
    await driverOption(page, 'Search Server (Typesense)').waitFor();
  });
});
