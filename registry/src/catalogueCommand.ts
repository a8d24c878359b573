import { constants } from 'node:fs';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readArchive } from '@tabularium/sdk/cli';
import { integrityOf } from '@tabularium/sdk/package';
import { createCatalogueKeys, loadCatalogueKeys, writeCatalogueKeys } from './catalogue/catalogueKeys.ts';
import { SignedCatalogue } from './catalogue/signedCatalogue.ts';

const usage = `Usage: npm run catalogue -- COMMAND --keys FILE --folder DIR [options]

Signs the catalogue of a driver registry. Serve DIR as it is at -/tabularium/catalogue/ below the registry's address.
  sign ARCHIVE…                       list these archives (.tgz), beside those that are listed already
  refresh                             sign again what has passed half of its lifetime; run it every hour
  revoke NAME@VERSION --reason TEXT   take a version out of use on every host
  revoke-key KEYID --reason TEXT      take all that a publisher's key signed out of use
  restore NAME@VERSION | KEYID        undo a revocation
  rotate                              replace all keys; the old key file is kept beside the new one as FILE.old
  fingerprint                         print what people compare when they add the registry
Keys and catalogue are made by the first command.`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      keys: { type: 'string' },
      folder: { type: 'string' },
      reason: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const [command, ...words] = positionals;
  if (values.help || command === undefined || values.keys === undefined || values.folder === undefined) throw new Error(usage);
  const keyFile = values.keys;
  await mkdir(values.folder, { recursive: true });
  const catalogue = await SignedCatalogue.open({ folder: values.folder, keys: await loadCatalogueKeys(keyFile) });
  const { reason } = values;
  const [subject = ''] = words;
  const version = (): { package: string; version: string; reason: string } => {
    const [, name, number] = /^(.+)@([^@]+)$/.exec(subject) ?? [];
    if (name === undefined || number === undefined) throw new Error(`"${subject}" is not NAME@VERSION.`);
    return { package: name, version: number, reason: reason ?? '' };
  };
  switch (command) {
    case 'sign': {
      const archives = await Promise.all(
        words.map(async (file) => {
          // It opens no pipe and no device, which may never end.
          const { name, version: number } = await packageOf(file);
          const bytes = new Uint8Array(await readFile(file));
          return { packageName: name, version: number, integrity: await integrityOf(bytes), length: bytes.length };
        }),
      );
      await catalogue.add(archives);
      break;
    }
    case 'refresh':
      // Opening has done it.
      break;
    case 'revoke':
      if (reason === undefined) throw new Error('Say why with --reason; people read it.');
      await catalogue.revoke({ versions: [version()] });
      break;
    case 'revoke-key':
      if (reason === undefined) throw new Error('Say why with --reason; people read it.');
      await catalogue.revoke({ keys: [{ keyId: subject, reason }] });
      break;
    case 'restore':
      await catalogue.revoke(
        subject.includes('@') ? { versions: [version()] } : { keys: [{ keyId: subject, reason: '' }] },
        true,
      );
      break;
    case 'rotate': {
      const keys = await createCatalogueKeys();
      // Keys that were replaced before are the only copy.
      await copyFile(keyFile, `${keyFile}.old`, constants.COPYFILE_EXCL).catch((cause: unknown) => {
        throw new Error(`${keyFile}.old can't be written, so nothing was rotated. Move the keys of before elsewhere.`, { cause });
      });
      await catalogue.rotate(keys);
      await writeCatalogueKeys(keyFile, keys);
      break;
    }
    case 'fingerprint':
      break;
    default:
      throw new Error(usage);
  }
  process.stdout.write(`${JSON.stringify({ folder: join(values.folder), fingerprint: catalogue.fingerprint })}\n`);
}

/** Name and version of an archive, from its own package.json. */
async function packageOf(file: string): Promise<{ readonly name: string; readonly version: string }> {
  const files = await readArchive(file);
  const read: unknown = JSON.parse(new TextDecoder().decode(files.get('package.json')));
  if (typeof read === 'object' && read !== null && 'name' in read && 'version' in read)
    return { name: String(read.name), version: String(read.version) };
  throw new Error(`${file} is not a driver package.`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
