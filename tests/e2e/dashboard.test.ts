import { describe, expect, it } from 'vitest';
import { screenshot } from './browser.ts';
import { soon } from './openTable.ts';
import { expectAccessible, lookEverywhere } from './openTool.ts';
import { useScene } from './fixture.ts';

// A server's figures, live.

const scene = useScene({ products: 3_000, tool: 'Dashboard' });

const figures = () => scene.page.getByRole('list', { name: 'Figures' });
const interval = () => scene.page.getByRole('combobox', { name: 'Refresh' });
const lastRefresh = async () => scene.page.getByText(/Last refresh/).innerText();

describe('the dashboard', { timeout: 120_000 }, () => {
  it('shows figures with units, refreshed every five seconds unless another pace is chosen', async () => {
    await figures().getByRole('listitem').first().waitFor();
    expect(await interval().inputValue()).toBe('5');
    expect(await interval().getByRole('option').allInnerTexts()).toHaveLength(6);
    await scene.page
      .getByText(/of [\d.]+ [kMGT]?B/)
      .first()
      .waitFor();
    await scene.page
      .getByText(/[\d.]+% used/)
      .first()
      .waitFor();
    await screenshot(scene.page, 'dashboard-01-first');
  });

  it('draws lines from the readings since it was opened', async () => {
    await interval().selectOption('1');
    await figures().getByRole('img').first().waitFor();
    const before = await lastRefresh();
    await soon(lastRefresh).not.toBe(before);
    await screenshot(scene.page, 'dashboard-02-lines');
    await expectAccessible(scene.page);
  });

  it('stops when paused, and reads when asked', async () => {
    await scene.page.getByRole('button', { name: 'Pause' }).click();
    await scene.page.getByText(/Paused · Last refresh/).waitFor();
    const button = scene.page.getByRole('button', { name: 'Refresh now' });
    await soon(() => button.getAttribute('data-busy')).toBeNull();
    const before = await lastRefresh();
    await soon(async () => {
      await button.click();
      return lastRefresh();
    }).not.toBe(before);
    await screenshot(scene.page, 'dashboard-03-paused');
    await scene.page.getByRole('button', { name: 'Go on' }).click();
  });

  it('says why panels are missing', async () => {
    for (const name of [/sessions/i, /slow/i]) await scene.page.getByRole('region', { name }).getByRole('paragraph').waitFor();
  });

  it('goes on with the other figures when one source fails', async () => {
    scene.application.sandbox.fault(({ path }) =>
      path.startsWith('/metrics.json') ? { kind: 'answer', status: 500, body: '{"message":"no figures today"}' } : undefined,
    );
    await scene.page.getByRole('button', { name: 'Refresh now' }).click();
    await scene.page.getByRole('alert').getByText('/metrics.json could not be read').waitFor();
    const requests = figures().getByRole('listitem', { name: 'Requests' });
    const memory = figures().getByRole('listitem', { name: 'System Memory' });
    expect(await requests.getAttribute('data-old')).toBeNull();
    // What the source told before is still there, and marked as old.
    expect(await memory.getAttribute('data-old')).toBe('true');
    await screenshot(scene.page, 'dashboard-05-source-failed');
    await expectAccessible(scene.page);
    scene.application.sandbox.fault();
    await scene.page.getByRole('button', { name: 'Refresh now' }).click();
    await soon(() => scene.page.getByRole('alert').count()).toBe(0);
    expect(await memory.getAttribute('data-old')).toBeNull();
  });

  it('has each line as a table too', async () => {
    const card = figures().getByRole('listitem', { name: 'Requests' });
    await card.getByRole('button', { name: 'Values of Requests' }).click();
    const table = scene.page.getByRole('dialog', { name: 'Values of Requests' }).getByRole('table');
    expect(await table.getByRole('row').count()).toBeGreaterThan(2);
    await screenshot(scene.page, 'dashboard-06-table');
    await expectAccessible(scene.page);
    await scene.page.keyboard.press('Escape');
  });

  it('keeps its lines over a reload of the page', async () => {
    await scene.page.reload();
    await figures().getByRole('img').first().waitFor();
    await lookEverywhere(scene.page, 'dashboard-04');
    expect(scene.faults).toEqual([]);
  });
});
