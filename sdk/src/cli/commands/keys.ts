import { resolve } from 'node:path';
import { fingerprintOf } from '../../package/keys.ts';
import { publisherIdSchema, publisherNameSchema } from '../../package/signature.ts';
import { CliError } from '../cliError.ts';
import type { KnownKey } from '../keys/keyStore.ts';
import { readNewPassphrase } from '../keys/passphrase.ts';
import { writeNamedFile } from '../package/writeNamedFile.ts';
import { defineCommand, KEY_OPTIONS } from './command.ts';

const { key: _key, ...PASSPHRASE_OPTIONS } = KEY_OPTIONS;

interface PublicKey {
  readonly id: string;
  readonly name: string;
  readonly fingerprint: string;
  readonly publicKey: string;
  readonly createdAt: string;
  readonly keptIn: 'file' | 'system';
  readonly file: string;
}

/** The public part of a key, the fingerprint as the host shows it to those who are asked to trust it. */
function publicOf({ publisher, keyId, publicKey, createdAt, keptIn, file }: KnownKey): PublicKey {
  return { ...publisher, fingerprint: fingerprintOf(keyId), publicKey, createdAt, keptIn, file };
}

function textOf({ id, name, fingerprint, keptIn, file }: PublicKey): string {
  const where = keptIn === 'file' ? `encrypted in ${file}` : "in the operating system's store";
  return `${id}  ${name}\n  fingerprint  ${fingerprint}\n  kept         ${where}`;
}

function idOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|(?<!-)-+$/g, '')
    .slice(0, 100);
}

export const createKey = defineCommand({
  name: 'keys create',
  summary: 'make the key that your drivers are signed with',
  options: {
    name: { type: 'string', value: 'NAME', help: 'your name, or that of your company, as people are to see it' },
    id: { type: 'string', value: 'ID', help: 'lower-case letters, digits, hyphens and dots (default: made of the name)' },
    keep: {
      type: 'string',
      value: 'file|system',
      help: "in a file with a passphrase (default), or in the operating system's store",
    },
    ...PASSPHRASE_OPTIONS,
  },
  run: async ({ options }, { terminal, env, keys }) => {
    const name = publisherNameSchema.safeParse(options.name ?? '');
    if (!name.success)
      throw new CliError('USAGE', 'The key needs the name of its owner, of 1 to 100 characters.', 'Give it with --name.');
    const id = publisherIdSchema.safeParse(options.id ?? idOf(name.data));
    if (!id.success)
      throw new CliError('USAGE', 'The id of a key has lower-case letters, digits, hyphens and dots.', 'Give one with --id.');
    const storage = options.keep ?? 'file';
    if (storage !== 'file' && storage !== 'system')
      throw new CliError('USAGE', `A key is not kept in "${storage}".`, 'Use --keep file or --keep system.');
    const known = await keys.create({ id: id.data, name: name.data }, storage, () =>
      readNewPassphrase(terminal, env, { env: options['passphrase-env'], stdin: options['passphrase-stdin'] }),
    );
    const facts = publicOf(known);
    const advice =
      'People who install your driver are shown this fingerprint: publish it where they can compare it.\n' +
      'Keep a copy of the key (tabularium-driver keys export). Without it you cannot publish under this name again.';
    return { facts: { ...facts }, text: `${textOf(facts)}\n\n${advice}` };
  },
});

export const listKeys = defineCommand({
  name: 'keys list',
  summary: 'list the keys on this machine',
  options: {},
  run: async (_input, { keys }) => {
    const found = (await keys.list()).map(publicOf);
    const none = `There is no key in ${keys.folder}. Make one: tabularium-driver keys create.`;
    return { facts: { folder: keys.folder, keys: found }, text: found.length === 0 ? none : found.map(textOf).join('\n') };
  },
});

export const showKey = defineCommand({
  name: 'keys show',
  summary: 'show the fingerprint and the public part of a key',
  operands: '[ID|FILE]',
  most: 1,
  options: {},
  run: async ({ operands }, { keys }) => {
    const facts = publicOf(await keys.find(operands[0]));
    return { facts: { ...facts }, text: `${textOf(facts)}\n  public key   ${facts.publicKey}` };
  },
});

export const exportKey = defineCommand({
  name: 'keys export',
  summary: 'write a key into a file: encrypted, for a copy or another machine; or its public part',
  operands: '[ID|FILE]',
  most: 1,
  options: {
    output: { type: 'string', value: 'FILE', help: 'where to write it' },
    public: { type: 'boolean', help: 'the public part alone, as JSON' },
    overwrite: { type: 'boolean', help: 'with --public: replace the file where it exists. A key is never overwritten' },
    ...PASSPHRASE_OPTIONS,
  },
  run: async ({ operands, options }, { terminal, env, keys, folder }) => {
    if (options.output === undefined)
      throw new CliError('USAGE', 'There is no file to write the key to.', 'Name one with --output.');
    if (options.overwrite && !options.public)
      throw new CliError('USAGE', '--overwrite is for the public part alone: a key is never overwritten.', 'Name another file.');
    const key = await keys.find(operands[0]);
    const file = resolve(folder, options.output);
    const { id, name, fingerprint, publicKey } = publicOf(key);
    if (options.public) {
      await writeNamedFile(file, `${JSON.stringify({ id, name, fingerprint, publicKey }, null, 2)}\n`, {
        overwrite: options.overwrite,
      });
    } else {
      await keys.export(key, file, () =>
        readNewPassphrase(terminal, env, { env: options['passphrase-env'], stdin: options['passphrase-stdin'] }),
      );
    }
    return {
      facts: { id, fingerprint, file, public: options.public },
      text: `${file}: ${options.public ? 'the public part' : 'encrypted'}`,
    };
  },
});
