import { randomUUID } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { fingerprintOf } from '../../package/keys.ts';
import type { PackageFiles } from '../../package/files.ts';
import { SIGNATURE_FILE } from '../../package/signature.ts';
import { verifyPackageFiles } from '../../package/verify.ts';
import { checkDriver, checkPackage } from '../check/checkDriver.ts';
import { CliError, systemCodeOf } from '../cliError.ts';
import { readPassphrase } from '../keys/passphrase.ts';
import { collectDriver } from '../package/collect.ts';
import { archiveNameOf, packPackage, signPackage } from '../package/packDriver.ts';
import type { PackedDriver } from '../package/packDriver.ts';
import { readArchive } from '../package/readArchive.ts';
import { npmIn } from '../publish/npm.ts';
import { publishArchive } from '../publish/publishArchive.ts';
import { PLAN_OPTION, requirePassed } from './check.ts';
import { defineCommand, FOLDER_OPTION, KEY_OPTIONS } from './command.ts';
import type { CommandContext, OptionValues } from './command.ts';

type KeyChoice = OptionValues<typeof KEY_OPTIONS>;

/** Signs files with the key that was chosen. */
async function signed(
  files: PackageFiles,
  choice: KeyChoice,
  context: CommandContext,
): Promise<{ files: PackageFiles; publisher: string; fingerprint: string }> {
  const { keys, terminal, env } = context;
  const known = await keys.find(choice.key);
  const passphrase = (): Promise<string> =>
    readPassphrase(
      terminal,
      env,
      { env: choice['passphrase-env'], stdin: choice['passphrase-stdin'] },
      `Passphrase of the key "${known.publisher.id}" (typed unseen): `,
    );
  const key = await keys.open(known, passphrase);
  return {
    files: await signPackage(files, known.publisher, key),
    publisher: known.publisher.name,
    fingerprint: fingerprintOf(known.keyId),
  };
}

