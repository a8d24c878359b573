import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { fingerprintOf } from '../../package/keys.ts';
import { integrityOf, PACKAGE_LIMITS } from '../../package/files.ts';
import type { PackageFiles } from '../../package/files.ts';
import { isPlatformPackageJson, PLATFORM_LIMITS } from '../../package/platforms.ts';
import { SIGNATURE_FILE } from '../../package/signature.ts';
import { verifyPackageHashes } from '../../package/verify.ts';
import { checkDriver, checkPackage, checkPlatformPackage } from '../check/checkDriver.ts';
import { CliError } from '../cliError.ts';
import { readPassphrase } from '../keys/passphrase.ts';
import { collectDriver } from '../package/collect.ts';
import { collectPlatforms } from '../package/collectPlatforms.ts';
import { archiveNameOf, packPackage, signPackage } from '../package/packDriver.ts';
import type { PackedDriver } from '../package/packDriver.ts';
import { readArchive } from '../package/readArchive.ts';
import { readPlatformArchives } from '../package/readPlatformArchives.ts';
import { assertWritable, writeNamedFile } from '../package/writeNamedFile.ts';
import { npmIn } from '../publish/npm.ts';
import { publishAll } from '../publish/publishArchive.ts';
import type { ArchiveToPublish } from '../publish/publishArchive.ts';
import { PLAN_OPTION, requirePassed } from './check.ts';
import { defineCommand, FOLDER_OPTION, KEY_OPTIONS } from './command.ts';
import type { CommandContext, OptionValues } from './command.ts';

type KeyChoice = OptionValues<typeof KEY_OPTIONS>;

/** A key that was chosen and opened. The passphrase is asked for once, however many packages it signs. */
interface Signer {
  readonly publisher: string;
  readonly fingerprint: string;
  sign(files: PackageFiles): Promise<PackageFiles>;
}

async function signerOf(choice: KeyChoice, context: CommandContext): Promise<Signer> {
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
    sign: (files) => signPackage(files, known.publisher, key),
    publisher: known.publisher.name,
    fingerprint: fingerprintOf(known.keyId),
  };
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
    overwrite: { type: 'boolean', help: 'replace the file of --output, and the archives beside it, where they exist' },
    unsigned: { type: 'boolean', help: 'do not sign it; another machine does, with tabularium-driver sign' },
    ...PLAN_OPTION,
    ...KEY_OPTIONS,
  },
  run: async ({ options }, context) => {
    const project = resolve(context.folder, options.folder ?? '.');
    // The archives of an earlier run have names of their own, which nothing else has.
    const choice = { overwrite: options.overwrite || options.output === undefined };
    const chosen = options.output === undefined ? undefined : resolve(context.folder, options.output);
    if (chosen !== undefined) await assertWritable(chosen, choice);
    requirePassed(
      await checkDriver(project, { plan: options.plan, env: context.env, signal: context.signal }),
      'Nothing was packed',
    );
    const files = await collectDriver(project);
    const platforms = await collectPlatforms(project, files);
    const by = options.unsigned ? undefined : await signerOf(options, context);
    const made = async (content: PackageFiles): Promise<PackedDriver> => packPackage((await by?.sign(content)) ?? content);
    const packed = await made(files);
    const file = chosen ?? join(project, archiveNameOf(packed.packageJson));
    const parts: {
      readonly platform: string;
      readonly file: string;
      readonly tarball: Uint8Array;
      readonly facts: Record<string, unknown>;
    }[] = [];
    for (const [platform, content] of platforms) {
      const { tarball, ...part } = await made(content);
      const place = join(dirname(file), archiveNameOf(part.packageJson));
      parts.push({ platform, file: place, tarball, facts: factsOf({ tarball, ...part }) });
    }
    for (const place of [file, ...parts.map((part) => part.file)]) await assertWritable(place, choice);
    // The driver's own archive comes last, so that it is never there without the others.
    for (const part of parts) await writeNamedFile(part.file, part.tarball, choice);
    await writeNamedFile(file, packed.tarball, choice);
    const signer = by === undefined ? 'not signed' : `signed by ${by.publisher}, ${by.fingerprint}`;
    return {
      facts: {
        file,
        ...factsOf(packed),
        signed: by !== undefined,
        ...(by === undefined ? {} : { fingerprint: by.fingerprint }),
        ...(parts.length === 0
          ? {}
          : { platforms: parts.map((part) => ({ platform: part.platform, file: part.file, ...part.facts })) }),
      },
      text: [
        `${file}\n  ${packed.tarball.length} bytes, ${packed.files.size} files, ${signer}`,
        ...parts.map((part) => `${part.file}\n  for ${part.platform}, ${String(part.facts['bytes'])} bytes`),
      ].join('\n'),
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
    overwrite: { type: 'boolean', help: 'replace the file of --output where it exists' },
    ...KEY_OPTIONS,
  },
  run: async ({ operands, options }, context) => {
    const [archive] = operands;
    if (archive === undefined)
      throw new CliError('USAGE', 'There is no archive to sign.', 'Name one that tabularium-driver pack --unsigned made.');
    const source = resolve(context.folder, archive);
    const file = options.output === undefined ? source : resolve(context.folder, options.output);
    const choice = { overwrite: options.overwrite || options.output === undefined };
    await assertWritable(file, choice);
    const files = new Map(await readArchive(source));
    files.delete(SIGNATURE_FILE);
    const checks = isPlatformPackage(files)
      ? await checkPlatformPackage(files)
      : await checkPackage(files, { signal: context.signal });
    requirePassed(checks, 'Nothing was signed');
    const by = await signerOf(options, context);
    const packed = await packPackage(await by.sign(files));
    await writeNamedFile(file, packed.tarball, choice);
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
    const { main: packed, platforms } =
      archive === undefined
        ? await packedProject(project, options, context)
        : await packedArchive(resolve(folder, archive), context);
    const temporary = await mkdtemp(join(tmpdir(), 'tabularium-publish-'));
    try {
      const written = async ({ packageJson, tarball, integrity }: PackedDriver): Promise<ArchiveToPublish> => {
        const place = join(temporary, archiveNameOf(packageJson));
        await writeFile(place, tarball);
        return { name: packageJson.name, version: packageJson.version, file: place, integrity };
      };
      const main = await written(packed);
      const { name, version, file } = main;
      context.say(`Asking the registry whether it has ${name} ${version}.`);
      const npm = npmIn(project, { env, terminal, signal });
      await publishAll(
        npm,
        { main, platforms: await Promise.all(platforms.map(written)) },
        { registry, tag: options.tag, access, dryRun: options['dry-run'], npmOptions: rest },
      );
      const done = options['dry-run'] ? 'Nothing was published: a dry run.' : `Published ${name} ${version}.`;
      return {
        facts: {
          ...factsOf(packed),
          archive: basename(file),
          published: !options['dry-run'],
          ...(platforms.length === 0 ? {} : { platforms: platforms.map(factsOf) }),
          ...(registry === undefined ? {} : { registry }),
        },
        text: done,
      };
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  },
});

