import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HostError } from '../common/errors.ts';
import type { MovedSecrets } from '../common/secretPlaces.ts';
import { loadBindingKey } from './connections/bindingKey.ts';
import { ConnectionStore } from './connections/connectionStore.ts';
import { accountOf } from './connections/enteredSecrets.ts';
import { compose } from './composition.ts';
import { secretVariable } from './credentials/environmentSecureStore.ts';
import { FileSecureStore } from './credentials/fileSecureStore.ts';
import { openKeyring, openSecureStore } from './credentials/openSecureStore.ts';
import { readSecretKey } from './credentials/secretKey.ts';
import { beginSecretMove, finishSecretMove, leftInKeyring } from './credentials/secretMove.ts';
import { readSecretPlace, writeSecretPlace } from './credentials/secretPlace.ts';
import type { SecretKeySource, SecretsChoice } from './credentials/secretPlace.ts';
import type { SecureStore } from './credentials/secureStore.ts';
import { secretsFileOf, unusedSecretsFiles } from './credentials/unusedSecretsFiles.ts';
import type { FoundSecretsFile } from './credentials/unusedSecretsFiles.ts';
import { tryStore } from './credentials/tryStore.ts';
import { RegistrySettings } from './drivers/registry/registrySettings.ts';
import type { RuntimeOptions } from './runtimeOptions.ts';
import { openHomeDatabase } from './storage/homeDatabase.ts';
import { MIGRATIONS } from './storage/migrations.ts';

/** The place that an administrator chooses. */
export type ChosenPlace =
  | { readonly place: 'keyring' | 'environment' }
  | {
      readonly place: 'file';
      /** Where every later start reads the key. */
      readonly key: SecretKeySource;
      /** Where it is read now, if that is elsewhere. */
      readonly keyNow?: SecretKeySource;
    };

export interface MoveOptions extends Pick<RuntimeOptions, 'home' | 'env' | 'logger'> {
  readonly to: ChosenPlace;
  /** Leaves what is stored where it is: the place before can't be read, or isn't to be. */
  readonly leave: boolean;
  /** Replaces the keyring, in tests. */
  readonly keyring?: SecureStore;
}

/**
 * Changes the place of the secrets of a data directory that this process owns. What is stored is written to the new place and compared, then the choice is saved
 * in one step, and only then is it deleted from the place before. A process that is killed, and a move that fails, leave either place whole, and the next start of a host or
 * move deletes the copies in the other one. A file that the key opens and that no choice names is taken up, with
 * what it has.
 *
 * @throws HostError `SECURE_STORE_UNAVAILABLE` where one of the places can't be used, and `INVALID_REQUEST` where secrets would be left behind
 */
export async function moveSecrets(options: MoveOptions): Promise<MovedSecrets> {
  const { home, env, to, leave, logger, keyring = openKeyring(home.folder) } = options;
  const finish = (): Promise<void> =>
    finishSecretMove(home.folder, keyring).catch((error: unknown) =>
      logger.warn(`copies of secrets are still where they aren't used, and the next start deletes them: ${String(error)}`),
    );
  // Of a process that was killed.
  await finish();
  const opening = { homeFolder: home.folder, env };
  const taken = to.place === 'file' ? await takenUp(options, to) : undefined;
  const before = await readSecretPlace(home.folder).catch((error: unknown) => {
    // The choice before can't be read: only a new one that leaves everything is possible, or one that finds everything.
    if (leave || taken !== undefined) return undefined;
    throw error;
  });
  const open = (place: SecretsChoice): SecureStore => (place.place === 'keyring' ? keyring : openSecureStore(place, opening));
  // A file that was taken up takes the place of one that is gone.
  const isGone = taken !== undefined && before?.place === 'file' && !existsSync(join(home.folder, before.file));
  const old = before === undefined || isGone ? undefined : open(before);
  // A file lists what it holds, also for a connection that this version can't read, or one of a newer database that is put back later.
  const inFile = !leave && old instanceof FileSecureStore ? await old.accounts() : [];
  // Those of a file that the choice names are in use, and newer than any in one that no choice named.
  const isThere = new Set(taken?.accounts.filter((each) => !inFile.includes(each)));
  const accounts =
    old === undefined
      ? []
      : [...new Set([...inFile, ...(await storedAccounts(options, old))])].filter((each) => !isThere.has(each));
  const variables = to.place === 'environment' ? accounts.map(secretVariable) : [];
  if (to.place === 'environment' && !leave && accounts.length > 0)
    throw new HostError('INVALID_REQUEST', `${accounts.length} stored secrets can't be moved into environment variables.`, {
      details: { advice: `Set ${variables.join(', ')} for the host, and run this again with --leave.` },
    });
  const next = placeOf(to, taken?.file);
  const isSame = before?.place === 'keyring' && to.place === 'keyring';
  const move = {
    before: before ?? null,
    after: next,
    made: next.place === 'file' && taken === undefined ? next.file : null,
    replaced: !leave && before?.place === 'file' ? before.file : null,
  };
  const inKeyring = new Set(await leftInKeyring(home.folder));
  await beginSecretMove(home.folder, { ...move, inKeyring: [...inKeyring] });
  let moved: readonly string[] = [];
  try {
    const target = await openTarget(taken?.store ?? open(next), next, to, taken === undefined ? opening : undefined);
    if (!leave && !isSame && old !== undefined && to.place !== 'environment')
      moved = await copied(accounts, old, target, async (account) => {
        if (before?.place !== 'keyring' && next.place !== 'keyring') return;
        await beginSecretMove(home.folder, { ...move, inKeyring: [...inKeyring.add(account)] });
      });
    await writeSecretPlace(home.folder, next);
  } catch (error) {
    await finish();
    throw error;
  }
  // From here on the new place counts.
  await finish();
  return {
    place: next.place,
    file: next.place === 'file' ? join(home.folder, next.file) : null,
    moved: moved.length,
    left: accounts.length - moved.length,
    variables,
    takenUp: taken?.accounts.length ?? 0,
  };
}

