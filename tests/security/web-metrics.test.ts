import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HostCounters } from '../../host/src/runtime/measures/hostCounters.ts';
import { METRICS_TOKEN_FILE, removeMetricsToken, writeMetricsToken } from '../../host/src/runtime/measures/metricsToken.ts';
import { prometheusText } from '../../host/src/runtime/measures/prometheusText.ts';
import { Runtime } from '../../host/src/runtime/runtime.ts';
import { openHome } from '../../host/src/runtime/storage/home.ts';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';
import { BrowserTransport } from '../../host/src/web/browserTransport.ts';
import { requestText, sendRaw } from '../support/rawHttp.ts';
import type { RawAnswer } from '../support/rawHttp.ts';

let folder: string;
let runtime: Runtime;
let transport: BrowserTransport;
let port: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-metrics-'));
  runtime = await Runtime.start({ home: await openHome(folder), env: {}, logger: silentLogger, spareDriver: false });
  transport = await BrowserTransport.start({
    rendererFolder: folder,
    logger: silentLogger,
    handler: runtime.handler,
    metrics: (authorization, windows) => runtime.metrics(authorization, windows),
  });
  port = Number(new URL(transport.origin).port);
});
afterEach(async () => {
  await transport[Symbol.asyncDispose]();
  await runtime[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const send = (line: string, headers: Record<string, string> = {}): Promise<RawAnswer> =>
  sendRaw(port, requestText(line, { host: `127.0.0.1:${port}`, ...headers }, ''));
const token = async (): Promise<string> => (await readFile(join(folder, METRICS_TOKEN_FILE), 'utf8')).trim();

describe('/metrics', () => {
  it('is off until its owner switches it on, and again after', async () => {
    expect((await send('GET /metrics', { authorization: 'Bearer ' })).status).toBe(404);
    await writeMetricsToken(folder);
    expect((await stat(join(folder, METRICS_TOKEN_FILE))).mode & 0o777).toBe(0o600);
    const authorization = `Bearer ${await token()}`;
    const answer = await send('GET /metrics', { authorization });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(answer.body).toContain('tabularium_build_info{version="');
    expect(answer.body).toContain('tabularium_running_jobs{kind="import"} 0');
    await removeMetricsToken(folder);
    expect((await send('GET /metrics', { authorization })).status).toBe(404);
  });

  it('answers to who shows the token that is in force, and to no other name, page or method', async () => {
    await writeMetricsToken(folder);
    const before = await token();
    await writeMetricsToken(folder);
    const authorization = `Bearer ${await token()}`;
    const refused = [
      [401, 'GET /metrics', {}],
      [401, 'GET /metrics', { authorization: 'Bearer ' }],
      [401, 'GET /metrics', { authorization: `Bearer ${before}` }],
      [401, 'GET /metrics', { authorization: `${authorization}x` }],
      [401, `GET /metrics?token=${await token()}`, {}],
      [421, 'GET /metrics', { authorization, host: `evil.example:${port}` }],
      [403, 'GET /metrics', { authorization, origin: 'https://evil.example' }],
      [403, 'GET /metrics', { authorization, 'sec-fetch-site': 'cross-site' }],
      [405, 'POST /metrics', { authorization, 'content-length': '0' }],
    ] as const;
    for (const [code, line, headers] of refused) {
      const answer = await send(line, headers);
      expect([answer.status, line, headers]).toEqual([code, line, headers]);
      expect(answer.body).not.toContain('tabularium_');
    }
  });

  it('takes a file that others can read for no token', async () => {
    await writeMetricsToken(folder);
    await chmod(join(folder, METRICS_TOKEN_FILE), 0o644);
    expect((await send('GET /metrics', { authorization: `Bearer ${await token()}` })).status).toBe(404);
  });
});

it('has a bounded number of labels, and no hostile name in one', () => {
  const counters = new HostCounters();
  for (let number = 0; number < 1_000; number += 1) counters.driverRequest(`driver-${number}`, 'done');
  counters.driverRequest('MARKED"} 1\nforged 2', 'failed');
  counters.mcpCall('list_tables', 'done', 30);
  const text = prometheusText(counters.measures());
  expect(text).not.toMatch(/MARKED|forged/);
  expect(text.match(/^tabularium_database_requests_total\{/gm)).toHaveLength(32);
  expect(text).toContain('tabularium_mcp_call_duration_seconds_bucket{tool="list_tables",le="0.1"} 1\n');
  expect(text).toContain('tabularium_mcp_call_duration_seconds_bucket{tool="list_tables",le="0.02"} 0\n');
  const hostile = prometheusText([
    { name: 'a', help: 'x\ny', type: 'gauge', samples: [{ labels: { b: '"\\\n' }, value: Infinity }] },
  ]);
  expect(hostile).toBe('# HELP a x\\ny\n# TYPE a gauge\na{b="\\"\\\\\\n"} +Inf\n');
});
