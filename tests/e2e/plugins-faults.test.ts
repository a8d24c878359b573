import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSigningKey } from '@tabularium/sdk/package';
import type { SigningKey } from '@tabularium/sdk/package';
import { packPackage, signPackage } from '@tabularium/registry';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';
import { archiveOf } from '../security/packageArchive.ts';
import type { Application } from './application.ts';
import { startApplication } from './application.ts';
import { STEP_MILLISECONDS, screenshot, startBrowser, watchFaults } from './browser.ts';
import { addConnection, cellOf, openTable, soon, tableGrid } from './openTable.ts';
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

// Drivers that fail and packages that should not be: what a person sees of a crash, of a version that gives way, of a key that is revoked
// while its driver runs, of a publisher whose key changed, and of files that are refused.

const ACME = { id: 'acme', name: 'Acme Databases' };
/** Two tables: one that can be read, and one that ends the process. */
const FRAGILE = `
async listTables() {
  return ['boom', 'calm'].map((name) => ({ ref: { namespace: [], name }, kind: 'table' }));
},
async describeTable(table) {
  const no = { allowed: false, reason: 'Not in a test.' };
  const columns = [{ name: 'id', kind: 'text', type: 'text', nullable: false, editable: no, sortable: no }];
  return { ref: table, kind: 'table', columns, key: [], paging: 'offset', readsFromEnd: false, notes: [] };
},
async readPage(request) {
  if (request.table.name === 'boom') process.exit(7);
  return { rowCount: 0, atEnd: true, droppedSorts: [], batch: batch([], []) };
},
`;

let application: Application;
let browser: Browser;
let page: Page;
let faults: string[];
let key: SigningKey;

beforeAll(async () => {
  [application, browser, key] = await Promise.all([startApplication({ products: 200 }), startBrowser(), createSigningKey()]);
  await application.registry.publish(namedDriver('fragile', 'Fragile', { members: FRAGILE }));
  await addConnection(application, 'Cluster');
  await application.command('drivers', 'install', 'fragile');
  await application.command('connections', 'add', '--driver', 'fragile', '--name', 'Glass');
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })).newPage();
  page.setDefaultTimeout(STEP_MILLISECONDS);
  faults = watchFaults(page);
}, 180_000);

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await screenshot(page, `failed ${task.name.slice(0, 40)}`);
});

afterAll(async () => {
  await browser?.close();
  await application?.[Symbol.asyncDispose]();
});

const tables = () => page.getByRole('navigation', { name: 'Tables' });
const readFailed = (table: string) => page.getByRole('alert').filter({ hasText: table }).first();

/** Shows a connection, from the list of all. */
async function open(name: string): Promise<void> {
  if (page.url() === 'about:blank') await page.goto(application.ui);
  else {
    await page.getByRole('button', { name: /: switch connection$/ }).click();
    await page.getByRole('menuitem', { name: 'All connections' }).click();
  }
  await page.getByRole('button', { name: `Open ${name}` }).click();
}

/** The driver processes of the host, as it writes them down for the host after it. */
async function driverProcesses(): Promise<number[]> {
  const text = await readFile(join(application.home, 'cache', 'driver-processes.json'), 'utf8');
  return z
    .object({ processes: z.array(z.object({ pid: z.number() })) })
    .parse(JSON.parse(text))
    .processes.map(({ pid }) => pid);
}

describe('a driver that crashes', { timeout: 120_000 }, () => {
  it('is named with its version and its last call, and the connection continues', async () => {
    await open('Glass');
    await tables().getByText('boom', { exact: true }).click();
    const failure = readFailed('boom');
    await failure.getByText(/The driver "fragile" 1\.0\.0 ended unexpectedly \(exit code 7\) \(last call: readPage\)/).waitFor();
    await screenshot(page, 'plugins-40-crash');
    await expectNoGraveViolation(page);
    await tables().getByText('calm', { exact: true }).click();
    await tableGrid(page, 'calm').waitFor();
    await page.getByRole('heading', { name: /No rows/ }).waitFor();
    expect(await application.command('tables', 'Glass')).toMatchObject({ tables: [{ name: 'boom' }, { name: 'calm' }] });
  });

  it('costs no staged change', async () => {
    await open('Cluster');
    const grid = await openTable(page, 'products');
    await (await cellOf(page, grid, 0, 'brand')).click();
    await page.keyboard.press('F2');
    const field = page.getByRole('textbox', { name: 'Edit brand' });
    await field.fill('Kept & Sons');
    await field.press('Enter');
    await page.getByText('1 change', { exact: true }).waitFor();
    const processes = await driverProcesses();
    expect(processes.length).toBeGreaterThan(0);
    for (const pid of processes) process.kill(pid, 'SIGKILL');
    // Until the host has seen that, it sends the next call to the dead process.
    await soon(async () => (await driverProcesses()).some((pid) => processes.includes(pid))).toBe(false);
    await page.getByRole('button', { name: 'Reload rows' }).click();
    await soon(async () => (await cellOf(page, grid, 0, 'brand')).innerText()).toBe('Kept & Sons');
    await page.getByText('1 change', { exact: true }).waitFor();
    await grid.focus();
    await page.keyboard.press('Control+s');
    await page.getByRole('dialog', { name: 'Changes of products' }).getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText('Saved 1 change of products').waitFor();
  });
});

