import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from '@tabularium/sdk';
import { createTestHttp, runConformance } from '@tabularium/sdk/testing';
import driverPackage from '../../drivers/search/package.json' with { type: 'json' };
import { fillKnownTables } from '../../drivers/search/src/fixture.test-helper.ts';
import { driver } from '../../drivers/search/src/index.ts';
import { root } from '../../scripts/paths.ts';
import { guardedHttp } from './guardedHttp.ts';
import { kitPlan } from './kitPlan.ts';
import { COMMON_PREFIX, leftoversOn } from './leftovers.ts';
import { opened } from './notBegun.ts';
import type { RunFile } from './runFile.ts';
import { Problems } from './scenario.ts';
import type { Scenario, ServerUnderTest } from './scenario.ts';
import { SCENARIOS } from './scenarios/index.ts';
import { platformOf } from './serverReport.ts';
import type { ScenarioResult, ServerReport } from './serverReport.ts';
import { checkVerbs } from './verbs.ts';

export interface CheckServerOptions {
  /** Address of one node, with a path if the server is behind one. */
  readonly url: string;
  /** Must be allowed to do everything. It is in no report. */
  readonly key: string;
  readonly runFile: RunFile;
  /** Ends the run; what it created is removed all the same. */
  readonly signal: AbortSignal;
  /** A few documents instead of thousands, and no classifier. */
  readonly short?: boolean;
  readonly restart?: () => Promise<void>;
  /** Without the kit where it runs anyway. */
  readonly kit?: boolean;
  /** Instead of those that everybody runs. */
  readonly scenarios?: readonly Scenario[];
  /** Called after each scenario. */
  readonly onResult?: (result: ScenarioResult) => void;
}

const { version: productVersion } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

const REMOVAL_MILLISECONDS = 60_000;

/**
 * Holds the search driver to a server: the conformance kit, a walk through what people do, and the console's classifier. Everything it
 * creates has a random prefix of this run, nothing else can be changed (guardedHttp.ts), and it is removed at the end, also after a
 * failure and when the signal ends the run.
 *
 * @throws CheckNotBegun when there is no search server in order at the address, or the key may not do everything; nothing was created then
 */
export async function checkServer(options: CheckServerOptions): Promise<ServerReport> {
  const { url, key, runFile, signal, short = false, kit: withKit = true, scenarios = SCENARIOS, onResult } = options;
  const { origin, hostname, protocol } = new URL(url);
  const prefix = `${COMMON_PREFIX}${randomBytes(8).toString('hex')}-`;
  const grants: { close(): void }[] = [];
  const httpFor = (value: string): ReturnType<typeof guardedHttp> => {
    const http = createTestHttp(origin, { credentials: { 'X-TYPESENSE-API-KEY': value, 'X-SEARCH-API-KEY': value } });
    grants.push(http);
    return guardedHttp(http, prefix);
  };
  const http = httpFor(key);
  const context = (grant: typeof http): { http: typeof http; log: () => void } => ({ http: grant, log: () => undefined });
  const open = async (value: string): Promise<Session> =>
    driver.definition.connect({ host: hostname }, context(httpFor(value)), { signal });
  const connect = (): Promise<Session> => driver.definition.connect({ host: hostname }, context(http), { signal });
  const session = await opened(new URL(url), connect, http.ask, signal).catch((error: unknown) => {
    for (const grant of grants) grant.close();
    throw error;
  });
  const results: ScenarioResult[] = [];
  let leftovers: readonly string[] = [];
  let kit: ServerReport['kit'];
  runFile.begin(prefix);
  try {
    const earlier = await removeEarlier(http, key, origin, runFile);
    const server = underTest({ ...options, prefix, session, http, open, short });
    const kitScenario: Scenario = {
      id: 'conformance-kit',
      title: 'The conformance kit of the SDK',
      async run(_server, problems) {
        await fillKnownTables((method, path, body) => server.must(method, path, body), prefix);
        const plan = await kitPlan({ http, host: hostname, secret: key, server });
        const { report } = await runConformance(plan);
        kit = { kit: report.kit, contract: report.contract, score: report.score, counts: report.counts };
        for (const { area, rule, table, outcome, message } of report.checks)
          problems.holds(`${area}: ${rule}${table === undefined ? '' : ` (${table})`}: ${message ?? ''}`, outcome !== 'broken');
      },
    };
    for (const scenario of [...scenarios, ...(withKit ? [kitScenario] : []), ...(short ? [] : [classifier])]) {
      if (signal.aborted) break;
      const result = await resultOf(scenario, server, (text) => text.replaceAll(key, '(key)').replaceAll(origin, '(server)'));
      if (signal.aborted) break;
      results.push(result);
      onResult?.(result);
    }
    leftovers = earlier;
  } finally {
    await session.close();
    const left = await removeOwn(key, origin, prefix);
    leftovers = [...leftovers, ...left];
    if (left.length === 0) runFile.end(prefix);
    for (const grant of grants) grant.close();
  }
  return {
    reportVersion: 1,
    takenAt: new Date().toISOString(),
    product: { version: productVersion, driver: driverPackage.version, node: process.version, platform: platformOf() },
    server: {
      product: session.server.product,
      version: session.server.version ?? 'unknown version',
      place: /^(?:localhost|127\.|\[::1\])/.test(hostname) ? 'loopback' : 'remote',
      scheme: protocol.replace(':', ''),
    },
    form: short ? 'short' : 'full',
    outcome: signal.aborted ? 'interrupted' : results.some(({ outcome }) => outcome === 'fail') ? 'fail' : 'pass',
    scenarios: results,
    ...(kit === undefined ? {} : { kit }),
    leftovers,
  };
}

