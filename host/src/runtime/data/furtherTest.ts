import type { SettingsValues, TestStep } from '../../common/connection.ts';
import { destinationUrl } from '../../common/destinationOf.ts';
import { furtherDestinationsOf } from '../../common/furtherDestinations.ts';
import { hostSentence } from '../../common/hostSentences.ts';
import type { SealedSecrets } from '../credentials/sealedSecrets.ts';
import type { InstalledDriver } from '../drivers/packages/installedDriver.ts';
import type { OriginProbe } from './originProbe.ts';
import { failing, saying } from './testSentence.ts';

/** Milliseconds that a further origin may take. */
const LONGEST = 15_000;

/**
 * Looks at the way to each further origin of a connection whose first origin is fine: name lookup, TCP, TLS; one step for each, by its label. The driver alone
 * can say what the server there answers. One that fails is a warning, because tables can be read without it.
 *
 * @throws DriverError `CANCELLED`
 */
export async function* testFurther(
  probe: OriginProbe,
  tested: {
    readonly driver: InstalledDriver;
    readonly settings: SettingsValues;
    readonly secrets: SealedSecrets;
    readonly signal: AbortSignal;
  },
): AsyncGenerator<TestStep> {
  const { driver, settings, secrets, signal } = tested;
  for (const { id, label, destination } of furtherDestinationsOf(driver.manifest, settings)) {
    const step = { id: `origin-${id}`, label };
    if (destination === undefined) {
      yield { ...step, outcome: 'skipped', ...saying(hostSentence('testOriginAbsent')) };
      continue;
    }
    yield { ...step, outcome: 'running', ...saying(hostSentence('testServerAsked')) };
    const began = performance.now();
    const limited = AbortSignal.any([signal, AbortSignal.timeout(LONGEST)]);
    let found: Omit<TestStep, 'id' | 'label'> = {
      outcome: 'ok',
      ...saying(hostSentence('testConnected', { address: destinationUrl(destination) })),
    };
    try {
      for await (const { outcome, message, sentence, failure } of probe.probe(driver, settings, secrets, limited, id)) {
        if (outcome !== 'failed') continue;
        found = {
          outcome: 'warning',
          message,
          ...(sentence === undefined ? {} : { sentence }),
          ...(failure === undefined ? {} : { failure }),
        };
      }
    } catch (error) {
      signal.throwIfAborted();
      found = { outcome: 'warning', ...failing(error) };
    }
    yield { ...step, ...found, milliseconds: performance.now() - began };
  }
}