/** Whole or not at all. */
async function writeArchive(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${file}.${randomUUID()}.part`;
  try {
    await writeFile(temporary, bytes, { flag: 'wx' });
    await rename(temporary, file);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw new CliError(
      'PROJECT_INVALID',
      `The file ${file} cannot be written (${systemCodeOf(cause) ?? 'no reason given'}).`,
      'Choose another with --output.',
      { cause },
    );
  }
}

function factsOf(packed: PackedDriver): Record<string, unknown> {
  const { name, version } = packed.packageJson;
  return { name, version, bytes: packed.tarball.length, integrity: packed.integrity, files: [...packed.files.keys()].sort() };
}

export const pack = defineCommand({
  name: 'pack',
  summary: 'check and sign the driver, and pack it into an archive that any host installs',
  options: {
    ...FOLDER_OPTION,
    output: { type: 'string', value: 'FILE', help: 'the archive (default: NAME-VERSION.tgz in the folder of the driver)' },
    unsigned: { type: 'boolean', help: 'do not sign it; another machine does, with tabularium-driver sign' },
    ...PLAN_OPTION,
    ...KEY_OPTIONS,
  },
  run: async ({ options }, context) => {
    const project = resolve(context.folder, options.folder ?? '.');
    requirePassed(
      await checkDriver(project, { plan: options.plan, env: context.env, signal: context.signal }),
      'Nothing was packed',
    );
    const files = await collectDriver(project);
    const by = options.unsigned ? undefined : await signed(files, options, context);
    const packed = await packPackage(by?.files ?? files);
    const file =
      options.output === undefined ? join(project, archiveNameOf(packed.packageJson)) : resolve(context.folder, options.output);
    await writeArchive(file, packed.tarball);
    const signer = by === undefined ? 'not signed' : `signed by ${by.publisher}, ${by.fingerprint}`;
    return {
      facts: { file, ...factsOf(packed), signed: by !== undefined, ...(by === undefined ? {} : { fingerprint: by.fingerprint }) },
      text: `${file}\n  ${packed.tarball.length} bytes, ${packed.files.size} files, ${signer}`,
    };
  },
});

export const sign = defineCommand({
  name: 'sign',
  summary: 'sign an archive, or replace its signature',
  operands: 'ARCHIVE',
  most: 1,
  options: {
    output: { type: 'string', value: 'FILE', help: 'the signed archive (default: the same file)' },
    ...KEY_OPTIONS,
  },
  run: async ({ operands, options }, context) => {
    const [archive] = operands;
    if (archive === undefined)
      throw new CliError('USAGE', 'There is no archive to sign.', 'Name one that tabularium-driver pack --unsigned made.');
    const source = resolve(context.folder, archive);
    const files = new Map(await readArchive(source));
    files.delete(SIGNATURE_FILE);
    requirePassed(await checkPackage(files, { signal: context.signal }), 'Nothing was signed');
    const by = await signed(files, options, context);
    const packed = await packPackage(by.files);
    const file = options.output === undefined ? source : resolve(context.folder, options.output);
    await writeArchive(file, packed.tarball);
    return {
      facts: { file, ...factsOf(packed), signed: true, fingerprint: by.fingerprint },
      text: `${file}\n  signed by ${by.publisher}, ${by.fingerprint}`,
    };
  },
});

export const publish = defineCommand({
  name: 'publish',
  summary: 'check, sign and pack the driver, and publish it to an npm registry',
  operands: '[ARCHIVE]',
  most: 1,
  takesRest: true,
  options: {
    ...FOLDER_OPTION,
    registry: { type: 'string', value: 'URL', help: 'the registry (default: the one that npm uses for the package)' },
    tag: { type: 'string', value: 'TAG', help: 'the tag (default: latest). Hosts look at versions, not at tags' },
    access: { type: 'string', value: 'public|restricted', help: 'who may read a package with a scope' },
    'dry-run': { type: 'boolean', help: 'do everything but publish' },
    ...PLAN_OPTION,
    ...KEY_OPTIONS,
  },
  run: async ({ operands, options, rest }, context) => {
    const { folder, signal, env, terminal } = context;
    const project = resolve(folder, options.folder ?? '.');
    const { access, registry } = options;
    if (access !== undefined && access !== 'public' && access !== 'restricted')
      throw new CliError('USAGE', `There is no access "${access}".`, 'Use public or restricted.');
    if (registry !== undefined && !z.url({ protocol: /^https?$/ }).safeParse(registry).success)
      throw new CliError(
        'USAGE',
        `"${registry}" isn't the address of a registry.`,
        'Give one such as https://registry.npmjs.org/.',
      );
    const [archive] = operands;
    const packed =
      archive === undefined
        ? await packedProject(project, options, context)
        : await packedArchive(resolve(folder, archive), context);
    const temporary = await mkdtemp(join(tmpdir(), 'tabularium-publish-'));
    try {
      const file = join(temporary, archiveNameOf(packed.packageJson));
      await writeFile(file, packed.tarball);
      const { name, version } = packed.packageJson;
      context.say(`Asking the registry whether it has ${name} ${version}.`);
      const npm = npmIn(project, { env, terminal, signal });
      await publishArchive(
        npm,
        { name, version, file },
        { registry, tag: options.tag, access, dryRun: options['dry-run'], npmOptions: rest },
      );
      const done = options['dry-run'] ? 'Nothing was published: a dry run.' : `Published ${name} ${version}.`;
      return {
        facts: {
          ...factsOf(packed),
          archive: basename(file),
          published: !options['dry-run'],
          ...(registry === undefined ? {} : { registry }),
        },
        text: done,
      };
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  },
});

async function packedProject(
  project: string,
  options: KeyChoice & { readonly plan: string | undefined },
  context: CommandContext,
): Promise<PackedDriver> {
  requirePassed(
    await checkDriver(project, { plan: options.plan, env: context.env, signal: context.signal }),
    'Nothing was published',
  );
  context.say('Checked: nothing is wrong.');
  const by = await signed(await collectDriver(project), options, context);
  context.say(`Signed by ${by.publisher}, ${by.fingerprint}.`);
  return packPackage(by.files);
}

/** An archive goes out as it is, so that it has to be signed. */
async function packedArchive(file: string, { signal }: CommandContext): Promise<PackedDriver> {
  const files = await readArchive(file);
  requirePassed(await checkPackage(files, { signal }), 'Nothing was published');
  const verified = await verifyPackageFiles(files);
  if (!verified.ok)
    throw new CliError(
      'ARCHIVE_INVALID',
      `${file} is not rightly signed: ${verified.message}`,
      'Sign it: tabularium-driver sign ARCHIVE.',
    );
  return packPackage(files);
}