/** A driver's own package, and its platform packages. */
interface Release {
  readonly main: PackedDriver;
  readonly platforms: readonly PackedDriver[];
}

async function packedProject(
  project: string,
  options: KeyChoice & { readonly plan: string | undefined },
  context: CommandContext,
): Promise<Release> {
  requirePassed(
    await checkDriver(project, { plan: options.plan, env: context.env, signal: context.signal }),
    'Nothing was published',
  );
  context.say('Checked: nothing is wrong.');
  const files = await collectDriver(project);
  const platforms = await collectPlatforms(project, files);
  const by = await signerOf(options, context);
  const main = await packPackage(await by.sign(files));
  const packed: PackedDriver[] = [];
  for (const content of platforms.values()) packed.push(await packPackage(await by.sign(content)));
  context.say(`Signed by ${by.publisher}, ${by.fingerprint}.`);
  return { main, platforms: packed };
}

/** Archives go out as they are, so that they have to be signed, all of them by one key. */
async function packedArchive(file: string, { signal }: CommandContext): Promise<Release> {
  const files = await readArchive(file);
  if (isPlatformPackage(files))
    throw new CliError(
      'ARCHIVE_INVALID',
      `${file} is a platform package.`,
      'Name the archive of the driver itself: the platform packages beside it are published with it, and before it.',
    );
  const platforms = await readPlatformArchives(file, files);
  requirePassed(await checkPackage(files, { platforms, signal }), 'Nothing was published');
  const key = await signerIn(files, file);
  for (const [platform, content] of platforms)
    if ((await signerIn(content, `The package for ${platform}`)) !== key)
      throw new CliError(
        'ARCHIVE_INVALID',
        `The package for ${platform} is signed by another key than ${file}, so no host would install it.`,
        'Sign all of them with one key: tabularium-driver sign ARCHIVE.',
      );
  return { main: await packPackage(files), platforms: await Promise.all([...platforms.values()].map(packPackage)) };
}

/** The id of the key that signed a package. @throws CliError `ARCHIVE_INVALID` */
async function signerIn(files: PackageFiles, place: string): Promise<string> {
  const content = new Map([...files].filter(([path]) => path !== SIGNATURE_FILE));
  const hashes = await Promise.all(
    Array.from(content, async ([path, bytes]) => [path, { bytes: bytes.length, integrity: await integrityOf(bytes) }] as const),
  );
  const limits = isPlatformPackage(files) ? PLATFORM_LIMITS : PACKAGE_LIMITS;
  const verified = await verifyPackageHashes(files.get(SIGNATURE_FILE), new Map(hashes), { limits });
  if (verified.ok) return verified.signature.keyId;
  throw new CliError(
    'ARCHIVE_INVALID',
    `${place} is not rightly signed: ${verified.message}`,
    'Sign it: tabularium-driver sign ARCHIVE.',
  );
}

function isPlatformPackage(files: PackageFiles): boolean {
  return isPlatformPackageJson(JSON.parse(new TextDecoder().decode(files.get('package.json'))));
}