describe('a new version that crashes at its first use', { timeout: 120_000 }, () => {
  it('gives way to the one before while a table is read, and the list says so', async () => {
    await application.registry.publish(
      namedDriver('fragile', 'Fragile', {
        version: '1.1.0',
        members: `${FRAGILE} async ping() {}, findings: (() => process.exit(9))(),`,
      }),
    );
    await application.command('drivers', 'disable', 'fragile');
    await application.command('drivers', 'enable', 'fragile');
    expect(await application.command('drivers', 'install', 'fragile')).toMatchObject({ version: '1.1.0' });
    // The connection lost its session with the driver being switched off; the next read opens it with the new version, which gives way.
    await open('Glass');
    await page.getByRole('button', { name: 'Reload rows' }).first().click();
    await soon(() => installedOf(application, 'fragile')).toMatchObject([
      { version: '1.0.0', current: true, usedBy: ['Glass'] },
      { version: '1.1.0', current: false, refusedBecause: expect.stringContaining('exit code 9') as string },
    ]);
    await page.getByRole('heading', { name: /No rows/ }).waitFor();
    await page.getByRole('img', { name: '1 driver has a problem' }).waitFor({ timeout: 30_000 });
    await openPluginBrowser(page);
    const fragile = await chooseDriver(page, 'Fragile');
    await fragile
      .getByRole('alert')
      .getByText(/1\.1\.0 ended unexpectedly \(exit code 9\)/)
      .waitFor();
    await fragile.getByText(/Disabled:/).waitFor();
    await screenshot(page, 'plugins-41-rolled-back-by-itself');
    await expectNoGraveViolation(page);
    expect(
      await settingsOf(page)
        .getByRole('button', { name: /Update all/ })
        .count(),
    ).toBe(0);
    await closeSettings(page);
  });
});

describe('a key that is revoked while its driver runs', { timeout: 120_000 }, () => {
  it('stops the driver, and every view says why; trusted again it works', async () => {
    // The first one: a process that waits for the next driver is listed after those that run one.
    const [running] = await driverProcesses();
    expect(running).toBeTypeOf('number');
    await openPluginBrowser(page);
    await settingsOf(page).locator('label').getByText('Publishers', { exact: true }).click();
    await settingsOf(page).getByRole('button', { name: 'Revoke the key of Local driver registry' }).click();
    await settingsOf(page).getByRole('button', { name: 'Trust again: the key of Local driver registry' }).waitFor();
    await soon(driverProcesses).not.toContain(running);
    await closeSettings(page);
    await page.getByRole('button', { name: 'Reload rows' }).first().click();
    await readFailed('calm')
      .getByText(/The driver "fragile" 1\.0\.0 is signed by the key [0-9a-f ]+, which was revoked on/)
      .waitFor();
    await screenshot(page, 'plugins-42-revoked-while-running');
    await expect(application.command('tables', 'Glass')).rejects.toThrow(/PACKAGE_KEY_REVOKED/);
    await openPluginBrowser(page);
    await driverOption(page, 'Fragile').getByText('Failed').waitFor();
    await settingsOf(page).locator('label').getByText('Publishers', { exact: true }).click();
    await settingsOf(page).getByRole('button', { name: 'Trust again: the key of Local driver registry' }).click();
    await settingsOf(page).getByRole('button', { name: 'Revoke the key of Local driver registry' }).waitFor();
    await closeSettings(page);
    await readFailed('calm').getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: /No rows/ }).waitFor();
  });
});

