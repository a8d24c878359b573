import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createSigningKey, registryFileSchema } from '@tabularium/sdk/package';
import { packPackage, signPackage } from '@tabularium/registry';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { createRegistryProxy } from '../security/registryProxy.ts';
import type { RegistryProxy } from '../security/registryProxy.ts';
import type { Application } from './application.ts';
import { startApplication } from './application.ts';
import { STEP_MILLISECONDS, screenshot, startBrowser, watchFaults } from './browser.ts';
import { addConnection, soon } from './openTable.ts';
import {
  chooseDriver,
  closeSettings,
  driverFiles,
  driverOption,
  expectNoGraveViolation,
  installedOf,
  namedDriver,
  openPluginBrowser,
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

let application: Application;
let browser: Browser;
let page: Page;
let faults: string[];
const gate = new Gate();

beforeAll(async () => {
  [application, browser] = await Promise.all([startApplication({ products: 50 }), startBrowser()]);
  gate.proxy = await createRegistryProxy({ target: application.registry.url, meddle: gate.meddle });
  const { registryJsonPath } = application.registry;
  const file = registryFileSchema.parse(JSON.parse(await readFile(registryJsonPath, 'utf8')));
  await writeFile(`${registryJsonPath}.new`, JSON.stringify({ ...file, url: gate.proxy.url }), { mode: 0o600 });
  await rename(`${registryJsonPath}.new`, registryJsonPath);
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })).newPage();
  page.setDefaultTimeout(STEP_MILLISECONDS);
  faults = watchFaults(page);
}, 180_000);

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await screenshot(page, `failed ${task.name.slice(0, 40)}`);
});

afterAll(async () => {
  gate.release();
  await browser?.close();
  await application?.[Symbol.asyncDispose]();
  await gate.proxy?.[Symbol.asyncDispose]();
});

describe('a download that takes its time', { timeout: 120_000 }, () => {
  it('is cancelled in the chooser, and leaves no trace; chosen again it opens the form', async () => {
    gate.hold();
    await page.goto(application.ui);
    await page.getByRole('button', { name: 'Create the first connection' }).click();
    const tile = page.getByRole('button', { name: /Search Server \(Typesense\)/ });
    await tile.click();
    const download = page.getByRole('button', { name: 'Download and install' });
    await download.click();
    const steps = page.getByRole('list', { name: 'Installation' });
    await steps.locator('[aria-current="step"]').getByText('Downloading').waitFor();
    await screenshot(page, 'plugins-20-chooser-downloading');
    await expectNoGraveViolation(page);
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
    await page.keyboard.press('Escape');
  });

  it('is cancelled while a connection opens, and leaves nothing', async () => {
    await addConnection(application, 'Cluster');
    await application.command('drivers', 'remove', 'search');
    gate.hold();
    await page.reload();
    await page.getByRole('button', { name: 'Open Cluster' }).click();
    await page.getByText('Installing the driver').waitFor();
    await page.getByRole('list', { name: 'Installation' }).locator('[aria-current="step"]').getByText('Downloading').waitFor();
    await screenshot(page, 'plugins-21-opening-downloading');
    await expectNoGraveViolation(page);
    await page.getByRole('main').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Opening was cancelled.').waitFor();
    await screenshot(page, 'plugins-22-opening-cancelled');
    await soon(() => driverFiles(application)).toEqual([]);
    expect(await installedOf(application, 'search')).toEqual([]);
  });

  it('is one download for everybody who waits: this window, another one and a command', async () => {
    const before = gate.archives();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Installing the driver').waitFor();
    await soon(() => gate.archives()).toBe(before + 1);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'Open Cluster' }).click();
    await other.getByText('Installing the driver').waitFor();
    const tables = application.command('tables', 'Cluster');
    // One who gives up does not take it from the others.
    await other.getByRole('main').getByRole('button', { name: 'Cancel' }).click();
    await other.getByText('Opening was cancelled.').waitFor();
    gate.release();
    await page.getByRole('navigation', { name: 'Collections' }).getByText('products', { exact: true }).waitFor();
    expect(await tables).toMatchObject({ tables: expect.any(Array) as unknown[] });
    expect(gate.archives()).toBe(before + 1);
    await other.close();
  });

  it('is cancelled in the plug-in browser by keyboard, and leaves nothing', async () => {
    await application.registry.publish(namedDriver('shelf', 'Fixture'));
    await openPluginBrowser(page);
    await settingsOf(page).getByRole('button', { name: 'Refresh the list' }).click();
    const driverPane = await chooseDriver(page, 'Fixture');
    const before = await driverFiles(application);
    gate.hold();
    await driverPane.getByRole('button', { name: 'Install', exact: true }).focus();
    await page.keyboard.press('Enter');
    await driverOption(page, 'Fixture').getByRole('progressbar', { name: 'Installing Fixture' }).waitFor();
    await driverPane.locator('[aria-current="step"]').getByText('Downloading').waitFor();
    await screenshot(page, 'plugins-23-browser-downloading');
    await expectNoGraveViolation(page);
    await driverPane.getByRole('button', { name: 'Cancel' }).focus();
    await page.keyboard.press('Enter');
    await driverPane.getByRole('button', { name: 'Install', exact: true }).waitFor();
    // The button that was pressed is gone; the keyboard is still where it was used.
    await soon(() => driverPane.evaluate((region) => region.contains(document.activeElement))).toBe(true);
    await soon(() => driverFiles(application)).toEqual(before);
    gate.release();
  });
});

