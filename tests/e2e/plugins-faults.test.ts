import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSigningKey } from '@tabularium/sdk/package';
import type { SigningKey } from '@tabularium/sdk/package';
import { packPackage, signPackage } from '@tabularium/registry';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { archiveOf } from '../security/packageArchive.ts';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { expectNoViolations } from './openTool.ts';
import { cellOf, openConnection, openTable, soon, tableGrid } from './openTable.ts';
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

// Drivers that fail and packages that should not be: what a person sees of a crash, of a version that gives way, of a key that is revoked
// while its driver runs, of a publisher whose key changed, and of files that are refused.

const ACME = { id: 'acme', name: 'Acme Databases' };
const VAULTS = { id: 'vaults', name: 'Vault Works' };
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

const fixture = useOwnWindow({ products: 200, sharesConnection: true, provokes: /status of [45]\d\d/ });

afterEach(() => removeTestDrivers(fixture.application));

/** Installs a driver whose tables are `calm` and `boom`, with a connection of the same name. Each test has its own. */
async function installFragile(id: string): Promise<void> {
  const { application } = fixture;
  await application.registry.publish(namedDriver(id, id, { members: FRAGILE }));
  await application.command('drivers', 'install', id);
  await application.command('connections', 'add', '--driver', id, '--name', id);
}

const tables = () => fixture.page.getByRole('navigation', { name: 'Tables' });
const readFailed = (table: string) => fixture.page.getByRole('alert').filter({ hasText: table }).first();

/** The driver processes of the host, as it writes them down for the host after it. */
async function driverProcesses(): Promise<number[]> {
  const text = await readFile(join(fixture.application.home, 'cache', 'driver-processes.json'), 'utf8');
  return z
    .object({ processes: z.array(z.object({ pid: z.number() })) })
    .parse(JSON.parse(text))
    .processes.map(({ pid }) => pid);
}

