import { z } from 'zod';
import { issueSentence } from '../issueText.ts';
import { faultOfPath } from './files.ts';

/** Node's own names: `process.platform` and `process.arch`, and the C library where it is musl. */
const PLATFORM =
  /^(?:(?:aix|darwin|freebsd|linux|openbsd|sunos|win32)-(?:arm|arm64|ia32|loong64|ppc64|riscv64|s390x|x64)|linux-(?:arm|arm64|ia32|loong64|ppc64|riscv64|s390x|x64)-musl)$/;

/** A platform such as `linux-x64`, `linux-x64-musl`, `darwin-arm64` or `win32-x64`. */
export const platformSchema = z
  .string()
  .regex(
    PLATFORM,
    'Use a platform such as "linux-x64", "linux-x64-musl", "darwin-arm64" or "win32-x64": the names of process.platform and process.arch.',
  );

/** Where the files of the platform are in an installed driver, whatever the platform: `new URL('../platform/x.node', import.meta.url)`. */
export const PLATFORM_FOLDER = 'platform';

/** Where an author keeps them: a folder for each platform, beside package.json. */
export const PLATFORMS_FOLDER = 'platforms';

/** The limits of a platform package. Native libraries are large; the package with the driver's own code keeps its smaller limits. */
export const PLATFORM_LIMITS = {
  files: 64,
  /** Bytes of one file, unpacked. */
  fileBytes: 128 * 1024 * 1024,
  /** Bytes of all files together, unpacked. */
  totalBytes: 256 * 1024 * 1024,
  /** Bytes of the archive as it is downloaded. */
  archiveBytes: 128 * 1024 * 1024,
} as const;

/**
 * The name of this platform.
 *
 * @param system - `process.platform`
 * @param processor - `process.arch`
 * @param glibcVersion - `process.report.getReport().header.glibcVersionRuntime`, which is undefined where the C library is musl
 */
export function platformOf(system: string, processor: string, glibcVersion: string | undefined): string {
  return `${system}-${processor}${system === 'linux' && glibcVersion === undefined ? '-musl' : ''}`;
}

/** The package with the files of one platform. */
export function platformPackageName(packageName: string, platform: string): string {
  return `${packageName}-${platform}`;
}

/** The fields by which npm recognises a platform. */
export interface PlatformConstraints {
  readonly os: readonly string[];
  readonly cpu: readonly string[];
  readonly libc?: readonly string[];
}

/** The fields by which npm recognises a platform. @param platform - such as `linux-x64` */
export function platformConstraints(platform: string): PlatformConstraints {
  const [system = '', processor = '', library = 'glibc'] = platform.split('-');
  return { os: [system], cpu: [processor], ...(system === 'linux' ? { libc: [library] } : {}) };
}

const MOST_PACKAGE_JSON_BYTES = 64 * 1024;

const platformPackageJsonSchema = z.looseObject({
  name: z.string().max(214),
  version: z.string().max(100),
  os: z.array(z.string().max(20)).max(1),
  cpu: z.array(z.string().max(20)).max(1),
  libc: z.array(z.string().max(20)).max(1).optional(),
  tabulariumPlatform: z.strictObject({ driver: z.string().max(214), platform: platformSchema }),
});

/** The package.json of a platform package, checked. */
export interface PlatformPackageJson {
  readonly name: string;
  readonly version: string;
  /** The package with the driver's code. */
  readonly driver: string;
  readonly platform: string;
}

/** A platform package.json that was read, or its problem. */
export type PlatformPackageJsonResult =
  { readonly ok: true; readonly packageJson: PlatformPackageJson } | { readonly ok: false; readonly problem: string };

/** Whether a package.json is that of a platform package. */
export function isPlatformPackageJson(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'tabulariumPlatform' in value;
}

/** Reads the package.json of a platform package, from its bytes or parsed. Never throws. */
export function readPlatformPackageJson(source: unknown): PlatformPackageJsonResult {
  const refused = (problem: string): PlatformPackageJsonResult => ({ ok: false, problem });
  let value = source;
  if (source instanceof Uint8Array) {
    if (source.length > MOST_PACKAGE_JSON_BYTES) return refused(`package.json is larger than ${MOST_PACKAGE_JSON_BYTES} bytes.`);
    try {
      value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(source));
    } catch {
      return refused('package.json is not JSON.');
    }
  }
  if (!isPlatformPackageJson(value))
    return refused('package.json has no "tabulariumPlatform" field, so this isn\'t a platform package.');
  const parsed = platformPackageJsonSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refused(
      `package.json, ${issue === undefined ? 'the whole file: It can’t be used.' : issueSentence(issue, 'the whole file')}`,
    );
  }
  const { name, version, os, cpu, libc, tabulariumPlatform } = parsed.data;
  const { driver, platform } = tabulariumPlatform;
  if (name !== platformPackageName(driver, platform))
    return refused(`package.json names the package ${JSON.stringify(name)}, not "${platformPackageName(driver, platform)}".`);
  const expected = platformConstraints(platform);
  for (const [field, own] of Object.entries({ os, cpu, libc }))
    if (JSON.stringify(own) !== JSON.stringify(expected[field as keyof PlatformConstraints]))
      return refused(`package.json says "${field}": ${JSON.stringify(own ?? null)}, which isn't that of ${platform}.`);
  return { ok: true, packageJson: { name, version, driver, platform } };
}

/** Texts of the driver's package.json that its platform packages repeat. */
const REPEATED = ['license', 'author', 'repository', 'homepage', 'bugs', 'type'] as const;

/** The package.json of a platform package, made of that of the driver. */
export function platformPackageJson(
  driver: Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string },
  platform: string,
): Record<string, unknown> {
  return {
    name: platformPackageName(driver.name, platform),
    version: driver.version,
    // Without the keyword of drivers: hosts don't list it.
    description: `The files of ${driver.name} for ${platform}. Tabularium installs them with it.`,
    ...Object.fromEntries(REPEATED.flatMap((field) => (driver[field] === undefined ? [] : [[field, driver[field]]]))),
    ...platformConstraints(platform),
    tabulariumPlatform: { driver: driver.name, platform },
  };
}

/**
 * The path of a file below the folder `platform` of a driver whose manifest lists platforms, whatever the letter case: on most machines of people
 * `Platform` is the same folder.
 *
 * @returns undefined for any other path
 */
export function pathInPlatformFolder(path: string): string | undefined {
  const [first = '', ...rest] = path.split('/');
  return first.toLowerCase() === PLATFORM_FOLDER ? rest.join('/') : undefined;
}

/** The fault of the paths of a driver's own package where its manifest lists platforms: it has no `platform` and no `platforms` itself. */
export function faultOfMainFiles(paths: Iterable<string>): string | undefined {
  for (const path of paths) {
    const [first = ''] = path.split('/');
    if (![PLATFORM_FOLDER, PLATFORMS_FOLDER].includes(first.toLowerCase())) continue;
    const where = faultOfPath(path) === undefined ? JSON.stringify(path) : 'a file';
    return `The package has ${where} in the folder of platform packages, which it may not bring itself.`;
  }
  return undefined;
}
