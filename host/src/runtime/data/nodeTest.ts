import type { SettingsValues, TestStep } from '../../common/connection.ts';
import { destinationOf } from '../../common/destinationOf.ts';
import { serverPermissionOf } from '../../common/serverPermission.ts';
import { hostSentence } from '../../common/hostSentences.ts';
import type { SealedSecrets } from '../credentials/sealedSecrets.ts';
import type { InstalledDriver } from '../drivers/packages/installedDriver.ts';
import type { OriginProbe } from './originProbe.ts';
import { failing, saying } from './testSentence.ts';
import type { ConnectedSession, DriverConnector } from './sessions.ts';

/** Milliseconds that all further nodes together may take. */
const LONGEST = 15_000;

interface Tested {
  readonly driver: InstalledDriver;
  readonly settings: SettingsValues;
  readonly secrets: SealedSecrets;
  readonly signal: AbortSignal;
}

/**
 * Tests the further nodes of a connection whose first node is fine, all at once: name lookup, TCP, TLS, then the server. One step for each node,
 * when it begins and when it ends, in the order in which they end. A node that fails is a warning, because reads go to the others.
 *
 * @param version - the first node's
 * @throws DriverError `CANCELLED`
 */
export async function* testNodes(
  connector: DriverConnector & OriginProbe,
  tested: Tested,
  version: string | undefined,
): AsyncGenerator<TestStep> {
  const { driver, settings } = tested;
  const server = serverPermissionOf(driver.manifest);
  const nodes = server === undefined ? [] : destinationOf(server, driver.manifest, settings).nodes;
  const steps = nodes.map(({ host, port }, index) => ({
    id: `node-${index + 1}`,
    label: `${host.includes(':') ? `[${host}]` : host}:${port}`,
  }));
  for (const step of steps) yield { ...step, outcome: 'running', ...saying(hostSentence('testServerAsked')) };
  const limit = new AbortController();
  const signal = AbortSignal.any([tested.signal, limit.signal, AbortSignal.timeout(LONGEST)]);
  const running = new Map(
    steps.map((step, index) => [
      index,
      testNode(connector, { ...tested, signal }, index, version).then((found) => ({ index, step: { ...step, ...found } })),
    ]),
  );
  try {
    while (running.size > 0) {
      const { index, step } = await Promise.race(running.values());
      running.delete(index);
      tested.signal.throwIfAborted();
      yield step;
    }
  } finally {
    // Also where the caller leaves early.
    limit.abort();
  }
}

type NodeFound = Omit<TestStep, 'id' | 'label'>;

/** Never throws. */
async function testNode(
  connector: DriverConnector & OriginProbe,
  { driver, settings, secrets, signal }: Tested,
  node: number,
  firstVersion: string | undefined,
): Promise<NodeFound> {
  const began = performance.now();
  let session: ConnectedSession | undefined;
  const found = async (): Promise<NodeFound> => {
    for await (const { outcome, message, failure } of connector.probe(driver, settings, secrets, signal, node)) {
      if (outcome === 'failed') return { outcome: 'warning', message, ...(failure === undefined ? {} : { failure }) };
    }
    session = await connector.connect({ driver, settings, secrets, signal, node });
    await session.ping({ signal });
    const { product, version } = session.server;
    if (version === undefined) return { outcome: 'ok', ...saying(hostSentence('testVersionUnknown', { product })) };
    if (firstVersion === undefined || firstVersion === version) return { outcome: 'ok', message: `${product} ${version}` };
    const sentence = hostSentence('testOtherVersion', { product, version, first: firstVersion });
    return { outcome: 'warning', ...saying(sentence) };
  };
  try {
    return { ...(await found()), milliseconds: performance.now() - began };
  } catch (error) {
    return { outcome: 'warning', ...failing(error), milliseconds: performance.now() - began };
  } finally {
    await session?.close().catch(() => undefined);
  }
}
