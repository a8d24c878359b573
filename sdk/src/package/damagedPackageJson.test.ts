import fc from 'fast-check';
import { expect, it } from 'vitest';
import { manifest } from '../cli/cli.test-helper.ts';
import { parseManifest } from '../manifest.ts';
import { parseDriverPackageJson } from './packageJson.ts';
import { platformPackageJson, readPlatformPackageJson } from './platforms.ts';

/** The library's own messages, which say nothing to an author, and nothing of the file. */
const OF_LIBRARY =
  /Invalid (?:input|option|key|element|string|union|type)|expected .* received|Too (?:big|small)|Unrecognized key|nonoptional/i;

const driver = {
  name: '@acme/tabularium-driver-shop',
  version: '1.0.0',
  description: 'A driver.',
  type: 'module',
  exports: { '.': './dist/index.js' },
  scripts: { test: 'x' },
  tabularium: {
    ...manifest,
    sdk: '^1.1',
    permissions: {
      unconfined: { reason: 'Native code.', grants: ['addons'] },
      files: [{ field: 'file', access: 'read', reason: 'The database is a file.' }],
    },
    platforms: ['linux-x64'],
    connection: {
      fields: [
        { id: 'file', label: 'File', type: 'file', readBy: 'driver' },
        { id: 'name', label: 'Name', type: 'text' },
      ],
    },
    translations: { de: { texts: { '/title': 'Regal' } } },
  },
};

type Step = string | number;

/** The paths of all values in a value, itself first. */
function pathsIn(value: unknown, path: readonly Step[] = []): readonly (readonly Step[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries: readonly (readonly [Step, unknown])[] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...entries.flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

/** A copy in which another value is at a path; `undefined` leaves it out. */
function replaced(value: unknown, [step, ...rest]: readonly Step[], by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.map((inner: unknown, index) => (index === step ? replaced(inner, rest, by) : inner));
  const copy = { ...(value as Record<string, unknown>) };
  const inner = replaced(copy[step], rest, by);
  if (inner === undefined) delete copy[step];
  else copy[step] = inner;
  return copy;
}

const damage = fc.oneof(
  fc.constant(undefined),
  fc.constant(null),
  fc.boolean(),
  fc.double({ noNaN: true }),
  fc.constantFrom('', ' ', 'x'.repeat(5_000), '../x', '\u202E', '1', 'http://x', -1, 1e9, [], {}, [[]], { x: { y: 1 } }),
  fc.array(fc.string(), { maxLength: 300 }),
  fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
);

const readers: readonly (readonly [string, unknown, (value: unknown) => readonly string[]])[] = [
  ['a driver', driver, (value) => problemsOf(parseDriverPackageJson(value))],
  ['a manifest', driver.tabularium, (value) => problemsOf(parseManifest(value))],
  [
    'a platform package',
    platformPackageJson(driver, 'linux-x64'),
    (value) => {
      const read = readPlatformPackageJson(value);
      return read.ok ? [] : [read.problem];
    },
  ],
];

function problemsOf(
  result: { readonly ok: true } | { readonly ok: false; readonly problems: readonly string[] },
): readonly string[] {
  return result.ok ? [] : result.problems;
}

it.each(readers)('the problems of %s that is damaged anywhere are sentences, and none of the library’s', (_what, good, read) => {
  expect(read(good)).toEqual([]);
  const paths = pathsIn(good);
  fc.assert(
    fc.property(fc.constantFrom(...paths), damage, (path, value) => {
      for (const problem of read(replaced(good, path, value))) {
        expect(problem).not.toMatch(OF_LIBRARY);
        expect(problem).toMatch(/[.!?…](?:["”])?$/);
        expect(problem.length).toBeLessThan(3_000);
      }
    }),
    { numRuns: 3_000 },
  );
});

it('a platform package in place of a driver is named as what it is', () => {
  expect(problemsOf(parseDriverPackageJson(platformPackageJson(driver, 'linux-x64')))).toEqual([
    'The package has the native files of @acme/tabularium-driver-shop for linux-x64, and not the driver itself.',
  ]);
});
