import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { deriveKeysOnce } from './deriveKeysOnce.test-helper.ts';
import { beginSecretMove, finishSecretMove, leftInKeyring } from './secretMove.ts';
import { writeSecretPlace } from './secretPlace.ts';
import type { SecretsChoice } from './secretPlace.ts';

deriveKeysOnce();

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'tabularium-move-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const nameOf = (letter: string): string => `secrets-${letter.repeat(16)}.json`;
const [A, B, C] = [nameOf('a'), nameOf('b'), nameOf('c')];
const inFile = (file: string): SecretsChoice => ({
  version: 1,
  place: 'file',
  file,
  key: { from: 'keyFile', path: `/keys/${file}` },
});
const keyring: SecretsChoice = { version: 1, place: 'keyring' };

interface State {
  readonly before: SecretsChoice | null;
  readonly after: SecretsChoice;
  readonly replaced: string | null;
  /** As the data directory has it when the next host starts; undefined: without the file. */
  readonly choice: SecretsChoice | undefined;
  readonly files: readonly string[];
}

async function leftAfter({ before, after, replaced, choice, files }: State): Promise<readonly string[]> {
  await beginSecretMove(home, { before, after, made: after.place === 'file' ? after.file : null, replaced, inKeyring: [] });
  if (choice !== undefined) await writeSecretPlace(home, choice);
  for (const file of files) await writeFile(join(home, file), '{}');
  await finishSecretMove(home);
  return (await readdir(home)).filter((name) => name.startsWith('secrets-')).sort();
}

const fromAToB = { before: inFile(A), after: inFile(B), replaced: A };

it.each<[string, State, readonly string[]]>([
  ['killed before the choice was saved', { ...fromAToB, choice: inFile(A), files: [A, B, `${B}.new`] }, [A]],
  ['killed after the choice was saved', { ...fromAToB, choice: inFile(B), files: [A, B] }, [B]],
  ['to the keyring, killed before', { before: inFile(A), after: keyring, replaced: A, choice: inFile(A), files: [A] }, [A]],
  ['to the keyring, killed after', { before: inFile(A), after: keyring, replaced: A, choice: keyring, files: [A] }, []],
  ['from the keyring, killed before', { before: keyring, after: inFile(B), replaced: null, choice: undefined, files: [B] }, []],
  ['left behind on purpose', { ...fromAToB, replaced: null, choice: inFile(B), files: [A, B] }, [A, B]],
  ['with a choice that is gone', { ...fromAToB, choice: undefined, files: [A, B] }, [A, B]],
  ['with a choice of a third file', { ...fromAToB, choice: inFile(C), files: [A, B, C] }, [A, B, C]],
  ['with the choice after, whose file is gone', { ...fromAToB, choice: inFile(B), files: [A] }, [A]],
  ['with the choice before, whose file is gone', { ...fromAToB, choice: inFile(A), files: [B] }, [B]],
  [
    'of a choice that could not be read',
    { before: null, after: inFile(B), replaced: null, choice: undefined, files: [A, B] },
    [A, B],
  ],
])('a move %s keeps every file that may be the last copy', async (_name, state, left) => {
  expect(await leftAfter(state)).toEqual(left);
});

it('a record that a newer version wrote is left for it', async () => {
  await writeFile(join(home, 'secret-move.json'), '{"version":2}');
  await finishSecretMove(home);
  expect(await readdir(home)).toEqual(['secret-move.json']);
});

const moveTo = (after: SecretsChoice, before: SecretsChoice, inKeyring: string[]): Promise<void> =>
  beginSecretMove(home, { before, after, made: null, replaced: null, inKeyring });

it.each<[string, SecretsChoice, SecretsChoice, SecretsChoice, readonly string[]]>([
  ['to the keyring that failed', inFile(A), keyring, inFile(A), ['shop/key', 'shop/token']],
  ['from the keyring that ended', keyring, inFile(A), inFile(A), ['shop/key', 'shop/token']],
  ['to the keyring that ended', inFile(A), keyring, keyring, []],
  ['from the keyring that failed', keyring, inFile(A), keyring, []],
])('a move %s deletes copies in a keyring that is not the choice', async (_name, before, after, choice, expected) => {
  await moveTo(after, before, ['shop/key', 'shop/token']);
  await writeSecretPlace(home, choice);
  await writeFile(join(home, A), '{}');
  const deleted: string[] = [];
  await finishSecretMove(home, { delete: async (account) => void deleted.push(account) });
  expect(deleted).toEqual(expected);
  expect(await readdir(home)).not.toContain('secret-move.json');
});

it('copies in a keyring that is locked wait for the next start, and for a call that has the keyring', async () => {
  await moveTo(keyring, inFile(A), ['shop/key']);
  await writeSecretPlace(home, inFile(A));
  await writeFile(join(home, A), '{}');
  await finishSecretMove(home);
  await expect(finishSecretMove(home, { delete: () => Promise.reject(new Error('locked')) })).rejects.toThrow('locked');
  expect(await leftInKeyring(home)).toEqual(['shop/key']);
  const deleted: string[] = [];
  await finishSecretMove(home, { delete: async (account) => void deleted.push(account) });
  expect([deleted, await leftInKeyring(home)]).toEqual([['shop/key'], []]);
});

it('copies in a keyring stay where the file of the choice is gone', async () => {
  await moveTo(keyring, inFile(A), ['shop/key']);
  await writeSecretPlace(home, inFile(A));
  await finishSecretMove(home, { delete: () => Promise.reject(new Error('the last copy')) });
  expect(await leftInKeyring(home)).toEqual(['shop/key']);
});
