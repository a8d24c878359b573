import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackageFiles } from '@tabularium/sdk/package';
import type { Locator, Page } from 'playwright-core';
import { z } from 'zod';
import { driverSource } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import { tinyDriver } from '../../registry/src/tinyDriver.test-helper.ts';
import type { Application } from './application.ts';

// Common steps of the tests that look at drivers.

/** A driver that starts, with a name of its own. @param members - as `driverSource` takes them */
export function namedDriver(
  id: string,
  title: string,
  { members = '', ...more }: Parameters<typeof tinyDriver>[0] & { readonly members?: string } = {},
): PackageFiles {
  return tinyDriver({
    id,
    name: `@example/tabularium-driver-${id}`,
    code: driverSource(members, '', id),
    ...more,
    manifest: { title, tagline: `Connects to ${title}.`, ...more.manifest },
    files: { 'README.md': `# ${title}\n\nReads **everything**.\n`, ...more.files },
  });
}

export const settingsOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Settings' });
export const driverOption = (page: Page, name: string): Locator =>
  settingsOf(page)
    .getByRole('listbox', { name: 'Drivers' })
    .getByRole('option')
    .filter({ has: page.getByText(name, { exact: true }) });

export async function openPluginBrowser(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  await settingsOf(page).getByRole('tab', { name: 'Drivers' }).click();
  await settingsOf(page).getByRole('listbox', { name: 'Drivers' }).waitFor();
}

export async function closeSettings(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await settingsOf(page).waitFor({ state: 'detached' });
}

/** Chooses a driver in the list and gives its details. */
export async function chooseDriver(page: Page, name: string): Promise<Locator> {
  await driverOption(page, name).click();
  const details = settingsOf(page).getByRole('region', { name, exact: true });
  await details.waitFor();
  return details;
}

const listSchema = z.object({ drivers: z.array(z.looseObject({ id: z.string(), version: z.string(), current: z.boolean() })) });

async function allInstalled(application: Application): Promise<z.infer<typeof listSchema>['drivers']> {
  return listSchema.parse(await application.command('drivers', 'list')).drivers;
}

/** The installed versions of a driver, as the command line lists them. */
export async function installedOf(application: Application, id: string): Promise<unknown[]> {
  return (await allInstalled(application)).filter((driver) => driver.id === id);
}

/** Removes the drivers that a test installed: the window counts those that have an update or a problem. */
export async function removeTestDrivers(application: Application): Promise<void> {
  const ids = new Set((await allInstalled(application)).map((driver) => driver.id));
  for (const id of ids) if (id !== 'search') await application.command('drivers', 'remove', id);
}

/** Every file and folder below the home's `drivers/`: what a cancelled installation must leave as it was. */
export async function driverFiles(application: Application): Promise<readonly string[]> {
  return (await readdir(join(application.home, 'drivers'), { recursive: true }).catch(() => [])).toSorted();
}
