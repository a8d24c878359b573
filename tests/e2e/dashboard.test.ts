import { afterEach, describe, it } from 'vitest';
import { screenshot } from './browser.ts';
import { drawsIn } from './drawsIn.ts';
import { soon } from './openTable.ts';
import { expectNoViolations, lookEverywhere } from './openTool.ts';
import { useOwnWindow } from './fixture.ts';

// A server's metrics, live.

// The pace is kept for the next window; it is five seconds before anybody chooses one.
const firstPace = '5';
const fixture = useOwnWindow({ products: 3_000, tool: 'Dashboard' });

const metrics = () => fixture.page.getByRole('list', { name: 'Metrics' });
/** The icons of buttons are images, too. */
const chart = () =>
  metrics()
    .getByRole('img')
    .filter({ has: fixture.page.locator('canvas') })
    .first();
const interval = () => fixture.page.getByRole('combobox', { name: 'Refresh' });
const lastRefresh = async () => fixture.page.getByText(/Last refresh/).innerText();

describe('the dashboard', () => {
  afterEach(async () => {
    await interval().selectOption(firstPace);
  });

  it('shows metrics with units, refreshed every five seconds or at the chosen pace', async () => {
    await metrics().getByRole('listitem').first().waitFor();
    await soon(() => interval().inputValue()).toBe(firstPace);
    await soon(() => interval().getByRole('option').allInnerTexts()).toHaveLength(6);
    await fixture.page
      .getByText(/of [\d.]+ [kMGT]?B/)
      .first()
      .waitFor();
    await fixture.page
      .getByText(/[\d.]+% used/)
      .first()
      .waitFor();
    await screenshot(fixture.page, 'dashboard-01-first');
  });

  it('draws lines from the readings since it was opened', async () => {
    await interval().selectOption('1');
    await chart().waitFor();
    const before = await lastRefresh();
    await soon(lastRefresh).not.toBe(before);
    await soon(() => drawsIn(chart(), 'accent')).toBe(true);
    await screenshot(fixture.page, 'dashboard-02-lines');
    await expectNoViolations(fixture.page);
  });

  it('stops when paused, and reads when asked', async () => {
    await metrics().getByRole('listitem').first().waitFor();
    await fixture.page.getByRole('button', { name: 'Pause' }).click();
    await fixture.page.getByText(/Paused · Last refresh/).waitFor();
    const button = fixture.page.getByRole('button', { name: 'Refresh now' });
    await soon(() => button.getAttribute('data-busy')).toBeNull();
    const before = await lastRefresh();
    await soon(async () => {
      await button.click();
      return lastRefresh();
    }).not.toBe(before);
    await screenshot(fixture.page, 'dashboard-03-paused');
    await fixture.page.getByRole('button', { name: 'Resume' }).click();
  });

  it('says why panels are missing', async () => {
    for (const name of [/sessions/i, /slow/i]) await fixture.page.getByRole('region', { name }).getByRole('paragraph').waitFor();
  });

  it('continues with the other metrics when one source fails', async () => {
    const memory = metrics().getByRole('listitem', { name: 'System Memory' });
    await memory.waitFor();
    fixture.application.sandbox.fault(({ path }) =>
      path.startsWith('/metrics.json') ? { kind: 'answer', status: 500, body: '{"message":"no figures today"}' } : undefined,
    );
    await fixture.page.getByRole('button', { name: 'Refresh now' }).click();
    await fixture.page.getByRole('alert').getByText("/metrics.json couldn't be read").waitFor();
    const requests = metrics().getByRole('listitem', { name: 'Requests' });
    await soon(() => requests.getAttribute('data-old')).toBeNull();
    // The earlier values of the source are still visible, and marked as old.
    await soon(() => memory.getAttribute('data-old')).toBe('true');
    await screenshot(fixture.page, 'dashboard-05-source-failed');
    await expectNoViolations(fixture.page);
    fixture.application.sandbox.fault();
    await fixture.page.getByRole('button', { name: 'Refresh now' }).click();
    await soon(() => fixture.page.getByRole('alert').count()).toBe(0);
    await soon(() => memory.getAttribute('data-old')).toBeNull();
  });

  it('has each line as a table too', async () => {
    await interval().selectOption('1');
    const card = metrics().getByRole('listitem', { name: 'Requests' });
    await card.getByRole('button', { name: 'Values of Requests' }).click();
    const table = fixture.page.getByRole('dialog', { name: 'Values of Requests' }).getByRole('table');
    await soon(() => table.getByRole('row').count()).toBeGreaterThan(2);
    await screenshot(fixture.page, 'dashboard-06-table');
    await expectNoViolations(fixture.page);
    await fixture.page.keyboard.press('Escape');
  });

  it('keeps its lines over a reload of the page', async () => {
    await interval().selectOption('1');
    await chart().waitFor();
    await fixture.page.reload();
    await chart().waitFor();
    await lookEverywhere(fixture.page, 'dashboard-04');
  });
});