/** The encrypted file that the key of a choice opens and that no choice names: the choice that did was lost, damaged, or left it. */
async function takenUp(
  { home, env, logger, ...options }: MoveOptions,
  to: Extract<ChosenPlace, { place: 'file' }>,
): Promise<FoundSecretsFile | undefined> {
  if ((await unusedSecretsFiles(home.folder)).length === 0) return undefined;
  const key = (): Promise<Buffer> => readSecretKey({ source: to.keyNow ?? to.key, homeFolder: home.folder, env });
  const nothing: SecureStore =
    options.keyring ?? openSecureStore({ version: 1, place: 'environment' }, { homeFolder: home.folder, env });
  return secretsFileOf(home.folder, key, await storedAccounts({ ...options, home, env, logger }, nothing));
}

/**
 * @param onCopy - called before an entry is written to the new place
 * @returns the accounts that were there
 */
async function copied(
  accounts: readonly string[],
  old: SecureStore,
  target: SecureStore,
  onCopy: (account: string) => Promise<void>,
): Promise<readonly string[]> {
  const moved: string[] = [];
  for (const account of accounts) {
    const entry = await old.get(account);
    if (entry === undefined) continue;
    await onCopy(account);
    await target.set(account, entry);
    if ((await target.get(account)) !== entry)
      throw new HostError(
        'SECURE_STORE_UNAVAILABLE',
        'A secret is not in the new place after it was saved there. Nothing was changed.',
      );
    moved.push(account);
  }
  return moved;
}

/** @param file - one that is there already; default: a new one */
function placeOf(to: ChosenPlace, file = `secrets-${randomBytes(8).toString('hex')}.json`): SecretsChoice {
  if (to.place !== 'file') return { version: 1, place: to.place };
  return { version: 1, place: 'file', file, key: to.key };
}

/**
 * @param opening - of a file that is to be made; undefined for one that is there
 * @throws HostError `SECURE_STORE_UNAVAILABLE` for a place that doesn't give back what it was given
 */
async function openTarget(
  opened: SecureStore,
  next: SecretsChoice,
  to: ChosenPlace,
  opening: { readonly homeFolder: string; readonly env: NodeJS.ProcessEnv } | undefined,
): Promise<SecureStore> {
  let store = opened;
  if (next.place === 'file' && to.place === 'file' && opening !== undefined) {
    const source = to.keyNow ?? to.key;
    const made = new FileSecureStore({
      homeFolder: opening.homeFolder,
      file: next.file,
      key: () => readSecretKey({ source, ...opening, isNew: true }),
    });
    await made.create();
    store = made;
  }
  const state = await tryStore(store);
  if (!state.available && store.isReadOnly !== true)
    throw new HostError('SECURE_STORE_UNAVAILABLE', state.sentence ?? state.reason, {
      details: { advice: 'Nothing was changed.' },
    });
  return store;
}

/** Of connections and registries. A keyring can't list what it holds. */
async function storedAccounts(options: MoveOptions, store: SecureStore): Promise<readonly string[]> {
  const opened = openHomeDatabase(options.home, MIGRATIONS, options.logger);
  try {
    const { key } = await loadBindingKey(options.home.folder);
    const container = compose(options, opened, key, store);
    const connections = container.get(ConnectionStore);
    const ofConnections = [...connections.list(), ...connections.unreadable()].flatMap(({ id, secrets = {} }) =>
      Object.entries(secrets).flatMap(([field, { kind }]) => (kind === 'store' ? [accountOf(id, field)] : [])),
    );
    return [...ofConnections, ...container.get(RegistrySettings).storedAccounts()];
  } finally {
    opened.database[Symbol.dispose]();
  }
}
