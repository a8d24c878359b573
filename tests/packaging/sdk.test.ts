import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildStale } from '../../scripts/build/buildStale.ts';
import { allTargets } from '../../scripts/build/targets.ts';
import { root, workFolder } from '../../scripts/paths.ts';
import { Machine } from './machine.test-helper.ts';

// The sdk as a driver author gets it: packed, installed in an empty folder, used without any setting of this repository.

const machine = new Machine();
const project = join(machine.folder, 'project');
let packedFiles: string[];

const driver = `
import { DriverError, encodeBatch, isDriverError } from '@tabularium/sdk';
import type { Column, Filter, RowBatch } from '@tabularium/sdk';
import * as manifest from '@tabularium/sdk/manifest';
import * as protocol from '@tabularium/sdk/protocol';

export const column: Pick<Column, 'name'> = { name: 'id' };
export const batch: Parameters<typeof encodeBatch>[0] extends RowBatch ? true : false = true;
export const filter: Filter['conditions'] = [];
// A name that resolves to nothing would be any, and everything would be assignable to it.
type IsAny<T> = 0 extends 1 & T ? true : false;
export const typed: [IsAny<Column>, IsAny<typeof encodeBatch>, IsAny<typeof DriverError>] = [false, false, false];
console.log(isDriverError(new Error('x')), Object.keys(manifest).length > 0, Object.keys(protocol).length > 0);
`;

beforeAll(async () => {
  await buildStale({ root, workFolder, targets: allTargets(root).filter(({ group }) => group === 'sdk'), log: () => undefined });
  const { tarball, files } = await machine.pack(join(root, 'sdk'));
  packedFiles = files;
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "some-driver", "private": true, "type": "module" }');
  writeFileSync(join(project, 'driver.ts'), driver);
  await machine.npm(['install', '--no-save', tarball], project);
});

afterAll(() => machine.remove());

describe('the packed sdk', () => {
  it('holds the built files and no sources', () => {
    expect(packedFiles).toEqual(expect.arrayContaining(['LICENSE', 'package.json', 'dist/index.js', 'dist/index.d.ts']));
    expect(packedFiles.filter((file) => !/^(dist\/.+\.(js|d\.ts)|LICENSE|README\.md|package\.json)$/.test(file))).toEqual([]);
    expect(packedFiles.filter((file) => /test/.test(file.replace('dist/testing/', '')))).toEqual([]);
  });

  it.each([
    ['nodenext', 'nodenext', ['es2024']],
    ['bundler', 'esnext', ['es2024', 'dom']],
  ])('type-checks with %s resolution and library checks', async (moduleResolution, module, lib) => {
    const types = lib.includes('dom') ? [] : ['node'];
    const compilerOptions = {
      moduleResolution,
      module,
      lib,
      types,
      target: 'es2024',
      strict: true,
      noEmit: true,
      skipLibCheck: false,
    };
    const typeRoots = [join(root, 'node_modules/@types')];
    const file = join(project, `tsconfig.${moduleResolution}.json`);
    writeFileSync(file, JSON.stringify({ compilerOptions: { ...compilerOptions, typeRoots }, files: ['driver.ts'] }));
    const ended = await machine.run(process.execPath, [join(root, 'node_modules/@typescript/native/bin/tsc'), '--project', file]);
    expect(ended).toMatchObject({ code: 0, stdout: '' });
  });

  it('runs', async () => {
    expect(await machine.run(process.execPath, ['driver.ts'], { cwd: project })).toMatchObject({
      code: 0,
      stdout: 'false true true\n',
    });
  });
});
