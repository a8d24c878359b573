import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import semver from 'semver';
import { z } from 'zod';
import { parseManifest } from '../../manifest.ts';
import type { Manifest } from '../../manifest.ts';
import { faultInFiles, PACKAGE_LIMITS } from '../../package/files.ts';
import type { FileLimits, PackageFiles } from '../../package/files.ts';
import { packPackageFiles } from '../../package/pack.ts';
import { LIFECYCLE_SCRIPTS, parseDriverPackageJson } from '../../package/packageJson.ts';
import {
  faultOfMainFiles,
  PLATFORM_FOLDER,
  PLATFORM_LIMITS,
  platformPackageName,
  readPlatformPackageJson,
} from '../../package/platforms.ts';
import { SIGNATURE_FILE } from '../../package/signature.ts';
import { SDK_CONTRACT } from '../../version.ts';
import { CliError } from '../cliError.ts';
import { privateKeyIn } from '../keys/privateKeyIn.ts';
import { adviceForFiles } from '../package/adviceForFiles.ts';
import { collectDriver, readDriverSource } from '../package/collect.ts';
import { collectPlatforms } from '../package/collectPlatforms.ts';
import { ownPlatform } from '../package/ownPlatform.ts';
import { failed, judged, passed, skipped } from './check.ts';
import type { Check } from './check.ts';
import { checkFacets } from './facets.ts';
import { confinementOf, LOAD_PROGRAM, probe, refusedModules } from './probe.ts';

/** Content that a package must not have: secrets, sources, maps that name paths of the author's machine. */
const NEVER_SHIPPED = /(^|\/)(\.[^/]*|[^/]*\.(key|pem|p12|pfx|map|tsx?|mts|cts|tgz)|id_(rsa|ed25519|ecdsa))$/i;
const DEPENDENCIES = ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies', 'bundledDependencies'];

/** The package that would ship: its files, and the scripts of the source folder, where there is one. */
interface Subject {
  readonly files: PackageFiles;
  readonly scripts: Readonly<Record<string, unknown>>;
  readonly platforms: PlatformPackages;
}

/** The platform packages of a driver, by platform. */
export type PlatformPackages = ReadonlyMap<string, PackageFiles>;

