import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/paths.ts';
import type { Outcomes } from './hostile-driver/attackMatrix.ts';
import { AttackMatrix, attemptNames, changedFiles } from './hostile-driver/attackMatrix.ts';

// Each wall around a driver alone, and none: which attempts reach what they should not. docs/security/driver-walls.md lists the same for people, and
// this test compares it. An attempt that succeeds nowhere proves nothing, so without walls every one has to succeed.

const NONE = { permissionModel: false, kernel: false };
const PERMISSION_MODEL = { permissionModel: true, kernel: false };
const KERNEL = { permissionModel: false, kernel: true };
const BOTH = { permissionModel: true, kernel: true };

let matrix: AttackMatrix;
let names: readonly string[];
let deadly: readonly string[];
beforeAll(async () => {
  matrix = await AttackMatrix.open();
  const [javascript, raw] = await Promise.all([
    attemptNames('attempts.mjs', 'attempts'),
    attemptNames('rawAttempts.mjs', 'rawAttempts'),
  ]);
  // It ends the process or writes a file; it has a test of its own.
  names = [...javascript.filter((name) => name !== 'V8 flags'), ...raw];
  deadly = [...(await attemptNames('rawAttempts.mjs', 'deadlyAttempts')), 'V8 flags'];
});
afterAll(() => matrix.close());

const reached = (outcomes: Outcomes): string[] => names.filter((name) => outcomes[name] === 'reached');

/** Attempts that the system itself may refuse to an ordinary user: only root can see that a wall contains them. */
const PRIVILEGED = [
  'raw: priority of the host',
  'raw: BPF',
  'raw: performance events',
  'raw: name spaces of its own',
  'raw: another root',
];
const isRoot = process.getuid?.() === 0;

/** The table of the documentation: what each wall alone leaves open. */
async function documented(): Promise<{ readonly permissionModel: string[]; readonly kernel: string[]; readonly all: string[] }> {
  const text = await readFile(join(root, 'docs/security/driver-walls.md'), 'utf8');
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
  for (const [, name, ...walls] of rows) expect(['contained', 'open'], name).toEqual(expect.arrayContaining(walls.slice(0, 2)));
  const open = (column: 2 | 3): string[] => rows.filter((row) => row[column] === 'open').map((row) => row[1] ?? '');
  return { permissionModel: open(2), kernel: open(3), all: rows.map((row) => row[1] ?? '') };
}

describe('a driver that tries everything', () => {
  it('reaches all of it without walls, and with each wall what the documentation says', async () => {
    const table = await documented();
    expect([...table.all].sort()).toEqual([...names, ...deadly].sort());
    const [none, permissionModel, kernel, both] = [
      await matrix.attack(NONE, names),
      await matrix.attack(PERMISSION_MODEL, names),
      await matrix.attack(KERNEL, names),
      await matrix.attack(BOTH, names),
    ];
    const missed = names.filter((name) => none.outcomes[name] !== 'reached');
    const refusedBySystem = isRoot ? [] : missed.filter((name) => PRIVILEGED.includes(name));
    expect(missed.filter((name) => !refusedBySystem.includes(name)).map((name) => [name, none.outcomes[name]])).toEqual([]);
    for (const { outcomes } of [permissionModel, kernel, both]) expect(Object.keys(outcomes)).toEqual(names);
    const ordinary = (listed: readonly string[]): string[] =>
      names.filter((name) => listed.includes(name) && !refusedBySystem.includes(name));
    expect(reached(permissionModel.outcomes)).toEqual(ordinary(table.permissionModel));
    expect(reached(kernel.outcomes)).toEqual(ordinary(table.kernel));
    // An attempt that both leave open is one that neither contains.
    expect(reached(both.outcomes)).toEqual(ordinary(table.kernel).filter((name) => table.permissionModel.includes(name)));
    expect(await changedFiles(kernel.outside)).toEqual([]);
    expect(await changedFiles(permissionModel.outside)).toEqual([]);
  });

  it('reaches no more where its process gets it delivered, which is how a driver that asks for nothing runs', async () => {
    const table = await documented();
    for (const [walls, open] of [
      [KERNEL, table.kernel],
      [BOTH, table.kernel.filter((name) => table.permissionModel.includes(name))],
    ] as const) {
      const { outcomes, outside } = await matrix.attack(walls, names, {}, 'delivered');
      expect(Object.keys(outcomes)).toEqual(names);
      expect(reached(outcomes)).toEqual(names.filter((name) => open.includes(name)));
      expect(await changedFiles(outside)).toEqual([]);
    }
  });

  it('reaches no more where its author debugs it, but for a socket that only the inspector may bind', async () => {
    const table = await documented();
    const open = [...table.kernel, 'raw: internet socket'];
    const { outcomes, outside, lines } = await matrix.attack(KERNEL, names, {}, 'inspected');
    expect(lines).toContainEqual(expect.stringMatching(/^Debugger listening on ws:\/\/127\.0\.0\.1:/));
    expect(Object.keys(outcomes)).toEqual(names);
    expect(reached(outcomes)).toEqual(names.filter((name) => open.includes(name)));
    expect(await changedFiles(outside)).toEqual([]);
  });

  it('writes no report when it runs out of memory, by the kernel alone', async () => {
    const { outside } = await matrix.attack(KERNEL, ['fatal error report'], { heapMegabytes: 60 });
    expect(await changedFiles(outside)).toEqual([]);
  });

  it.each([
    'raw: starting a program',
    'raw: starting Node again',
    'raw: a call of x32 programs',
    'raw: a call of 32-bit programs',
  ])('starts nothing and calls nothing of another architecture, by the kernel alone: %s', async (name) => {
    const { outside, lines } = await matrix.attack(KERNEL, [name]);
    expect(await changedFiles(outside)).toEqual([]);
    expect(lines).not.toContain('ALIVE');
  });
});
