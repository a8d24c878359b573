import { describe, expect, it } from 'vitest';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { cellOf, openTable, soon } from './openTable.ts';

// Dialogs as an impatient person meets them: clicks twice, presses keys too often, gives names of any length.

const fixture = useOwnWindow({ products: 300 });

const dialogs = () => fixture.page.getByRole('dialog');
const focusIsInDialog = () =>
  fixture.page.evaluate(() => document.activeElement?.closest('[role="dialog"][aria-modal="true"]') !== null);

async function openPresets(): Promise<void> {
  const { page } = fixture;
  await page.getByRole('navigation', { name: 'Collections' }).getByRole('button', { name: 'Objects', exact: true }).click();
  await page.getByRole('navigation', { name: 'Kinds' }).getByRole('button', { name: 'Presets' }).click();
}

describe('a dialog', () => {
  it('that a double click opens is still there afterwards, and has the focus', async () => {
    const { page } = fixture;
    const grid = await openTable(page, 'products');
    await (await cellOf(page, grid, 0, 'brand')).click();
    await page.keyboard.type('Other');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Review…' }).dblclick();
    await dialogs().getByRole('button', { name: 'Save 1 change' }).waitFor();
    await soon(focusIsInDialog).toBe(true);
    // Tab stays in it, and reaches no button behind it.
    for (let press = 0; press < 12; press += 1) {
      await page.keyboard.press('Tab');
      expect(await focusIsInDialog()).toBe(true);
    }
    await page.keyboard.press('Escape');
    await dialogs().waitFor({ state: 'detached' });

    await page.getByText('Relevance', { exact: true }).click();
    await page.getByRole('button', { name: 'New query set…' }).first().dblclick();
    await dialogs().getByRole('textbox', { name: 'Name' }).fill('Twice');
    await page.keyboard.press('Escape');
    await dialogs().waitFor({ state: 'detached' });

    await openPresets();
    await page.getByRole('button', { name: 'New Preset…' }).first().dblclick();
    const name = dialogs().getByRole('textbox', { name: 'Name' });
    await name.waitFor();
    await soon(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it('keeps the focus in its field when the second click of a double click comes only then', async () => {
    const { page } = fixture;
    await openPresets();
    const box = await page.getByRole('button', { name: 'New Preset…' }).first().boundingBox();
    if (box === null) throw new Error('The button is not on the screen.');
    const at = [box.x + box.width / 2, box.y + box.height / 2] as const;
    await page.mouse.click(...at);
    const name = dialogs().getByRole('textbox', { name: 'Name' });
    const isFocused = () => name.evaluate((field) => field === document.activeElement);
    await soon(isFocused).toBe(true);
    await page.mouse.move(...at);
    await page.mouse.down({ clickCount: 2 });
    expect(await isFocused()).toBe(true);
    await page.mouse.up({ clickCount: 2 });
    expect(await isFocused()).toBe(true);
  });

  it('of an object is asked about before it closes with changes, whichever way and however often', async () => {
    const { page } = fixture;
    await openPresets();
    await page.getByRole('button', { name: 'New Preset…' }).first().click();
    const form = page.getByRole('dialog', { name: 'New Preset' });
    const name = form.getByRole('textbox', { name: 'Name' });
    await name.fill('typed');
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    const ways = [
      () => form.getByRole('button', { name: 'Cancel' }).dblclick(),
      () => form.getByRole('button', { name: 'Close' }).dblclick(),
      () => page.mouse.dblclick(8, 400),
    ];
    for (const leave of ways) {
      await leave();
      await question.waitFor();
      const keep = question.getByRole('button', { name: 'Keep editing' });
      await soon(() => keep.evaluate((one) => one === document.activeElement)).toBe(true);
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      expect(await name.inputValue()).toBe('typed');
    }
    for (let press = 0; press < 4; press += 1) await page.keyboard.press('Escape', { delay: 30 });
    expect(await name.inputValue()).toBe('typed');
  });

  it('of a name that fills pages leaves its buttons, and the window, on the screen', async () => {
    const { page } = fixture;
    const { port, apiKey } = fixture.application.sandbox;
    const long = `long_${'x'.repeat(900)}`;
    const answer = await fetch(`http://127.0.0.1:${port}/presets/${long}`, {
      method: 'PUT',
      headers: { 'x-typesense-api-key': apiKey },
      body: '{"value":{"q":"*"}}',
    });
    expect(answer.ok).toBe(true);
    await openPresets();
    const row = page.getByRole('row', { name: /^long_/ });
    await row.waitFor();
    await screenshot(page, 'impatience-01-long-name');
    const isOnScreen = async (button: ReturnType<typeof row.getByRole>): Promise<boolean> => {
      const box = await button.boundingBox();
      return box !== null && box.x >= 0 && box.x + box.width <= 1_280 && box.y >= 0 && box.y + box.height <= 800;
    };
    expect(await isOnScreen(row.getByRole('button', { name: /^Delete/ }))).toBe(true);
    await row.getByRole('button', { name: /^Delete/ }).click();
    const confirm = dialogs().getByRole('button', { name: /^Delete long_/ });
    await confirm.waitFor();
    expect(await isOnScreen(confirm)).toBe(true);
    await screenshot(page, 'impatience-02-long-name-delete');
    await confirm.click();
    await row.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1_280);
    expect(await isOnScreen(page.getByRole('button', { name: 'Settings' }))).toBe(true);
  });
});