describe('a publisher whose key is another than before', { timeout: 120_000 }, () => {
  it('is asked about with a warning, and the version in use stays', async () => {
    const other = await createSigningKey();
    const publish = async (version: string, by: SigningKey): Promise<void> =>
      application.registry.publishPacked(
        await packPackage(await signPackage(namedDriver('vault', 'Vault', { version }), ACME, by)),
      );
    await publish('1.0.0', key);
    await openPluginBrowser(page);
    await settingsOf(page).getByRole('button', { name: 'Refresh the list' }).click();
    await (await chooseDriver(page, 'Vault')).getByRole('button', { name: 'Install', exact: true }).click();
    await page.getByRole('button', { name: 'Trust and install' }).click();
    await driverOption(page, 'Vault').getByText('Installed').waitFor();
    await publish('1.1.0', other);
    await settingsOf(page).getByRole('button', { name: 'Refresh the list' }).click();
    await (await chooseDriver(page, 'Vault')).getByRole('button', { name: 'Update to 1.1.0' }).click();
    const question = page.getByRole('dialog', { name: 'Trust “Acme Databases”?' });
    await question
      .getByRole('alert')
      .getByText(/signed by another key, that of “Acme Databases”/)
      .waitFor();
    await screenshot(page, 'plugins-43-key-changed');
    await expectNoGraveViolation(page);
    await question.getByRole('button', { name: "Don't trust" }).click();
    await question.waitFor({ state: 'detached' });
    expect(await installedOf(application, 'vault')).toMatchObject([{ version: '1.0.0', current: true }]);
  });
});

describe('a file that should not be installed', { timeout: 120_000 }, () => {
  it('is refused with the reason, whatever is wrong with it, and leaves nothing', async () => {
    const files = await signPackage(namedDriver('trap', 'Trap'), ACME, key);
    const honest = Array.from(files, ([path, content]) => ({ path: `package/${path}`, content }));
    const whole = archiveOf(honest);
    const stranger = await signPackage(namedDriver('trap', 'Trap'), ACME, await createSigningKey());
    const swapped = new Map(files).set('dist/index.js', new TextEncoder().encode('export const driver = 1;'));
    const unsigned = await packPackage(namedDriver('trap', 'Trap'));
    const refusals: readonly (readonly [string, Buffer, RegExp])[] = [
      ['climbs', archiveOf([...honest, { path: 'package/../../escaped.js', content: 'x' }]), /escaped\.js/],
      [
        'links',
        archiveOf([...honest, { path: 'package/dist/passwd', type: 'SymbolicLink', linkpath: '/etc/passwd' }]),
        /SymbolicLink/,
      ],
      ['bomb', archiveOf([...honest, { path: 'package/dist/bomb.js', content: Buffer.alloc(40 * 1024 * 1024) }]), /larger than/],
      ['swapped', (await packPackage(swapped)).tarball, /is not the one that was signed/],
      ['unsigned', unsigned.tarball, /signature/i],
      ['truncated', whole.subarray(0, whole.length - 200), /ends early|ended early/],
      ['text', Buffer.from('no archive at all'), /no archive|not an archive|archive/],
      [
        'takes-over',
        (await packPackage(await signPackage(namedDriver('search', 'Trap'), ACME, key))).tarball,
        /says it is the driver "search"/,
      ],
    ];
    const before = await driverFiles(application);
    for (const [name, bytes, reason] of refusals) {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        settingsOf(page)
          .getByRole('button', { name: 'More ways to install' })
          .click()
          .then(() => page.getByRole('menuitem', { name: 'Install from file…' }).click()),
      ]);
      await chooser.setFiles({ name: `${name}.tgz`, mimeType: 'application/gzip', buffer: bytes });
      const refusal = settingsOf(page).getByRole('alert', { name: `${name}.tgz was not installed` });
      await refusal.getByText(reason).first().waitFor();
      await refusal.getByRole('button', { name: 'Dismiss' }).click();
      await refusal.waitFor({ state: 'detached' });
      expect(await driverFiles(application), name).toEqual(before);
    }
    // A stranger in the publisher's name is a question, never a yes.
    const transfer = await page.evaluateHandle(
      (content) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))], 'stranger.tgz'));
        return data;
      },
      (await packPackage(stranger)).tarball.toString('base64'),
    );
    await settingsOf(page).getByRole('listbox', { name: 'Drivers' }).dispatchEvent('dragover', { dataTransfer: transfer });
    await settingsOf(page).getByText('Drop a driver’s .tgz file to install it').waitFor();
    await screenshot(page, 'plugins-44-drop');
    await settingsOf(page).getByRole('listbox', { name: 'Drivers' }).dispatchEvent('drop', { dataTransfer: transfer });
    const question = page.getByRole('dialog', { name: 'Trust “Acme Databases”?' });
    await question.getByRole('button', { name: "Don't trust" }).click();
    await question.waitFor({ state: 'detached' });
    expect(await driverFiles(application)).toEqual(before);
    expect(await installedOf(application, 'trap')).toEqual([]);
  });

  it('and nothing in the window failed', () => {
    expect(faults.filter((fault) => !/status of [45]\d\d/.test(fault))).toEqual([]);
  });
});
