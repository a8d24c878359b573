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

/**
 * Publishes an archive.
 *
 * @throws CliError `VERSION_EXISTS`, `PUBLISH_FAILED`
 */
export async function publishArchive(
  npm: Npm,
  packed: { readonly name: string; readonly version: string; readonly file: string },
  options: PublishOptions,
): Promise<void> {
  const registry = options.registry === undefined ? [] : ['--registry', options.registry];
  await refusePublished(npm, packed, registry);
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
    'Log in to the registry (npm login --registry URL), or look whether the name and the scope are yours.',
  );
}

/** A version that is published is settled: the same number with other content would be refused, or worse, taken. */
async function refusePublished(
  npm: Npm,
  { name, version }: { readonly name: string; readonly version: string },
  registry: readonly string[],
): Promise<void> {
  const { code, stdout, stderr } = await npm.ask(['view', `${name}@${version}`, 'version', '--json', ...registry]);
  if (code === 0 && stdout.includes(version)) {
    throw new CliError(
      'VERSION_EXISTS',
      `The registry has ${name} ${version} already, and a published version cannot be changed.`,
      'Raise "version" in package.json (npm version patch --no-git-tag-version), and publish again.',
    );
  }
  if (code === 0 || /E404|404/.test(stdout + stderr)) return;
  const [why = ''] = /(?:npm (?:error|ERR!)) (?!code)(.+)/.exec(stderr)?.slice(1) ?? [];
  throw new CliError(
    'PUBLISH_FAILED',
    `The registry could not be asked whether it has ${name} ${version}. ${why}`.trim(),
    'Look whether the address is right, the registry runs, and you are logged in.',
  );
}
