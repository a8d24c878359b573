import { startSandbox } from '@tabularium/sandbox';
import type { Sandbox } from '@tabularium/sandbox';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { screenshot } from './browser.ts';
import { useOwnWindow } from './fixture.ts';
import { openConnection, soon } from './openTable.ts';
import { expectNoViolations, lookEverywhere } from './openTool.ts';

// The metrics of a connection with further nodes, one of which stops.

const fixture = useOwnWindow({ products: 10, sharesConnection: true });
/** The nodes beside the one of the fixture. A test may stop them. */
const others: Sandbox[] = [];
let connections = 0;

beforeEach(async () => {
  const { application, page } = fixture;
  connections += 1;
  const name = `Three nodes ${connections}`;
  for (const committed of [9, 12]) {
    const node = await startSandbox({ apiKey: application.sandbox.apiKey });
    node.setNode({ leads: false, committed, queued: 0 });
    others.push(node);
  }
  await application.command(
    ...['connections', 'add', '--driver', 'search', '--name', name, '--api-key-env', 'E2E_API_KEY'],
    ...['--set', 'host=127.0.0.1', '--set', `port=${application.sandbox.port}`, '--set', 'sslMode=disabled'],
    ...['--set', `nodes=${others.map(({ port }) => `127.0.0.1:${port}`).join(', ')}`],
  );
  await openConnection(page, name);
  await page.getByRole('navigation', { name: 'Collections' }).getByRole('button', { name: 'Dashboard', exact: true }).click();
  await page.getByRole('combobox', { name: 'Refresh' }).selectOption('1');
});
afterEach(async () => {
  for (const node of others.splice(0)) await node.close();
});

const row = (name: string) =>
  fixture.page
    .getByRole('region', { name: 'Nodes' })
    .getByRole('row')
    .filter({ has: fixture.page.getByRole('rowheader', { name, exact: true }) });
const cells = (name: string) => soon(() => row(name).getByRole('cell').allInnerTexts());

describe('the dashboard of three nodes', () => {
  it('shows them side by side, and names the one that the cards are of', async () => {
    const { page, application } = fixture;
    await cells('State').toEqual(['Ready', 'Ready', 'Ready']);
    await cells('Role').toEqual(['Leader', 'Follower', 'Follower']);
    await cells('Entries Behind').toEqual(['11', '3', '0']);
    await page.getByRole('heading', { name: `Metrics of 127.0.0.1:${application.sandbox.port}` }).waitFor();
    await page.getByRole('list', { name: 'Metrics' }).getByRole('listitem', { name: 'System Memory' }).waitFor();
    await expectNoViolations(page);
    await lookEverywhere(page, 'dashboard-nodes-01');
  });

  it('marks a stopped node with the reason and the time, and continues with the others', async () => {
    const { page } = fixture;
    const port = others[1]?.port ?? 0;
    await others[1]?.close();
    await soon(() => row('State').getByRole('cell').nth(2).innerText()).toMatch(
      new RegExp(`^Unreachable\\s+Since \\d.*\\s+Nothing is listening at 127\\.0\\.0\\.1:${port}\\.$`, 's'),
    );
    await soon(() => row('State').getByRole('cell').nth(1).innerText()).toBe('Ready');
    await cells('Role').toEqual(['Leader', 'Follower', 'not reported']);
    await expectNoViolations(page);
    await screenshot(page, 'dashboard-nodes-02-stopped');
  });
});
