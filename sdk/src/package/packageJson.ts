import { z } from 'zod';
import { hiddenCharacter } from '../model/visibleText.ts';
import { issueSentence } from '../issueText.ts';
import { parseManifest } from '../manifest.ts';
import type { Manifest, ManifestResult } from '../manifest.ts';
import { faultOfPath } from './files.ts';
import { isPlatformPackageJson, platformPackageName, readPlatformPackageJson } from './platforms.ts';

/** The word by which registries find drivers. */
export const DRIVER_KEYWORD = 'tabularium-driver';

/** Scripts that npm would run automatically. A package that declares one of them is rejected, although the host never runs any. */
export const LIFECYCLE_SCRIPTS = [
  'preinstall',
  'install',
  'postinstall',
  'preuninstall',
  'uninstall',
  'postuninstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
  'prepack',
  'postpack',
  'prepublishOnly',
  'publish',
  'postpublish',
  'dependencies',
] as const;

/** Fields that make npm install more than the package. */
const DEPENDENCY_FIELDS = [
  'dependencies',
  'optionalDependencies',
  'peerDependencies',
  'bundleDependencies',
  'bundledDependencies',
] as const;

/** npm's own limit. */
const MOST_NAME_CHARACTERS = 214;

const entrySchema = z.union([z.string(), z.record(z.string(), z.unknown())]);
const packageJsonSchema = z.looseObject({
  name: z
    .string()
    .regex(
      /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/,
      'Use a name of lower-case letters, digits, hyphens, dots and _, such as @acme/tabularium-driver-shop.',
    )
    .max(MOST_NAME_CHARACTERS),
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/, 'Use an exact version such as 1.2.3.')
    .max(100),
  description: z
    .string()
    .max(1_000)
    .refine((text) => hiddenCharacter(text, 'data') === undefined, 'The text holds a character that people cannot see.')
    .optional(),
  main: z.string().optional(),
  exports: entrySchema.optional(),
  scripts: z.record(z.string(), z.unknown()).optional(),
  tabularium: z.unknown().optional(),
});

/** A driver's package.json, checked. */
export interface DriverPackageJson {
  readonly name: string;
  readonly version: string;
  readonly description: string | undefined;
  /** The file that exports `driver`, relative to the package. */
  readonly entry: string;
  readonly manifest: Manifest;
}

/** A package.json, or the sentences that say why it isn't a driver's. */
export type PackageJsonResult =
  | { readonly ok: true; readonly packageJson: DriverPackageJson }
  | { readonly ok: false; readonly newer: boolean; readonly problems: readonly string[] };

/** `exports["."]`, the conditions Node would take for an import, else `main`. */
function entryOf(exports: unknown, main: string | undefined): string | undefined {
  let target = exports;
  // "." and the conditions may be nested; a real package needs two or three levels.
  for (let depth = 0; depth < 5 && typeof target === 'object' && target !== null; depth++) {
    const fields = new Map(Object.entries(target));
    target = fields.get('.') ?? fields.get('node') ?? fields.get('import') ?? fields.get('default');
  }
  const path = typeof target === 'string' ? target : exports === undefined ? main : undefined;
  return path?.replace(/^\.\//, '');
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === false || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  );
}

/** A person has taken the archive beside the right one. */
function platformProblem(value: unknown): string {
  const read = readPlatformPackageJson(value);
  const { driver, platform } = read.ok ? read.packageJson : { driver: 'a driver', platform: 'one platform' };
  return `The package has the native files of ${driver} for ${platform}, and not the driver itself.`;
}

/**
 * Reads a driver's package.json. Never throws. A driver is self-contained and does nothing when it is installed: dependencies and
 * lifecycle scripts are refused.
 *
 * @param value - the parsed file
 * @param readManifest - for a caller that has read the same manifest before; {@link parseManifest} by default
 */
export function parseDriverPackageJson(
  value: unknown,
  readManifest: (manifest: unknown) => ManifestResult = parseManifest,
): PackageJsonResult {
  if (isPlatformPackageJson(value)) return { ok: false, newer: false, problems: [platformProblem(value)] };
  const parsed = packageJsonSchema.safeParse(value);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `package.json, ${issueSentence(issue, 'the whole file')}`);
    return { ok: false, newer: false, problems };
  }
  const { name, version, description, exports, main, scripts } = parsed.data;
  if (parsed.data.tabularium === undefined) {
    return { ok: false, newer: false, problems: ['package.json has no "tabularium" field, so this isn\'t a driver.'] };
  }
  const manifest = readManifest(parsed.data.tabularium);
  if (!manifest.ok) return manifest;

  const problems: string[] = [];
  for (const field of DEPENDENCY_FIELDS) {
    if (!isEmpty(parsed.data[field])) problems.push(`package.json has "${field}"; a driver is bundled and has none.`);
  }
  for (const script of LIFECYCLE_SCRIPTS) {
    if (scripts?.[script] !== undefined)
      problems.push(`package.json has the lifecycle script "${script}"; a driver runs nothing when installed.`);
  }
  if (parsed.data['gypfile'] === true) problems.push('package.json has "gypfile"; a driver builds nothing when installed.');
  for (const platform of manifest.manifest.platforms ?? [])
    if (platformPackageName(name, platform).length > MOST_NAME_CHARACTERS)
      problems.push(
        `package.json has a "name" that is too long for its platform packages: "${platformPackageName(name, platform)}".`,
      );
  const entry = entryOf(exports, main);
  if (entry === undefined) problems.push('package.json names no entry: add "exports": "./dist/index.js".');
  else if (faultOfPath(entry) !== undefined)
    problems.push(`package.json names ${JSON.stringify(entry.slice(0, 200))} as its entry, which isn't a file of the package.`);
  if (entry === undefined || problems.length > 0) return { ok: false, newer: false, problems };
  return { ok: true, packageJson: { name, version, description, entry, manifest: manifest.manifest } };
}

/** As {@link parseDriverPackageJson}, for the file's bytes. */
export function readDriverPackageJson(
  bytes: Uint8Array,
  readManifest?: (manifest: unknown) => ManifestResult,
): PackageJsonResult {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return { ok: false, newer: false, problems: ['package.json is not JSON.'] };
  }
  return parseDriverPackageJson(value, readManifest);
}
