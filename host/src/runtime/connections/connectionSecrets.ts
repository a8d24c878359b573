import type { Manifest } from '@tabularium/sdk/manifest';
import type { ConnectionInput, SavedConnection, SecretInput, SecretReference } from '../../common/connection.ts';
import { HostError } from '../../common/errors.ts';
import type { SecureStore } from '../credentials/secureStore.ts';
import { SHORTEST_SOUGHT, hideValue } from './hideValue.ts';

/**
 * The values behind a connection's secret fields. Each is where its reference says: in the secure store, in this host's memory, or in an
 * environment variable. No value is ever written anywhere else.
 */
export class ConnectionSecrets {
  readonly #store: SecureStore;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #session = new Map<string, string>();
  /** Every value that was handed out in this run, by connection. The key of a connection that is not saved yet is the empty string. */
  readonly #known = new Map<string, Set<string>>();

  constructor(store: SecureStore, environment: NodeJS.ProcessEnv) {
    this.#store = store;
    this.#environment = environment;
  }

  /**
   * Every secret value of a connection by field id. A field without a value is left out unless the form requires it.
   *
   * @throws HostError `SECRET_MISSING` naming the first field that should have a value and has none, in `details.field`
   */
  async resolve(connection: SavedConnection, manifest: Manifest): Promise<Record<string, string>> {
    return this.#collect(connection, manifest, connection.secrets, (field) =>
      this.#value(connection.id, field, connection.secrets[field]),
    );
  }

  /**
   * Every secret value of a form that is not saved: what was entered, and where nothing was, what the saved connection has.
   *
   * @throws HostError `SECRET_MISSING` as {@link resolve} does
   */
  async resolveInput(
    saved: SavedConnection | undefined,
    input: ConnectionInput,
    manifest: Manifest,
  ): Promise<Record<string, string>> {
    const references = { ...saved?.secrets, ...input.secrets };
    return this.#collect({ id: saved?.id ?? '', name: input.name }, manifest, references, async (field) => {
      const entered = input.secrets[field];
      if (entered === undefined) return saved === undefined ? undefined : this.#value(saved.id, field, saved.secrets[field]);
      if (entered.kind === 'remove') return undefined;
      return entered.kind === 'environment' ? this.#environment[entered.variable] : entered.value;
    });
  }

  /**
   * Keeps new values where they are to be kept and forgets those that are to be removed. Nothing is kept when the secure store refuses.
   *
   * @returns the references to save with the connection
   * @throws HostError `SECURE_STORE_UNAVAILABLE`
   */
  async apply(
    connectionId: string,
    before: Readonly<Record<string, SecretReference>>,
    inputs: Readonly<Record<string, SecretInput>>,
  ): Promise<Record<string, SecretReference>> {
    const after: Record<string, SecretReference> = { ...before };
    const entries = Object.entries(inputs);
    // Storing may be refused, forgetting is not worth failing for: so nothing is forgotten before everything is stored.
    for (const [field, input] of entries) {
      if (input.kind === 'store') await this.#store.set(accountOf(connectionId, field), input.value);
    }
    for (const [field, input] of entries) {
      const account = accountOf(connectionId, field);
      if (input.kind !== 'store' && before[field]?.kind === 'store') await this.#store.delete(account);
      this.#session.delete(account);
      if (input.kind === 'session') this.#session.set(account, input.value);
      if (input.kind === 'remove') delete after[field];
      else after[field] = input.kind === 'environment' ? { kind: 'environment', variable: input.variable } : { kind: input.kind };
    }
    return after;
  }

  /**
   * Keeps the values of one connection for another one too, each in the same kind of place. What is not there any more is left out.
   *
   * @returns the references to save with the other one
   * @throws HostError `SECURE_STORE_UNAVAILABLE`
   */
  async copy(
    from: string,
    to: string,
    references: Readonly<Record<string, SecretReference>>,
  ): Promise<Record<string, SecretReference>> {
    const inputs: Record<string, SecretInput> = {};
    for (const [field, reference] of Object.entries(references)) {
      const kept = this.#session.get(accountOf(from, field));
      if (reference.kind === 'environment') inputs[field] = reference;
      else if (reference.kind === 'store') {
        const value = await this.#store.get(accountOf(from, field));
        if (value !== undefined) inputs[field] = { kind: 'store', value };
      } else if (kept !== undefined) inputs[field] = { kind: 'session', value: kept };
    }
    return this.apply(to, {}, inputs);
  }

  /** A text for the host's log: without any secret value that was used in this run. Never for a client: what is hidden would confirm a guess. */
  redact(text: string): string {
    let result = text;
    for (const values of this.#known.values()) for (const value of values) result = hideValue(result, value);
    return result;
  }

  /** The secret values of a connection that were used in this run. */
  usedBy(connectionId: string): readonly string[] {
    return [...(this.#known.get(connectionId) ?? [])];
  }

  /** Keeps a value in memory until the host stops, beside whatever the reference says; used when a person is asked for a missing one. */
  keepForSession(connectionId: string, field: string, value: string): void {
    this.#session.set(accountOf(connectionId, field), value);
  }

  /** Forgets such a value again, because the server did not take it: the next opening asks anew. */
  dropFromSession(connectionId: string, field: string): void {
    this.#session.delete(accountOf(connectionId, field));
  }

  /** Forgets the values of these fields wherever they are. */
  async forgetAll(connectionId: string, fields: readonly string[]): Promise<void> {
    for (const field of fields) {
      const account = accountOf(connectionId, field);
      this.#session.delete(account);
      await this.#store.delete(account).catch(() => undefined);
    }
  }

  /** Forgets every secret of a connection that has been removed. A store that cannot be reached keeps its entry; nothing points to it any more. */
  async forget(connection: SavedConnection): Promise<void> {
    for (const [field, reference] of Object.entries(connection.secrets)) {
      const account = accountOf(connection.id, field);
      this.#session.delete(account);
      if (reference.kind === 'store') await this.#store.delete(account).catch(() => undefined);
    }
  }

  async #collect(
    connection: Pick<SavedConnection, 'id' | 'name'>,
    manifest: Manifest,
    references: Readonly<Record<string, SecretReference | SecretInput>>,
    valueOf: (field: string) => Promise<string | undefined>,
  ): Promise<Record<string, string>> {
    const values: Record<string, string> = {};
    for (const field of manifest.connection.fields) {
      if (field.type !== 'secret') continue;
      const reference = references[field.id];
      const value = await valueOf(field.id);
      if (value !== undefined && value !== '') {
        values[field.id] = value;
        if (value.length >= SHORTEST_SOUGHT) this.#remember(connection.id, value);
      } else if ((reference !== undefined && reference.kind !== 'remove') || field.required)
        throw missing(connection.name, field.id, field.label, reference);
    }
    return values;
  }

  #remember(connectionId: string, value: string): void {
    const values = this.#known.get(connectionId) ?? new Set();
    this.#known.set(connectionId, values.add(value));
  }

  async #value(connectionId: string, field: string, reference: SecretReference | undefined): Promise<string | undefined> {
    const account = accountOf(connectionId, field);
    const kept = this.#session.get(account);
    if (kept !== undefined) return kept;
    if (reference === undefined || reference.kind === 'session') return undefined;
    if (reference.kind === 'environment') return this.#environment[reference.variable];
    return this.#store.get(account);
  }
}

function accountOf(connectionId: string, field: string): string {
  return `${connectionId}/${field}`;
}

function missing(
  connection: string,
  field: string,
  label: string,
  reference: SecretReference | SecretInput | undefined,
): HostError {
  return new HostError('SECRET_MISSING', `The ${label} of "${connection}" is missing${whyMissing(reference)}.`, {
    details: { field, advice: `Enter the ${label}.` },
  });
}

function whyMissing(reference: SecretReference | SecretInput | undefined): string {
  switch (reference?.kind) {
    case undefined:
    case 'remove':
      return '';
    case 'store':
      return ': it is no longer in the secure store';
    case 'session':
      return ': it was kept for an earlier run of the host only';
    case 'environment':
      // Its name is not said: clients outside read this, too. The window and the command show it beside the field.
      return ': it is taken from an environment variable of the host, which is not set';
  }
}