/** All that is looked at in the driver of a folder. Never throws for what is wrong with the driver. */
export async function checkDriver(
  folder: string,
  options: { readonly plan?: string | undefined; readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<readonly Check[]> {
  const failure = (error: unknown): Check => {
    if (!(error instanceof CliError)) throw error;
    const { id, title } = error.check ?? { id: 'project', title: 'The project can be read' };
    return failed(id, title, [error.message], error.advice);
  };
  let subject: Subject;
  try {
    const { scripts = {} } = await readDriverSource(folder);
    const files = await collectDriver(folder);
    subject = { files, scripts, platforms: await collectPlatforms(folder, files) };
  } catch (error) {
    return [failure(error)];
  }
  const { files, scripts, platforms } = subject;
  const checks = await checkPackage(files, { scripts, platforms, signal: options.signal });
  const manifest = manifestOf(files);
  const facets =
    manifest === undefined
      ? skipped('facets', 'Facets fit the manifest', 'The manifest has to be right first.')
      : await checkFacets(folder, manifest, { plan: options.plan, env: options.env, signal: options.signal });
  return [...checks, facets];
}

/** The checks of a package, wherever its files come from. */
export async function checkPackage(
  files: PackageFiles,
  options: {
    readonly scripts?: Readonly<Record<string, unknown>>;
    /** Default: none, as for an archive that is looked at alone. */
    readonly platforms?: PlatformPackages;
    readonly signal: AbortSignal;
  },
): Promise<readonly Check[]> {
  const { platforms = new Map<string, PackageFiles>() } = options;
  const json = jsonOf(files);
  const manifest = manifestOf(files);
  return [
    checkPackageJson(json),
    checkManifest(json),
    checkContract(manifest),
    checkDependencies(json),
    checkScripts({ ...scriptsOf(json), ...options.scripts }),
    checkFiles(files),
    await checkSize(files),
    ...(manifest?.platforms === undefined ? [] : [await checkPlatforms(json, manifest.platforms, files, platforms)]),
    checkPapers(json, files),
    checkFindable(json),
    await checkEntry(files, manifest, platforms, options.signal),
  ];
}

type Json = Readonly<Record<string, unknown>>;

function jsonOf(files: PackageFiles): Json {
  const value: unknown = JSON.parse(new TextDecoder().decode(files.get('package.json')));
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function manifestOf(files: PackageFiles): Manifest | undefined {
  const parsed = parseManifest(jsonOf(files)['tabularium']);
  return parsed.ok ? parsed.manifest : undefined;
}

function scriptsOf(json: Json): Json {
  const { scripts } = json;
  return typeof scripts === 'object' && scripts !== null ? (scripts as Json) : {};
}

/** Without what has a check of its own. */
function checkPackageJson(json: Json): Check {
  const rest = Object.entries(json).filter(([name]) => !DEPENDENCIES.includes(name) && name !== 'scripts');
  const title = 'package.json has a name, an exact version and an entry';
  const read = parseDriverPackageJson(Object.fromEntries(rest));
  // Faults of the manifest come without the name of the file.
  const problems = read.ok
    ? []
    : read.problems.filter((problem) => problem.startsWith('package.json') && !problem.includes('"tabularium"'));
  return judged(
    'packageJson',
    title,
    problems,
    'Correct package.json.',
    ...(read.ok ? [`${read.packageJson.name} ${read.packageJson.version}, entry ${read.packageJson.entry}`] : []),
  );
}

function checkManifest(json: Json): Check {
  const title = 'The manifest is valid';
  if (json['tabularium'] === undefined)
    return failed(
      'manifest',
      title,
      ['package.json has no "tabularium" field.'],
      'Add the manifest: its reference lists every field.',
    );
  const parsed = parseManifest(json['tabularium']);
  if (parsed.ok) return passed('manifest', title, `${parsed.manifest.title}, id "${parsed.manifest.id}"`);
  const problems = parsed.problems.map((problem) => (problem.startsWith('tabularium') ? problem : `tabularium.${problem}`));
  return failed('manifest', title, problems, 'Correct the values at these paths in package.json.');
}

function checkContract(manifest: Manifest | undefined): Check {
  const title = 'The contract range can be satisfied';
  if (manifest === undefined) return skipped('contract', title, 'The manifest has to be right first.');
  const range = manifest.sdk;
  if (semver.validRange(range) === null)
    return failed(
      'contract',
      title,
      [`tabularium.sdk: "${range}" isn't a version range.`],
      `Use "^${SDK_CONTRACT.replace(/\.\d+$/, '')}".`,
    );
  if (!semver.satisfies(SDK_CONTRACT, range))
    return failed(
      'contract',
      title,
      [`tabularium.sdk: "${range}" does not hold ${SDK_CONTRACT}, the contract of the SDK that is installed here.`],
      'Name the range that the driver was written for, or install the SDK that has it.',
    );
  const next = `${semver.major(SDK_CONTRACT) + 1}.0.0`;
  if (semver.satisfies(next, range))
    return failed(
      'contract',
      title,
      [`tabularium.sdk: "${range}" also holds ${next}, a contract that does not exist yet and may break the driver.`],
      `Use "^${SDK_CONTRACT.replace(/\.\d+$/, '')}".`,
    );
  return passed('contract', title, `${range} holds ${SDK_CONTRACT}`);
}

function checkDependencies(json: Json): Check {
  const left = DEPENDENCIES.filter((field) => {
    const value = json[field];
    return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value === true;
  });
  return judged(
    'dependencies',
    'No dependencies are left',
    left.map((field) => `package.json has "${field}". The host installs none.`),
    'Move them to "devDependencies": the build bundles what the driver imports.',
  );
}

function checkScripts(scripts: Json): Check {
  const found = LIFECYCLE_SCRIPTS.filter((name) => scripts[name] !== undefined);
  return judged(
    'scripts',
    'No lifecycle scripts',
    found.map((name) => `package.json has the script "${name}", which npm would run automatically.`),
    'Give the script another name, and run it yourself.',
  );
}

const NAME_FILES = 'Name exactly the files in "files" of package.json, and build again: tabularium-driver build.';
const CLEAR_FOLDER = 'Take it out of the folder of the platform in platforms/.';

function checkFiles(files: PackageFiles, limits: FileLimits = PACKAGE_LIMITS, fix = NAME_FILES): Check {
  const shipped = [...files].filter(([path]) => path !== SIGNATURE_FILE);
  const problems = shipped.flatMap(([path, bytes]) => {
    const named = NEVER_SHIPPED.test(path);
    const key = privateKeyIn(bytes);
    if (!named && key === undefined) return [];
    return [`${path} would ship${key === undefined ? '' : `, which holds ${key}`}.`];
  });
  const fault = faultInFiles(new Map(shipped.map(([path, bytes]) => [path, bytes.length])), limits);
  if (fault !== undefined) problems.push(fault.message);
  const developed = shipped
    .filter(([path, bytes]) => /\.m?js$/.test(path) && /\n\/\/# sourceMappingURL=(?!data:)/.test(new TextDecoder().decode(bytes)))
    .map(([path]) => `${path} was built for development: it names a source map that does not ship.`);
  const rebuild = 'Build again, because tabularium-driver dev has left its own build: npm run build, or tabularium-driver build.';
  // The maps that a development build leaves are of the same cause.
  const isStale = developed.length > 0 && problems.every((problem) => problem.includes('.map would ship'));
  const isOneFault = fault !== undefined && problems.length === 1;
  problems.push(...developed);
  const otherwise = isOneFault && developed.length === 0 ? adviceForFiles(fault) : fix;
  return judged(
    'files',
    'Only what belongs into the package ships',
    problems,
    isStale ? rebuild : otherwise,
    ...shipped.map(([path, bytes]) => `${path} (${bytes.length} bytes)`),
  );
}

async function checkSize(files: PackageFiles, archiveBytes: number = PACKAGE_LIMITS.archiveBytes): Promise<Check> {
  const bytes = (await packPackageFiles(files).catch(() => new Uint8Array())).length;
  return judged(
    'size',
    'The archive is small enough',
    bytes > archiveBytes ? [`The archive has ${bytes} bytes; a host takes ${archiveBytes}.`] : [],
    'Look at what the bundle holds.',
    `${bytes} bytes packed; ${archiveBytes} are the limit`,
  );
}

function checkPapers(json: Json, files: PackageFiles): Check {
  const problems: string[] = [];
  if (!files.has('README.md')) problems.push('There is no README.md: registries and the plug-in browser show it.');
  if (![...files.keys()].some((path) => /^licen[cs]e(\.[a-z]+)?$/i.test(path))) problems.push('There is no LICENSE.');
  if (typeof json['license'] !== 'string') problems.push('package.json has no "license".');
  return judged('papers', 'Readme and licence are there', problems, 'Add what is missing.');
}

function checkFindable(json: Json): Check {
  const text = `${String(json['name'])} ${typeof json['description'] === 'string' ? json['description'] : ''}`.toLowerCase();
  const missing = ['tabularium', 'driver'].filter((word) => !text.includes(word));
  return judged(
    'findable',
    'Registries can find it',
    missing.map((word) => `Neither name nor description has the word "${word}", by which hosts search.`),
    'Add it to "description" in package.json.',
  );
}

/** The platform packages beside the driver's own, and that none of them is missing. */
async function checkPlatforms(
  json: Json,
  declared: readonly string[],
  files: PackageFiles,
  packages: PlatformPackages,
): Promise<Check> {
  const fault = faultOfMainFiles(files.keys());
  const problems = fault === undefined ? [] : [fault];
  const fixes = new Set(
    problems.length === 0 ? [] : ['Files of a platform belong into platforms/<platform>/, and nowhere else.'],
  );
  const notices: string[] = [];
  for (const platform of declared) {
    const part = packages.get(platform);
    const name = platformPackageName(String(json['name']), platform);
    if (part === undefined) {
      notices.push(`${name} isn't beside it here.`);
      continue;
    }
    const read = readPlatformPackageJson(part.get('package.json') ?? new Uint8Array());
    if (!read.ok) problems.push(`${name}: ${read.problem}`);
    else if (read.packageJson.name !== name || read.packageJson.version !== json['version'])
      problems.push(`${read.packageJson.name} ${read.packageJson.version} isn't ${name} ${String(json['version'])}.`);
    const checked = await checkPlatformPackage(part);
    for (const { outcome, findings, fix } of checked) {
      if (outcome !== 'failed') continue;
      problems.push(...findings.map((one) => `${name}: ${one}`));
      if (fix !== undefined) fixes.add(fix);
    }
    const total = [...part.values()].reduce((sum, { length }) => sum + length, 0);
    notices.push(`${name}: ${part.size} files, ${total} bytes`);
  }
  const fix = fixes.size === 0 ? 'Correct what is named.' : [...fixes].join(' ');
  return judged('platforms', 'The platform packages are complete', problems, fix, ...notices);
}

/** The checks of a platform package alone. */
export async function checkPlatformPackage(files: PackageFiles): Promise<readonly Check[]> {
  const read = readPlatformPackageJson(files.get('package.json') ?? new Uint8Array());
  const title = 'package.json is that of a platform package';
  return [
    judged(
      'platformPackage',
      title,
      read.ok ? [] : [read.problem],
      'Make the archive with tabularium-driver pack.',
      ...(read.ok ? [`${read.packageJson.name} ${read.packageJson.version}`] : []),
    ),
    checkFiles(files, PLATFORM_LIMITS, CLEAR_FOLDER),
    await checkSize(files, PLATFORM_LIMITS.archiveBytes),
  ];
}

/** In a folder that holds what ships and nothing else: whatever else the code imports is missing here as it will be in the host. */
async function checkEntry(
  files: PackageFiles,
  manifest: Manifest | undefined,
  platforms: PlatformPackages,
  signal: AbortSignal,
): Promise<Check> {
  const title = 'The entry loads and is the driver of the manifest';
  const read = parseDriverPackageJson(
    Object.fromEntries(Object.entries(jsonOf(files)).filter(([name]) => !DEPENDENCIES.includes(name) && name !== 'scripts')),
  );
  if (!read.ok || manifest === undefined) return skipped('entry', title, 'package.json has to be right first.');
  const { entry } = read.packageJson;
  const build = 'Build the driver: tabularium-driver build.';
  if (!files.has(entry))
    return failed(
      'entry',
      title,
      [`The entry ${entry} is not among the files that ship.`],
      `${build} "files" in package.json must name it.`,
    );
  const part = manifest.platforms === undefined ? new Map<string, Uint8Array<ArrayBuffer>>() : platforms.get(ownPlatform());
  if (part === undefined)
    return skipped('entry', title, `The files for this machine (${ownPlatform()}) aren't here, so the driver can't be loaded.`);
  const placed = Array.from(part, ([path, bytes]) => [`${PLATFORM_FOLDER}/${path}`, bytes] as const);
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tabularium-check-')));
  try {
    for (const [path, bytes] of [...files, ...placed]) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), bytes);
    }
    const shape = z.object({ id: z.string(), contract: z.string() });
    const probed = await probe(LOAD_PROGRAM, [join(folder, entry), refusedModules(manifest)], {
      cwd: folder,
      shape,
      signal,
      confinement: confinementOf(manifest, folder),
    });
    if (!probed.ok)
      return failed(
        'entry',
        title,
        [`${entry}: ${probed.problem}`],
        `${build} If it does, look at what it does while it is loaded.`,
      );
    const { id, contract } = probed.answer;
    const problems = id === manifest.id ? [] : [`The manifest says "${manifest.id}" and defineDriver says "${id}".`];
    return judged('entry', title, problems, 'Use the same id in both.', `"${id}", built with contract ${contract}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
