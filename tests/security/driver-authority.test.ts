import { readFile, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GRANTED_MODULES, isImportable, ALLOWED_GLOBALS, ALLOWED_MODULES, ALLOWED_PROCESS } from '@tabularium/sdk/protocol';
import type { AllowedNames } from '@tabularium/sdk/protocol';
import type { WiderGrant } from '@tabularium/sdk/manifest';
import { ProcessBench, testManifest } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';

// A driver's process has no name that the lists of sdk/src/sandbox do not give a reason for. A new version of Node that brings one fails here.

interface Found {
  readonly globals: readonly string[];
  readonly process: readonly string[];
  readonly modules: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly refused: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const { signal } = new AbortController();
const plain = (name: string): string => name.replace(/^node:/, '');
/** Each module in both forms, and names that aren't modules of this version, or of any. */
const MODULES = [
  ...new Set(builtinModules.flatMap((name) => [name, `node:${plain(name)}`])),
  ...[
    'node:internal/bootstrap/realm',
    'internal/util',
    'node:internal/test/binding',
    'node:vm/x',
    'node:',
    'node:FS',
    'node:fs/',
    'node:%66s',
    'NODE:vm',
  ],
  ...['node:inspector?x', 'node:vm#x', 'sys', 'node:sys', 'process/', 'node:bun', 'electron', 'tabularium:vm', 'tabularium:fs'],
];
/** The members of every object of this kind, or of every namespace. */
const ALWAYS = ['default', 'module.exports', 'Symbol(Symbol.toStringTag)'];
/** A function has them by being one; `events` keeps private symbols on its own. */
const OF_FUNCTIONS =
  /^(length|name|prototype|Symbol\((kCapture|events\..*|nodejs\..*|kResistStopPropagation|async_context_frame)\))$/;
const EMITTER = ['_events', '_eventsCount', '_maxListeners', 'constructor', 'Symbol(kCapture)', 'Symbol(shapeMode)'];

let bench: ProcessBench;
beforeAll(async () => {
  bench = await ProcessBench.open();
});
afterAll(() => bench.close());

async function explore(grants: readonly WiderGrant[], before: string): Promise<Found> {
  const manifest =
    grants.length === 0
      ? testManifest()
      : testManifest({ permissions: { unconfined: { reason: 'It needs them.', grants: [...grants] } } });
  const driver = await bench.driver('', manifest, `1.${before.length}.${grants.length}${grants.join('').length}`);
  const explorer = await readFile(join(import.meta.dirname, 'hostile-driver', 'explorer.mjs'), 'utf8');
  await writeFile(join(driver.folder, 'index.js'), `${before}\n${explorer}`);
  const processes = await bench.processes();
  const session = await processes.connect({
    driver: { ...driver, allowedGrants: grants },
    settings: { host: JSON.stringify(MODULES) },
    files: {},
    signal,
  });
  const { definition } = await session.describeTable({ namespace: [], name: 't' }, { signal });
  await session.close();
  return JSON.parse(definition?.text ?? '') as Found;
}

const namesIn = (list: readonly AllowedNames[], grants: readonly string[]): string[] =>
  list.filter(({ grant }) => grant === undefined || grants.includes(grant)).flatMap(({ names }) => names);
const namesOfModule = (module: string, grants: readonly string[]): string[] =>
  namesIn(
    [...(module === 'process' ? ALLOWED_PROCESS : (ALLOWED_MODULES[module] ?? [])), ...(GRANTED_MODULES[module] ?? [])],
    grants,
  );

describe('the list of what stays', () => {
  const lists = [ALLOWED_GLOBALS, ALLOWED_PROCESS, ...Object.values(ALLOWED_MODULES), ...Object.values(GRANTED_MODULES)];

  it('gives a reason for each name, and names each once', () => {
    for (const list of lists) {
      for (const { reason } of list) expect(reason).toMatch(/^[A-Z][^|`]{4,}\.$/);
      const names = list.filter(({ grant }) => grant === undefined).flatMap(({ names: own }) => own);
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    }
  });

  it('names no module that starts programs or threads, loads code, or looks into the engine', () => {
    const never =
      /^(child_process|cluster|domain|diagnostics_channel|inspector.*|repl|sea|test.*|trace_events|v8|vm|wasi|worker_threads|ffi)$/;
    expect([...Object.keys(ALLOWED_MODULES), ...Object.keys(GRANTED_MODULES)].filter((name) => never.test(name))).toEqual([]);
  });
});

describe.each([
  // Without the name of the module of files in its code, a driver is delivered and has none.
  [[], ''],
  [[], "import 'node:fs';"],
  [['network'], ''],
  [['sqlite'], ''],
  [['files'], ''],
  [['addons'], ''],
] as const)('a driver with the grants %j%s', (grants: readonly WiderGrant[], before: string) => {
  const isDelivered = grants.length === 0 && before === '';
  let found: Found;
  beforeAll(async () => {
    found = await explore(grants, before);
  });

  it('has no global that the list does not name, and all that it names', () => {
    expect(found.globals.filter((name) => name !== 'Symbol(Symbol.toStringTag)').sort()).toEqual(
      namesIn(ALLOWED_GLOBALS, grants).sort(),
    );
  });

  it('has no property of process that the list does not name, and all that it names', () => {
    const all = new Set(found.process.filter((name) => ![...ALWAYS, ...EMITTER].includes(name)));
    expect([...all].sort()).toEqual(namesIn(ALLOWED_PROCESS, grants).sort());
  });

  it('can import the modules of the list and no others, by no route', () => {
    const listed = MODULES.filter((name) => builtinModules.includes(name) || builtinModules.includes(plain(name)))
      .filter((name) => name.startsWith('node:') || builtinModules.includes(name))
      .filter((name) => isImportable(name, grants))
      .filter((name) => !(isDelivered && /^(?:node:)?fs(?:\/promises)?$/.test(name)));
    expect(Object.keys(found.modules).sort()).toEqual(listed.sort());
    for (const name of listed) {
      expect(Object.keys(found.modules[name] ?? {})).toEqual([
        'import',
        'import of a default',
        'require',
        'evaluated text',
        'a made function',
      ]);
    }
  });

  it('has no export that the list does not name, and all that it names', () => {
    for (const [name, routes] of Object.entries(found.modules)) {
      const allowed = namesOfModule(plain(name), grants);
      for (const [route, names] of Object.entries(routes)) {
        const extra = names.filter(
          (each) => !allowed.includes(each) && !ALWAYS.includes(each) && !OF_FUNCTIONS.test(each) && !EMITTER.includes(each),
        );
        expect([name, route, extra]).toEqual([name, route, []]);
      }
      const missing = allowed.filter((each) => found.modules[name]?.['import']?.includes(each) !== true);
      expect([name, missing]).toEqual([name, []]);
    }
  });

  it('reports the rejected import, the reason and the fix', () => {
    expect(found.refused['node:child_process']?.['import']).toBe(
      "The driver imports node:child_process, which drivers can't use. Remove the import, or the library that needs it; docs/guide/driver-security.md lists what a driver can import.",
    );
    if (!grants.includes('network')) {
      expect(found.refused['http']?.['require']).toMatch(
        /^The driver imports node:http, which drivers can't use without the grant "network"\./,
      );
    }
  });
});