describe('several updates', { timeout: 120_000 }, () => {
  it('are made together, each with its progress; one that fails stays named until it is tried again', async () => {
    for (const [id, title] of [
      ['crate', 'Crate'],
      ['rack', 'Rack'],
    ] as const)
      await application.registry.publish(namedDriver(id, title));
    for (const id of ['shelf', 'crate', 'rack']) await application.command('drivers', 'install', id);
    for (const [id, title] of [
      ['shelf', 'Fixture'],
      ['crate', 'Crate'],
      ['rack', 'Rack'],
    ] as const)
      await application.registry.publish(namedDriver(id, title, { version: '1.1.0' }));
    gate.hold();
    gate.spoils = 'crate';
    await settingsOf(page).getByRole('button', { name: 'Refresh the list' }).click();
    await page.getByRole('img', { name: '3 driver updates wait', includeHidden: true }).waitFor();
    await settingsOf(page).getByRole('button', { name: 'Update all (3)' }).click();
    for (const name of ['Fixture', 'Crate', 'Rack'])
      await driverOption(page, name)
        .getByRole('progressbar', { name: `Updating ${name}` })
        .waitFor();
    await screenshot(page, 'plugins-24-updating-all');
    await expectNoGraveViolation(page);
    gate.release();
    for (const name of ['Fixture', 'Rack']) await driverOption(page, name).getByText('Installed').waitFor();
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
    for (const id of ['shelf', 'crate', 'rack'])
      expect(await installedOf(application, id)).toMatchObject([{ version: '1.0.0' }, { version: '1.1.0', current: true }]);
  });

  it('that do not wait are said not to', async () => {
    await settingsOf(page).locator('label').getByText('Updates', { exact: true }).click();
    await settingsOf(page).getByRole('heading', { name: 'Everything is up to date' }).waitFor();
    await screenshot(page, 'plugins-26-nothing-waits');
    await settingsOf(page).getByRole('button', { name: 'Show all' }).click();
    await driverOption(page, 'Fixture').waitFor();
  });
});