describe('a driver that crashes', () => {
  it('is named with its version and its last call, and the connection continues', async () => {
    const { application, page } = fixture;
    await installFragile('glass');
    await openConnection(page, 'glass');
    await tables().getByText('boom', { exact: true }).click();
    const failure = readFailed('boom');
    await failure.getByText(/The driver "glass" 1\.0\.0 ended unexpectedly \(exit code 7\) \(last call: readPage\)/).waitFor();
    await screenshot(page, 'plugins-40-crash');
    await expectNoViolations(page);
    await tables().getByText('calm', { exact: true }).click();
    await tableGrid(page, 'calm').waitFor();
    await page.getByRole('heading', { name: /No rows/ }).waitFor();
    expect(await application.command('tables', 'glass')).toMatchObject({ tables: [{ name: 'boom' }, { name: 'calm' }] });
  });

  it('costs no staged change', async () => {
    const { page } = fixture;
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

describe('a new version that crashes at its first use', () => {
  it('gives way to the one before while a table is read, and the list says so', async () => {
    const { application, page } = fixture;
    await installFragile('brittle');
    await openConnection(page, 'brittle');
    await tables().getByText('calm', { exact: true }).click();
    await page.getByRole('heading', { name: /No rows/ }).waitFor();
    await application.registry.publish(
      namedDriver('brittle', 'brittle', {
        version: '1.1.0',
        members: `${FRAGILE} async ping() {}, findings: (() => process.exit(9))(),`,
      }),
    );
    await application.command('drivers', 'disable', 'brittle');
    await application.command('drivers', 'enable', 'brittle');
    expect(await application.command('drivers', 'install', 'brittle')).toMatchObject({ version: '1.1.0' });
    // The connection lost its session with the driver being switched off; the next read opens it with the new version, which gives way.
    await page.getByRole('button', { name: 'Reload rows' }).first().click();
    await soon(() => installedOf(application, 'brittle')).toMatchObject([
      { version: '1.0.0', current: true, usedBy: ['brittle'] },
      { version: '1.1.0', current: false, refusedBecause: expect.stringContaining('exit code 9') as string },
    ]);
    await page.getByRole('heading', { name: /No rows/ }).waitFor();
    await page.getByRole('img', { name: '1 driver has a problem' }).waitFor({ timeout: 30_000 });
    await openPluginBrowser(page);
    const brittle = await chooseDriver(page, 'brittle');
    await brittle
      .getByRole('alert')
      .getByText(/1\.1\.0 ended unexpectedly \(exit code 9\)/)
      .waitFor();
    await brittle.getByText(/Disabled:/).waitFor();
    await screenshot(page, 'plugins-41-rolled-back-by-itself');
    await expectNoViolations(page);
    expect(
      await settingsOf(page)
        .getByRole('button', { name: /Update all/ })
        .count(),
    ).toBe(0);
  });
});

describe('a key that is revoked while its driver runs', () => {
  it('stops the driver, and every view says why; trusted again it works', async () => {
    const { application, page } = fixture;
    await installFragile('revoked');
    await openConnection(page, 'revoked');
    await tables().getByText('calm', { exact: true }).click();
    await page.getByRole('heading', { name: /No rows/ }).waitFor();
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
      .getByText(/The driver "revoked" 1\.0\.0 is signed by the key [0-9a-f ]+, which was revoked on/)
      .waitFor();
    await screenshot(page, 'plugins-42-revoked-while-running');
    await expect(application.command('tables', 'revoked')).rejects.toThrow(/PACKAGE_KEY_REVOKED/);
    await openPluginBrowser(page);
    await driverOption(page, 'revoked').getByText('Failed').waitFor();
    await settingsOf(page).locator('label').getByText('Publishers', { exact: true }).click();
    await settingsOf(page).getByRole('button', { name: 'Trust again: the key of Local driver registry' }).click();
    await settingsOf(page).getByRole('button', { name: 'Revoke the key of Local driver registry' }).waitFor();
    await closeSettings(page);
    await readFailed('calm').getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: /No rows/ }).waitFor();
  });
});

describe('a publisher whose key is another than before', () => {
  it('is asked about with a warning, and the version in use stays', async () => {
    const { application, page } = fixture;
    const [key, other] = await Promise.all([createSigningKey(), createSigningKey()]);
    const publish = async (version: string, by: SigningKey): Promise<void> =>
      application.registry.publishPacked(
        await packPackage(await signPackage(namedDriver('vault', 'Vault', { version }), VAULTS, by)),
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
    const question = page.getByRole('dialog', { name: 'Trust “Vault Works”?' });
    await question
      .getByRole('alert')
      .getByText(/signed by another key, that of “Vault Works”/)
      .waitFor();
    await screenshot(page, 'plugins-43-key-changed');
    await expectNoViolations(page);
    await question.getByRole('button', { name: "Don't trust" }).click();
    await question.waitFor({ state: 'detached' });
    expect(await installedOf(application, 'vault')).toMatchObject([{ version: '1.0.0', current: true }]);
  });
});

describe('a file that should not be installed', () => {
  it('is refused with the reason, whatever is wrong with it, and leaves nothing', async () => {
    const { application, page } = fixture;
    const key = await createSigningKey();
    // The publisher is trusted: what is refused isn't refused for its key.
    await application.registry.publishPacked(await packPackage(await signPackage(namedDriver('honest', 'Honest'), ACME, key)));
    await openPluginBrowser(page);
    await settingsOf(page).getByRole('button', { name: 'Refresh the list' }).click();
    await (await chooseDriver(page, 'Honest')).getByRole('button', { name: 'Install', exact: true }).click();
    await page.getByRole('button', { name: 'Trust and install' }).click();
    await driverOption(page, 'Honest').getByText('Installed').waitFor();
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
      [
        'bomb',
        archiveOf([...honest, { path: 'package/dist/bomb.js', content: Buffer.alloc(40 * 1024 * 1024) }]),
        /too large for a package/,
      ],
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
});
