import { z } from 'zod';
import { CliError } from '../cliError.ts';
import type { Npm } from './npm.ts';

export interface PublishOptions {
  readonly registry: string | undefined;
  readonly tag: string | undefined;
  readonly access: 'public' | 'restricted' | undefined;
  readonly dryRun: boolean;
  /** Handed to npm as they are. */
  readonly npmOptions: readonly string[];
}

/** An archive and the package in it. */
export interface ArchiveToPublish {
  readonly name: string;
  readonly version: string;
  readonly file: string;
  /** `sha512-…` of the archive. */
  readonly integrity: string;
}

/**
 * Publishes a driver: its platform packages first and its own last, so that no host sees a driver whose parts are missing. A platform package that the
 * registry has already, from a run that broke off, is left as it is.
 *
 * @throws CliError `VERSION_EXISTS`, `VERSION_NOT_NEWER`, `PUBLISH_FAILED`
 */
export async function publishAll(
  npm: Npm,
  release: { readonly main: ArchiveToPublish; readonly platforms: readonly ArchiveToPublish[] },
  options: PublishOptions,
): Promise<void> {
  // Before anything is published.
  if (release.platforms.length > 0) await refusePublished(npm, release.main, options);
  for (const archive of release.platforms)
    if (!(await isPublished(npm, archive, options))) await publishArchive(npm, archive, options);
  await publishArchive(npm, release.main, options);
}

/** Whether the registry has exactly this archive. */
async function isPublished(
  npm: Npm,
  { name, version, integrity }: ArchiveToPublish,
  { registry }: PublishOptions,
): Promise<boolean> {
  const address = registry === undefined ? [] : ['--registry', registry];
  const { code, stdout } = await npm.ask(['view', `${name}@${version}`, 'dist.integrity', '--json', ...address, ...IMPATIENT]);
  if (code !== 0) return false;
  try {
    return JSON.parse(stdout) === integrity;
  } catch {
    return false;
  }
}

/**
 * Publishes an archive.
 *
 * @throws CliError `VERSION_EXISTS`, `VERSION_NOT_NEWER`, `PUBLISH_FAILED`
 */
export async function publishArchive(
  npm: Npm,
  packed: { readonly name: string; readonly version: string; readonly file: string },
  options: PublishOptions,
): Promise<void> {
  const registry = options.registry === undefined ? [] : ['--registry', options.registry];
  await refusePublished(npm, packed, options);
  const args = [
    'publish',
    packed.file,
    ...registry,
    ...(options.tag === undefined ? [] : ['--tag', options.tag]),
    ...(options.access === undefined ? [] : ['--access', options.access]),
    ...(options.dryRun ? ['--dry-run'] : []),
    // No script of the project runs automatically.
    '--ignore-scripts',
    ...options.npmOptions,
  ];
  const code = await npm.run(args);
  if (code === 0) return;
  throw new CliError(
    'PUBLISH_FAILED',
    `npm did not publish ${packed.name}@${packed.version} (exit code ${code}); its own words are above.`,
    'If they speak of rights, log in to the registry (npm login --registry URL), and look whether the name and the scope are yours.',
  );
}

/** npm's own patience is over a minute, in silence. */
const IMPATIENT = ['--fetch-retries', '1', '--fetch-retry-mintimeout', '1000', '--fetch-retry-maxtimeout', '1000'];

/** A version that is published is settled: the same number with other content would be refused, or worse, taken. */
async function refusePublished(
  npm: Npm,
  { name, version }: { readonly name: string; readonly version: string },
  { registry, tag, npmOptions }: PublishOptions,
): Promise<void> {
  const address = registry === undefined ? [] : ['--registry', registry];
  const { code, stdout, stderr } = await npm.ask(['view', name, 'versions', '--json', ...address, ...IMPATIENT]);
  if (code !== 0) {
    if (/\bE404\b/.test(stdout + stderr)) return;
    throw unreachable(stderr, `${name} ${version}`, registry);
  }
  const versions = versionsIn(stdout);
  if (versions.includes(version)) {
    throw new CliError(
      'VERSION_EXISTS',
      `The registry has ${name} ${version} already, and a published version cannot be changed.`,
      'Raise "version" in package.json (npm version patch --no-git-tag-version), and publish again.',
    );
  }
  // npm refuses to move the tag "latest" back, unless a tag is named.
  const isTagged = tag !== undefined || npmOptions.some((word) => /^--tag(?:=|$)/.test(word));
  const newer = isTagged ? undefined : versions.filter((one) => isNewer(one, version)).reduce(newest, undefined);
  if (newer === undefined) return;
  throw new CliError(
    'VERSION_NOT_NEWER',
    `The registry has ${name} ${newer} already, which is newer than ${version}.`,
    `Raise "version" in package.json above ${newer}, or name a tag for an older line, such as --tag previous. Hosts take the newest version, whatever its tag.`,
  );
}

const versionsSchema = z.union([z.array(z.string()), z.string().transform((one) => [one])]);

/** @returns none where npm has printed nothing that can be read */
function versionsIn(text: string): readonly string[] {
  try {
    return versionsSchema.parse(JSON.parse(text));
  } catch {
    return [];
  }
}

/** Whether a release comes after a version. Pre-releases come after none: npm does not look at them either. */
function isNewer(release: string, version: string): boolean {
  const parts = /^(\d+)\.(\d+)\.(\d+)(?:\+.*)?$/.exec(release)?.slice(1, 4).map(Number);
  const others = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1, 4).map(Number);
  if (parts === undefined || others === undefined) return false;
  const differing = parts.findIndex((part, index) => part !== others[index]);
  if (differing === -1) return /^\d+\.\d+\.\d+-/.test(version);
  return (parts[differing] ?? 0) > (others[differing] ?? 0);
}

function newest(found: string | undefined, one: string): string {
  return found === undefined || isNewer(one, found) ? one : found;
}

function unreachable(stderr: string, what: string, registry: string | undefined): CliError {
  const lines = stderr.split(/\r?\n/).flatMap((line) => /^npm (?:error|ERR!) (.+)$/.exec(line)?.[1] ?? []);
  const code = lines.flatMap((line) => /^code (\S+)$/.exec(line)?.[1] ?? [])[0];
  const why =
    lines.find((line) => /request to|reason:/.test(line)) ?? lines.find((line) => !/^(?:code|syscall|errno) /.test(line));
  const place = registry === undefined ? 'The registry' : `The registry ${withoutUser(registry)}`;
  return new CliError(
    'PUBLISH_FAILED',
    `${place} could not be asked whether it has ${what}${code === undefined ? '' : ` (${code})`}. ${(why ?? '').replace(/^FetchError: /, '')}`.trim(),
    'Look whether the address is right, the registry runs, and you are logged in.',
  );
}

/** An address as it may be shown. */
function withoutUser(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}
