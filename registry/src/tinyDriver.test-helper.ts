import type { ManifestInput } from '@tabularium/sdk/manifest';
import type { PackageFiles } from '@tabularium/sdk/package';

/** The differences of a test's driver from the ordinary tiny driver. */
export interface TinyDriverOptions {
  readonly id?: string;
  readonly name?: string;
  readonly version?: string;
  readonly sdk?: string;
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly packageJson?: Readonly<Record<string, unknown>>;
  readonly code?: string;
  readonly files?: Readonly<Record<string, string>>;
}

const code = `export const driver = Object.freeze({
  $$type: '@tabularium/driver',
  contract: '1.0.0',
  definition: Object.freeze({ id: 'tiny', async connect() { throw new Error('There is no tiny database.'); } }),
});
`;

const term = (one: string, other: string): { one: string; other: string } => ({ one, other });

/** The smallest manifest that passes. */
export function tinyManifest(id: string, sdk = '^1.0'): ManifestInput {
  return {
    manifestVersion: 1,
    id,
    sdk,
    title: 'Tiny',
    tagline: 'A driver for tests.',
    category: 'other',
    icon: 'M0 0h24v24H0z',
    terms: { table: term('Table', 'Tables'), row: term('Row', 'Rows'), column: term('Column', 'Columns') },
    connection: { fields: [{ id: 'name', label: 'Name', type: 'text' }] },
    permissions: {},
    reading: { maxSorts: 0 },
  };
}

/** The unsigned files of a driver that exports an object of the right shape and does nothing. */
export function tinyDriver(options: TinyDriverOptions = {}): PackageFiles {
  const { id = 'tiny', version = '1.0.0' } = options;
  const packageJson = {
    name: options.name ?? `@tabularium-test/driver-${id}`,
    version,
    description: 'A driver for tests.',
    keywords: ['tabularium-driver'],
    license: 'MIT',
    type: 'module',
    exports: './dist/index.js',
    tabularium: { ...tinyManifest(id, options.sdk), ...options.manifest },
    ...options.packageJson,
  };
  const files: Record<string, string> = {
    'package.json': `${JSON.stringify(packageJson, null, 2)}\n`,
    'dist/index.js': options.code ?? code.replace("id: 'tiny'", `id: '${id}'`),
    ...options.files,
  };
  return new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]));
}