describe('a registry that cannot be asked', { timeout: 120_000 }, () => {
  it('leaves the saved list, with the reason and its age, in browser and chooser', async () => {
    gate.isDown = true;
    await settingsOf(page).getByRole('button', { name: 'Refresh the list' }).click();
    const footer = settingsOf(page).getByRole('status').filter({ hasText: 'List refreshed' });
    await footer.getByText(/Showing the saved list\. The driver registry .* cannot be used\. It answered 503/).waitFor();
    await driverOption(page, 'Rack').waitFor();
    await screenshot(page, 'plugins-27-registry-down');
    await expectNoGraveViolation(page);
    await closeSettings(page);
    await page.getByRole('button', { name: 'Cluster' }).first().click();
    await page.getByRole('menuitem', { name: 'New connection…' }).click();
    const chooser = page.getByRole('dialog', { name: 'New connection' });
    await chooser.getByRole('button', { name: /^Rack/ }).waitFor();
    await chooser.getByText(/List refreshed .*The list may be out of date\. .*answered 503/).waitFor();
    await screenshot(page, 'plugins-28-chooser-registry-down');
    await expectNoGraveViolation(page);
    await page.keyboard.press('Escape');
    await chooser.waitFor({ state: 'detached' });
    expect(await application.command('drivers', 'search', 'rack')).toMatchObject({
      drivers: [{ id: 'rack', state: 'installed' }],
      refreshedAt: expect.any(String) as string,
      problem: expect.stringContaining('503') as string,
    });
  });

  it('is not asked in offline mode, and the list still says how old it is', async () => {
    await application.command('drivers', 'network', '--offline');
    const before = gate.proxy.asked.length;
    await page.reload();
    await openPluginBrowser(page);
    await settingsOf(page).getByRole('button', { name: 'Refresh the list' }).click();
    const footer = settingsOf(page).getByRole('status').filter({ hasText: 'List refreshed' });
    await footer
      .getByText(/Offline mode/)
      .first()
      .waitFor();
    await screenshot(page, 'plugins-29-offline');
    expect(gate.proxy.asked.length).toBe(before);
    await application.command('drivers', 'network', '--no-offline');
    gate.isDown = false;
    await settingsOf(page).getByRole('button', { name: 'Refresh the list' }).click();
    await footer.getByText(/Offline|saved list/).waitFor({ state: 'detached' });
  });

  it("and a host that doesn't respond are distinct", async () => {
    await closeSettings(page);
    await page.route('**/api/**drivers.overview**', (route) => route.abort());
    await page.reload();
    await page.getByRole('button', { name: 'Settings' }).click();
    await settingsOf(page).getByRole('tab', { name: 'Drivers' }).click();
    const failed = settingsOf(page).getByRole('alert', { name: "The list of drivers couldn't be read" });
    await failed.waitFor();
    await screenshot(page, 'plugins-30-list-failed');
    await expectNoGraveViolation(page);
    await page.unroute('**/api/**drivers.overview**');
    await failed.getByRole('button', { name: 'Try again' }).click();
    await driverOption(page, 'Rack').waitFor();
  });
});

describe('a registry that was added in the settings', { timeout: 120_000 }, () => {
  it('is asked for its scope, finds by the names of packages where it has no search, and its publisher is asked about', async () => {
    const files = namedDriver('acme', 'Acme', { name: '@acme/tabularium-driver' });
    const key = await createSigningKey();
    await application.registry.publishPacked(await packPackage(await signPackage(files, { id: 'acme', name: 'Acme' }, key)));
    await using proxy = await createRegistryProxy({ target: application.registry.url, withoutSearch: true });
    // The local registry has everything here; away it is as on a computer without one.
    gate.isDown = true;
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
    expect(proxy.asked.filter((line) => line.includes('driver-shelf'))).toEqual([]);
    gate.isDown = false;
    await application.command('drivers', 'registries', 'remove', proxy.url);
  });
});

describe('all of it', { timeout: 120_000 }, () => {
  it.each([
    ['dark', 1280, 800],
    ['dark', 900, 600],
    ['light', 900, 600],
  ] as const)('holds in %s at %i×%i', async (colorScheme, width, height) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    await chooseDriver(page, 'Crate');
    await screenshot(page, `plugins-31-browser-${colorScheme}-${width}`);
    await expectNoGraveViolation(page);
    for (const view of ['Publishers', 'Registries']) {
      await settingsOf(page).locator('label').getByText(view, { exact: true }).click();
      await settingsOf(page).getByRole('list', { name: view }).waitFor();
      await screenshot(page, `plugins-32-${view.toLowerCase()}-${colorScheme}-${width}`);
      await expectNoGraveViolation(page);
      const overflow = await settingsOf(page).evaluate((dialog) => dialog.scrollWidth > dialog.clientWidth);
      expect(overflow).toBe(false);
    }
    await settingsOf(page).locator('label').getByText('Drivers', { exact: true }).click();
    await driverOption(page, 'Crate').waitFor();
  });

  it('meets no script error', () => {
    expect(faults.filter((fault) => !/502|503|ERR_FAILED|Failed to fetch/.test(fault))).toEqual([]);
  });
});