const classifier: Scenario = {
  id: 'classifier',
  title: 'The console’s classifier: each request in many spellings, and what the server lost by it',
  async run({ session, ask, prefix }, problems) {
    const { wrong, tried } = await checkVerbs(session, ask, prefix);
    for (const text of wrong) problems.found.push(text);
    problems.compared += tried;
  },
};

function underTest(parts: {
  readonly prefix: string;
  readonly session: Session;
  readonly http: ReturnType<typeof guardedHttp>;
  readonly open: (key: string) => Promise<Session>;
  readonly restart?: (() => Promise<void>) | undefined;
  readonly short: boolean;
  readonly signal: AbortSignal;
}): ServerUnderTest {
  const { prefix, session, http, open, restart, short, signal } = parts;
  const major = Number(/^\d+/.exec(session.server.version ?? '')?.[0]);
  return {
    prefix,
    session,
    ask: http.ask,
    async must(method, path, body) {
      const { status, text } = await http.ask(
        method,
        path,
        typeof body === 'object' ? JSON.stringify(body) : (body as string | undefined),
      );
      if (status >= 300) throw new Error(`The server answered ${status} to ${method} ${path}: ${text}`);
      return path.endsWith('/import') ? text : (JSON.parse(text) as unknown);
    },
    open,
    restart,
    short,
    options: { signal },
    major: Number.isNaN(major) ? undefined : major,
  };
}

async function resultOf(
  scenario: Scenario,
  server: ServerUnderTest,
  redacted: (text: string) => string,
): Promise<ScenarioResult> {
  const problems = new Problems();
  const began = performance.now();
  const { id, title } = scenario;
  const ended = (outcome: ScenarioResult['outcome'], messages: readonly string[]): ScenarioResult => ({
    ...{ id, title, outcome, messages: messages.map(redacted), compared: problems.compared },
    milliseconds: Math.round(performance.now() - began),
  });
  try {
    const not = await scenario.run(server, problems);
    if (not !== undefined) return ended('notRun', [not.notRun]);
  } catch (error) {
    problems.found.push(error instanceof Error ? error.message : String(error));
  }
  return ended(problems.found.length === 0 ? 'pass' : 'fail', problems.found);
}

/** Removes what earlier runs of this machine left, and names what runs of other machines left. */
async function removeEarlier(
  http: ReturnType<typeof guardedHttp>,
  key: string,
  origin: string,
  runFile: RunFile,
): Promise<string[]> {
  const others: string[] = [];
  const own = new Set<string>();
  for (const { kind, name, prefix } of await leftoversOn(http.ask)) {
    if (runFile.isOver(prefix)) own.add(prefix);
    else others.push(`${kind} ${name}, of a run on another machine or one that is still running`);
  }
  for (const prefix of own) {
    if ((await removeOwn(key, origin, prefix)).length === 0) runFile.end(prefix);
  }
  return others;
}

/** Removes everything of one run, and returns what could not be removed. It has connections of its own: the run's may have ended. */
async function removeOwn(key: string, origin: string, prefix: string): Promise<string[]> {
  const http = createTestHttp(origin, {
    credentials: { 'X-TYPESENSE-API-KEY': key, 'X-SEARCH-API-KEY': key },
    timeoutMilliseconds: REMOVAL_MILLISECONDS,
  });
  try {
    const { ask } = guardedHttp(http, prefix);
    const own = async (): Promise<Awaited<ReturnType<typeof leftoversOn>>> =>
      (await leftoversOn(ask)).filter((one) => one.prefix === prefix);
    for (const { path } of await own()) await ask('DELETE', path);
    return (await own()).map(({ kind, name }) => `${kind} ${name}, which could not be removed`);
  } catch {
    return [`whatever begins with ${prefix}: the server no longer answered`];
  } finally {
    http.close();
  }
}
