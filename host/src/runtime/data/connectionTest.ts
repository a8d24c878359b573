import type { Finding } from '@tabularium/sdk';
import type { ConnectionInput, SavedConnection, TestStep } from '../../common/connection.ts';
import { hostSentence } from '../../common/hostSentences.ts';
import { SERVER_STEP } from '../../common/testVerdict.ts';
import type { DriverConnector, SessionDrivers } from './sessions.ts';
import { isForeignCredential } from '../drivers/broker/foreignCredentialError.ts';
import { SecretConfirmationError } from '../connections/secretConfirmation.ts';
import { ConnectionSecrets } from '../connections/connectionSecrets.ts';
import { ConnectionStore } from '../connections/connectionStore.ts';
import { testFurther } from './furtherTest.ts';
import { testNodes } from './nodeTest.ts';
import type { OriginProbe } from './originProbe.ts';
import { DRIVER_SOURCE } from './sessions.ts';
import { failing, saying } from './testSentence.ts';
import type { Inject } from '../container/inject.ts';
import { token } from '../container/inject.ts';

/** Reaches servers and opens sessions that are not shared. */
export const PROBING_CONNECTOR = token<OriginProbe & DriverConnector>('PROBING_CONNECTOR');

const serverStep = { id: SERVER_STEP, label: 'Server' };
const NOT_TRIED: TestStep = {
  ...serverStep,
  outcome: 'skipped',
  ...saying(hostSentence('testSkipped')),
};

/** The services of {@link ConnectionTest}. */
export interface ConnectionTestParts {
  readonly connections: Pick<ConnectionStore, 'get'>;
  readonly drivers: SessionDrivers;
  readonly connector: DriverConnector;
  readonly probe: OriginProbe;
  readonly secrets: ConnectionSecrets;
}

/** Tries connections that may not be saved yet. */
export class ConnectionTest {
  static readonly inject: Inject<typeof ConnectionTest> = {
    connections: ConnectionStore,
    drivers: DRIVER_SOURCE,
    connector: PROBING_CONNECTOR,
    probe: PROBING_CONNECTOR,
    secrets: ConnectionSecrets,
  };

  readonly #services: ConnectionTestParts;

  constructor(services: ConnectionTestParts) {
    this.#services = services;
  }

  /**
   * Tries a connection without saving it: the driver (installed where it is missing), name lookup, TCP, TLS, then the driver's findings, and
   * the further nodes.
   * Every step is reported when it begins and when it ends; after a failed one the rest is skipped.
   *
   * @param savedAs - the connection whose stored secrets replace those that the form leaves out
   * @param code - of the question that a person has answered with yes, for this one test
   * @throws HostError `CONNECTION_UNKNOWN`, and `SECRET_NOT_CONFIRMED` before anything is reached
   */
  run(input: ConnectionInput, savedAs: string | undefined, signal: AbortSignal, code?: string): AsyncGenerator<TestStep> {
    const saved = savedAs === undefined ? undefined : this.#services.connections.get(savedAs);
    return this.#steps(input, saved, signal, code);
  }

  async *#steps(
    input: ConnectionInput,
    saved: SavedConnection | undefined,
    signal: AbortSignal,
    code: string | undefined,
  ): AsyncGenerator<TestStep> {
    const driverStep = { id: 'driver', label: 'Driver' };
    yield { ...driverStep, outcome: 'running', ...saying(hostSentence('testDriverSearched')) };
    let driver;
    try {
      driver = await this.#services.drivers.ensureInstalled(input.driver, { signal });
    } catch (error) {
      yield { ...driverStep, outcome: 'failed', ...failing(error) };
      return;
    }
    const found = { message: `${driver.manifest.title} ${driver.version}`, driverVersion: driver.version };
    yield { ...driverStep, outcome: 'ok', ...found };

    const credentialStep = { id: 'credentials', label: 'Credentials' };
    let secrets;
    try {
      secrets = await this.#services.secrets.resolveInput(saved, input, driver, code);
    } catch (error) {
      if (error instanceof SecretConfirmationError) throw error;
      yield { ...credentialStep, outcome: 'failed', ...failing(error) };
      yield NOT_TRIED;
      return;
    }
    let reached = true;
    for await (const step of this.#services.probe.probe(driver, input.settings, secrets, signal)) {
      yield step;
      if (step.outcome === 'failed') reached = false;
    }
    if (!reached) {
      yield NOT_TRIED;
      return;
    }

    yield { ...serverStep, outcome: 'running', ...saying(hostSentence('testServerAsked')) };
    const began = performance.now();
    let session;
    let first: { readonly version?: string | undefined } | undefined;
    try {
      session = await this.#services.connector.connect({ driver, settings: input.settings, secrets, signal });
      await session.ping({ signal });
      const { product, version } = session.server;
      const milliseconds = performance.now() - began;
      const found =
        version === undefined ? saying(hostSentence('testVersionUnknown', { product })) : { message: `${product} ${version}` };
      yield { ...serverStep, outcome: 'ok', ...found, milliseconds };
      for (const [index, finding] of session.findings.entries()) {
        yield { id: `finding-${index}`, ...finding };
      }
      first = session.server;
    } catch (error) {
      if (saved !== undefined && isForeignCredential(error)) this.#services.secrets.origins.distrust(saved.id);
      // A finding explains a refusal better than the refusal itself does.
      const finding = session?.findings.find(({ outcome }) => outcome === 'failed');
      yield {
        ...serverStep,
        outcome: 'failed',
        ...(finding === undefined ? failing(error) : explained(finding)),
        milliseconds: performance.now() - began,
      };
    } finally {
      await session?.close();
    }
    if (first === undefined) return;
    const { connector, probe } = this.#services;
    const reach = { connect: connector.connect.bind(connector), probe: probe.probe.bind(probe) };
    const tested = { driver, settings: input.settings, secrets, signal };
    yield* testNodes(reach, tested, first.version);
    yield* testFurther(probe, tested);
  }
}

/** The step has a label of its own. */
function explained({ message, texts }: Finding): Pick<TestStep, 'message' | 'texts'> {
  return { message, ...(texts?.['message'] === undefined ? {} : { texts: { message: texts['message'] } }) };
}
