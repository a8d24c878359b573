import { DriverError } from '@tabularium/sdk';
import { FACETS } from '@tabularium/sdk/protocol';
import type { OpenProgress } from '../../common/api.ts';
import { HostError } from '../../common/errors.ts';
import { progressStream } from '../../common/progressStream.ts';
import { SecretConfirmationError } from '../connections/secretConfirmation.ts';
import { ConnectionSecrets } from '../connections/connectionSecrets.ts';
import { ConnectionStore } from '../connections/connectionStore.ts';
import { Sessions } from './sessions.ts';
import type { Inject } from '../container/inject.ts';

/** The services of {@link OpenConnections}. */
export interface OpenConnectionsParts {
  readonly connections: ConnectionStore;
  readonly secrets: ConnectionSecrets;
  readonly sessions: Sessions;
}

/** Opens connections for a person, who sees the progress and enters missing values. */
export class OpenConnections {
  static readonly inject: Inject<typeof OpenConnections> = {
    connections: ConnectionStore,
    secrets: ConnectionSecrets,
    sessions: Sessions,
  };

  readonly #parts: OpenConnectionsParts;

  constructor(parts: OpenConnectionsParts) {
    this.#parts = parts;
  }

  /**
   * Installs the driver where it is missing, connects, and ends with `open`. Secrets that a person has just entered are kept until the host
   * stops, unless the server does not take them: then the next opening asks again.
   *
   * @param entered - values of secret fields
   * @throws HostError `CONNECTION_UNKNOWN`, and what opening a session throws, by the iteration
   */
  open(connectionId: string, entered: Readonly<Record<string, string>>, signal: AbortSignal): AsyncIterable<OpenProgress> {
    const { connections, secrets, sessions } = this.#parts;
    const forgetEntered = (): void => {
      for (const field of Object.keys(entered)) secrets.dropFromSession(connectionId, field);
    };
    return progressStream<OpenProgress>(async (notify) => {
      connections.get(connectionId);
      for (const [field, value] of Object.entries(entered)) secrets.enterForSession(connectionId, field, value);
      try {
        await sessions.use(
          connectionId,
          async ({ session, manifest, driverVersion }) => {
            const { server, findings } = session;
            if (findings.some(({ outcome }) => outcome === 'failed')) forgetEntered();
            const facets = FACETS.filter((name) => session[name] !== undefined);
            const parts = session.console && {
              sessions: session.console.openSession !== undefined,
              requests: session.console.describeRequest !== undefined,
            };
            notify({
              step: 'open',
              connection: {
                connectionId,
                server,
                findings,
                facets,
                manifest,
                driverVersion,
                ...(session.namespaces === undefined
                  ? {}
                  : { initialNamespaces: session.namespaces.initial.map((path) => [...path]) }),
                ...(parts === undefined ? {} : { console: parts }),
              },
            });
          },
          { signal, onProgress: notify },
        );
      } catch (error) {
        // A value that needs a confirmation is used after it: the value stays for the next opening, bound to nothing.
        if (!(error instanceof SecretConfirmationError) && !isOfAnotherField(error, entered)) forgetEntered();
        throw error;
      } finally {
        secrets.settleEntered(connectionId);
      }
    });
  }
}

/** A value that is missing beside the entered ones says nothing against them: the person would enter them for ever. */
function isOfAnotherField(error: unknown, entered: Readonly<Record<string, string>>): boolean {
  if (!(error instanceof DriverError || error instanceof HostError)) return false;
  if (error.code !== 'CREDENTIALS_MISSING' && error.code !== 'SECRET_MISSING') return false;
  const field = error.details?.['field'];
  return typeof field === 'string' && !Object.hasOwn(entered, field);
}
