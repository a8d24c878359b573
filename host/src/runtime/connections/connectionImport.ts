import type { Manifest } from '@tabularium/sdk/manifest';
import { formFieldsOf } from '../../common/formFields.ts';
import type { ConnectionAccess } from '../../common/access.ts';
import { addressOf } from '../../common/address.ts';
import type { SavedConnection, StoredInput } from '../../common/connection.ts';
import type {
  FiledConnection,
  ImportCandidate,
  ImportConnections,
  ImportOutcome,
  ImportPreview,
  OnConflict,
} from '../../common/connectionFile.ts';
import { HostError, originOf } from '../../common/errors.ts';
import type { HostSentence } from '../../common/hostSentences.ts';
import { englishOf, hostSentence } from '../../common/hostSentences.ts';
import { checkSettings, isVisible } from '../../common/formValues.ts';
import { errorReport } from '../errors/errorReport.ts';
import { storageFailure } from '../errors/storageFailure.ts';
import { readConnectionFile, writeConnectionFile } from './connectionFile.ts';
import type { ManifestSource } from './connectionService.ts';
import { ConnectionService, MANIFESTS } from './connectionService.ts';
import { ConnectionStore } from './connectionStore.ts';
import type { Inject } from '../container/inject.ts';

/** Connections out to a file and in from one. */
export class ConnectionImport {
  static readonly inject: Inject<typeof ConnectionImport> = {
    store: ConnectionStore,
    service: ConnectionService,
    manifests: MANIFESTS,
  };

  readonly #store: ConnectionStore;
  readonly #service: Pick<ConnectionService, 'importOne' | 'freeName'>;
  readonly #manifests: ManifestSource;

  constructor(services: {
    store: ConnectionStore;
    service: Pick<ConnectionService, 'importOne' | 'freeName'>;
    manifests: ManifestSource;
  }) {
    this.#store = services.store;
    this.#service = services.service;
    this.#manifests = services.manifests;
  }

  /** The file's text. @throws HostError `CONNECTION_UNKNOWN` */
  export(connectionIds: readonly string[] | undefined): string {
    const connections = connectionIds === undefined ? this.#store.list() : connectionIds.map((id) => this.#store.get(id));
    return writeConnectionFile(connections);
  }

  /** The connections that a file would add. Nothing is saved. */
  async preview(text: string): Promise<ImportPreview> {
    const file = readConnectionFile(text);
    const candidates: ImportCandidate[] = [];
    for (const [index, read] of file.connections.entries()) {
      const { connection, name, driver, at } = read;
      const manifest = await this.#manifest(driver);
      const conflict = name.trim() === '' ? undefined : this.#store.findByName(name);
      const problems = [...read.problems];
      if (connection !== undefined)
        problems.push(...problemsOf(connection, manifest).map((sentence) => ({ message: englishOf(sentence), sentence, ...at })));
      const address = manifest === undefined || connection === undefined ? undefined : addressOf(manifest, connection.settings);
      candidates.push({
        index,
        name,
        driver,
        ...(manifest === undefined ? {} : { driverTitle: manifest.title }),
        ...(connection?.group === undefined ? {} : { group: connection.group }),
        ...(address === undefined ? {} : { address }),
        secretsToEnter: connection === undefined || manifest === undefined ? [] : secretsToEnter(connection, manifest),
        fromEnvironment: connection === undefined ? [] : Object.values(connection.secretsFromEnvironment),
        ...(conflict === undefined ? {} : { conflict: { id: conflict.id, name: conflict.name } }),
        freeName: name.trim() === '' ? '' : this.#service.freeName(name),
        problems,
      });
    }
    return { candidates, problems: file.problems };
  }

