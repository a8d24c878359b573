import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startSandbox } from '@tabularium/sandbox';
import type { Sandbox } from '@tabularium/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_KEY, admin } from '../../drivers/search/src/fixture.test-helper.ts';
import { root } from '../../scripts/paths.ts';
import { checkServer } from './checkServer.ts';
import { RunFile } from './runFile.ts';
import type { Scenario } from './scenario.ts';
import { restart } from './scenarios/restart.ts';
import { serverReportMarkdown } from './serverReport.ts';

const OTHER_RUN = 'tabularium-check-00000000000000aa-';
const EARLIER_RUN = 'tabularium-check-00000000000000bb-';
/** No process has it: Linux counts to 2^22. */
const NO_PID = 2_147_483_647;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'check-server-'));
});
afterAll(() => rm(folder, { recursive: true }));

let runFiles = 0;
const runFile = (): RunFile => new RunFile(join(folder, `runs-${(runFiles += 1)}.json`));
const { signal } = new AbortController();

/** Everything that somebody else could miss. */
async function contents(sandbox: Sandbox): Promise<string> {
  const paths = ['/collections', '/aliases', '/keys', '/presets', '/stopwords', '/collections/theirs/documents/export'];
  return (await Promise.all(paths.map((path) => admin(sandbox, 'GET', path)))).join('\n');
}

async function startWithOthers(version: '29.0' | '30.0'): Promise<Sandbox> {
  const sandbox = await startSandbox({ version, apiKey: ADMIN_KEY });
  await admin(sandbox, 'POST', '/collections', '{"name":"theirs","fields":[{"name":"n","type":"int32"}]}');
  await admin(sandbox, 'POST', '/collections/theirs/documents', '{"id":"1","n":1}');
  await admin(sandbox, 'PUT', '/aliases/their-alias', '{"collection_name":"theirs"}');
  await admin(sandbox, 'POST', '/keys', '{"description":"theirs","actions":["documents:search"],"collections":["theirs"]}');
  return sandbox;
}

describe('npm run test:server', () => {
  it.each(['29.0', '30.0'] as const)('passes on the sample server %s and leaves it as it was', async (version) => {
    await using sandbox = await startWithOthers(version);
    const before = await contents(sandbox);
    const options = { url: sandbox.url, key: ADMIN_KEY, runFile: runFile(), signal, short: true, kit: false };
    const report = await checkServer({ ...options, restart: () => Promise.resolve() });
    expect(report.scenarios.flatMap(({ messages }) => messages)).toEqual([]);
    expect(report).toMatchObject({ outcome: 'pass', leftovers: [], server: { product: 'Typesense', version } });
    for (const { id, compared } of report.scenarios) expect([id, compared]).not.toEqual([id, 0]);
    expect(await contents(sandbox)).toBe(before);
  });

  it('reports a failure without the key or the address, names what did not run, and removes everything', async () => {
    await using sandbox = await startWithOthers('29.0');
    const before = await contents(sandbox);
    const failing: Scenario = {
      id: 'failing',
      title: 'Fails',
      async run({ must, prefix }) {
        await must('POST', '/collections', { name: `${prefix}half`, fields: [{ name: 'n', type: 'int32' }] });
        throw new Error(`${sandbox.url} rejected ${ADMIN_KEY}`);
      },
    };
    const options = { url: sandbox.url, key: ADMIN_KEY, runFile: runFile(), signal, short: true, kit: false };
    const report = await checkServer({ ...options, scenarios: [restart, failing] });
    expect(report.outcome).toBe('fail');
    expect(report.scenarios.at(-1)).toMatchObject({ outcome: 'fail', messages: ['(server) rejected (key)'] });
    const markdown = serverReportMarkdown(report);
    expect(markdown).toMatch(/✗ \*\*failing\*\*[^]*\(server\) rejected \(key\)/);
    expect(markdown).toMatch(/– \*\*restart\*\*[^]*belongs to somebody else/);
    for (const secret of [ADMIN_KEY, new URL(sandbox.url).host])
      expect(`${markdown}${JSON.stringify(report)}`).not.toContain(secret);
    expect(await contents(sandbox)).toBe(before);
  });

  it('removes what an earlier run of this machine left, and only names what others left', async () => {
    await using sandbox = await startWithOthers('29.0');
    for (const prefix of [OTHER_RUN, EARLIER_RUN])
      await admin(sandbox, 'POST', '/collections', `{"name":"${prefix}x","fields":[{"name":"n","type":"int32"}]}`);
    const runs = runFile();
    runs.begin(EARLIER_RUN, NO_PID);
    const options = { url: sandbox.url, key: ADMIN_KEY, runFile: runs, signal, short: true, kit: false, scenarios: [] };
    const { leftovers } = await checkServer(options);
    expect(leftovers).toEqual([expect.stringContaining(`collection ${OTHER_RUN}x`)]);
    const names = (JSON.parse(await admin(sandbox, 'GET', '/collections')) as { name: string }[]).map(({ name }) => name);
    expect(names.toSorted()).toEqual([`${OTHER_RUN}x`, 'theirs']);
    expect(runs.isOver(EARLIER_RUN)).toBe(false);
  });

  it('removes everything when it is interrupted, and exits with 130', async () => {
    await using sandbox = await startWithOthers('29.0');
    const before = await contents(sandbox);
    const program = join(root, 'tests/server/testServer.ts');
    const file = join(folder, 'report.md');
    const parameters = ['--url', sandbox.url, '--api-key-env', 'CHECKED_KEY', '--short', '--report', file];
    const child = spawn(process.execPath, ['--conditions=tabularium:source', program, ...parameters], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, CHECKED_KEY: ADMIN_KEY },
    });
    const gone = once(child, 'exit');
    // The first scenario has ended; the second has begun and created something.
    for await (const line of createInterface(child.stderr)) if (line.includes('field-types')) break;
    await expect.poll(async () => admin(sandbox, 'GET', '/collections')).toContain('tabularium-check-');
    child.kill('SIGINT');
    expect((await gone)[0]).toBe(130);
    expect(await contents(sandbox)).toBe(before);
    expect(await readFile(file, 'utf8')).toMatch(/: interrupted/);
  });
});
