import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectNoDialogViolations } from './accessible.ts';
import { startApplication } from './application.ts';
import type { Application } from './application.ts';
import { STEP_MILLISECONDS, screenshot, startBrowser, watchFaults } from './browser.ts';
import { addConnection, savedConnection, soon } from './openTable.ts';
import { speak } from './speak.ts';

// Settings, Data: a backup, the question before a restore, and the restore itself at the next start.

let application: Application;
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  [application, browser] = await Promise.all([startApplication({ products: 20 }), startBrowser()]);
  await addConnection(application, 'Before');
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  page.setDefaultTimeout(STEP_MILLISECONDS);
  faults = watchFaults(page);
  await page.goto(application.ui);
});
/** A window without a dialog. */
beforeEach(async () => {
  await page.reload();
  await speak(page, 'en');
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await screenshot(page, `failed ${task.name.replaceAll(/[^\w -]/g, '').slice(0, 40)}`);
  // The restart cuts what the window is listening to.
  expect(faults.splice(0).filter((fault) => !/^Failed to load resource: (?:.* status of 401|net::ERR_)/.test(fault))).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  await application?.[Symbol.asyncDispose]();
});

async function openData(settingsName = 'Settings', data = 'Data'): Promise<Locator> {
  await page.getByRole('button', { name: settingsName }).click();
  const settings = page.getByRole('dialog', { name: settingsName });
  await settings.getByRole('tab', { name: data, exact: true }).click();
  return settings;
}

/** Opens the list of backups with a new one on top. */
async function openBackup(): Promise<Locator> {
  const settings = await openData();
  await settings.getByRole('button', { name: 'Back up now' }).click();
  await settings
    .getByRole('status')
    .getByText(/^Backed up \(.+\)\.$/)
    .waitFor();
  await settings.getByRole('table', { name: 'List of backups' }).getByText('Manual').first().waitFor();
  return settings;
}

/** Both looks and both sizes; buttons stay inside the window. */
async function look(name: string, within: Locator): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [width, height] of [
      [1280, 800],
      [900, 600],
    ] as const) {
      await page.setViewportSize({ width, height });
      await screenshot(page, `backups-${name}-${width}-${colorScheme}`);
      for (const button of await within.getByRole('button').all()) {
        const box = await button.boundingBox();
        expect.soft((box?.x ?? 0) + (box?.width ?? 0), `${name} ${width}`).toBeLessThanOrEqual(width);
      }
    }
    await expectNoDialogViolations(page);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 800 });
}

describe('Settings, Data', () => {
  it('makes a backup by keyboard, says so, and lists it', async () => {
    const settings = await openData();
    const create = settings.getByRole('button', { name: 'Back up now' });
    await create.focus();
    await page.keyboard.press('Enter');
    await settings
      .getByRole('status')
      .getByText(/^Backed up \(.+\)\.$/)
      .waitFor();
    await settings.getByRole('table', { name: 'List of backups' }).getByText('Manual').first().waitFor();
    await look('list', settings);
  });

  it('asks before a restore; Escape and Cancel close the question only and change nothing', async () => {
    const settings = await openBackup();
    const restore = settings.getByRole('button', { name: /^Restore the backup of/ }).first();
    const question = page.getByRole('dialog', { name: 'Restore this backup?' });
    await restore.focus();
    await page.keyboard.press('Enter');
    await question.waitFor();
    await soon(() => question.getByRole('button', { name: 'Cancel' }).evaluate((it) => it === document.activeElement)).toBe(true);
    await look('question', question);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    expect(await settings.isVisible()).toBe(true);
    await soon(() => restore.evaluate((it) => it === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(await settings.getByText('is restored at the next start').count()).toBe(0);
  });

  it('restores at the next start, once, and can be taken back before', async () => {
    const settings = await openBackup();
    await addConnection(application, 'After');
    const agree = async (): Promise<void> => {
      await settings
        .getByRole('button', { name: /^Restore the backup of/ })
        .first()
        .click();
      await page
        .getByRole('dialog', { name: 'Restore this backup?' })
        .getByRole('button', { name: 'Restore at next start' })
        .click();
      await settings.getByText('is restored at the next start').waitFor();
    };
    await agree();
    await settings.getByRole('button', { name: "Don't restore" }).click();
    await settings.getByText('is restored at the next start').waitFor({ state: 'hidden' });
    await agree();
    await application.restart();
    await page.goto(application.ui);
    await savedConnection(page, 'Before').waitFor();
    expect(await savedConnection(page, 'After').count()).toBe(0);
    const after = await openData();
    await after.getByRole('table', { name: 'List of backups' }).getByText('Replaced by a restore').first().waitFor();
    expect(await after.getByText('is restored at the next start').count()).toBe(0);
  });

  it('speaks German', async () => {
    await openBackup();
    await page.reload();
    await speak(page, 'de');
    const german = await openData('Einstellungen', 'Daten');
    await german.getByRole('button', { name: 'Jetzt sichern' }).waitFor();
    await german.getByRole('table', { name: 'Liste der Sicherungen' }).getByText('Von Hand').first().waitFor();
    await look('german-list', german);
    await german
      .getByRole('button', { name: /^Sicherung vom .+ wiederherstellen$/ })
      .first()
      .click();
    const question = page.getByRole('dialog', { name: 'Diese Sicherung wiederherstellen?' });
    await question.getByRole('button', { name: 'Beim nächsten Start wiederherstellen' }).waitFor();
    await look('german-question', question);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
  });
});