  /**
   * Saves what was chosen of a file, each for itself: one that fails keeps none of the others out.
   *
   * @throws HostError `INVALID_REQUEST` for a file that cannot be read, or that is not the one that was chosen from
   */
  async import({ text, choices }: ImportConnections): Promise<readonly ImportOutcome[]> {
    const file = readConnectionFile(text);
    const [problem] = file.problems;
    if (problem !== undefined) {
      throw new HostError('INVALID_REQUEST', `${problem.message} (line ${problem.line}, column ${problem.column})`);
    }
    const outcomes: ImportOutcome[] = [];
    for (const { index, onConflict } of choices) {
      const read = file.connections[index];
      if (read === undefined) throw new HostError('INVALID_REQUEST', `The file has no connection ${index + 1}.`);
      try {
        const [fault] = read.problems;
        if (fault !== undefined || read.connection === undefined) {
          throw new HostError('INVALID_REQUEST', fault?.sentence ?? hostSentence('fileConnectionUnreadable'));
        }
        outcomes.push({ index, ...(await this.#importOne(read.connection, onConflict)) });
      } catch (error) {
        outcomes.push({
          index,
          name: read.name,
          outcome: 'failed',
          ...failureOf(error),
        });
      }
    }
    return outcomes;
  }

  async #importOne(filed: FiledConnection, onConflict: OnConflict): Promise<Omit<ImportOutcome, 'index'>> {
    const existing = this.#store.findByName(filed.name);
    if (existing !== undefined && onConflict === 'skip') {
      return { name: existing.name, outcome: 'skipped', connectionId: existing.id };
    }
    const manifest = await this.#manifests.manifestOf(filed.driver);
    const [problem] = problemsOf(filed, manifest);
    if (problem !== undefined) throw new HostError('INVALID_REQUEST', problem);
    const replaced = onConflict === 'replace' ? existing : undefined;
    const name = replaced?.name ?? this.#service.freeName(filed.name);
    const saved = await this.#service.importOne(inputOf(filed, name, replaced), replaced);
    const outcome = replaced !== undefined ? 'replaced' : name === filed.name.trim() ? 'added' : 'renamed';
    const fromEnvironment = Object.values(filed.secretsFromEnvironment);
    return { name: saved.name, outcome, connectionId: saved.id, ...(fromEnvironment.length === 0 ? {} : { fromEnvironment }) };
  }

  async #manifest(driver: string): Promise<Manifest | undefined> {
    return driver === '' ? undefined : this.#manifests.manifestOf(driver).catch(() => undefined);
  }
}

/** With the advice where the machine is the cause, such as a full disk: SQLite's own message says neither what happened nor what to do. */
function failureOf(error: unknown): Pick<ImportOutcome, 'message' | 'origin'> {
  if (error instanceof HostError) return { message: error.message, origin: originOf(error) };
  const storage = storageFailure(error);
  if (storage !== undefined) return { message: `${storage.message} ${storage.advice}`, origin: originOf(storage) };
  return { message: error instanceof Error ? error.message : String(error), origin: { code: errorReport(error).code } };
}

function problemsOf(filed: FiledConnection, manifest: Manifest | undefined): readonly HostSentence[] {
  if (manifest === undefined) return [hostSentence('fileDriverUnknown', { driver: filed.driver })];
  // Secrets are entered when it is first opened.
  const all = formFieldsOf(manifest).flatMap(({ id, type }) => (type === 'secret' ? [id] : []));
  return checkSettings(manifest, filed.settings, new Set([...all, ...Object.keys(filed.secretsFromEnvironment)])).map(
    ({ sentence }) => sentence,
  );
}

function secretsToEnter(filed: FiledConnection, manifest: Manifest): readonly string[] {
  return formFieldsOf(manifest).flatMap((field) =>
    field.type === 'secret' &&
    field.required &&
    isVisible(field, filed.settings, manifest) &&
    filed.secretsFromEnvironment[field.id] === undefined
      ? [field.label]
      : [],
  );
}

/** A file that somebody sent must not open a connection to programs: it may narrow what is usual, not widen it. */
function narrowed(access: ConnectionAccess): ConnectionAccess {
  return {
    externalClients: access.externalClients === 'readWrite' ? 'readOnly' : access.externalClients,
    aiPolicy: access.aiPolicy === 'alwaysAllow' ? 'askEachTime' : access.aiPolicy,
    ...(access.readOnly === true ? { readOnly: true } : {}),
  };
}

function inputOf(filed: FiledConnection, name: string, replaced: SavedConnection | undefined): StoredInput {
  return {
    name,
    driver: filed.driver,
    settings: filed.settings,
    secrets: Object.fromEntries(
      Object.entries(filed.secretsFromEnvironment).map(([field, variable]) => [
        field,
        { kind: 'environment' as const, variable },
      ]),
    ),
    access: replaced?.access ?? narrowed(filed.access),
    color: filed.color,
    group: filed.group,
  };
}
