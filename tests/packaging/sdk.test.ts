import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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

const usesEveryEntryPoint = `
import type { Column, defineDriver } from '@tabularium/sdk';
import * as manifest from '@tabularium/sdk/manifest';
import * as protocol from '@tabularium/sdk/protocol';
import { readAll } from './tinyDriver.ts';

// A type that resolves to nothing would be any, and everything would be assignable to it.
type IsAny<T> = 0 extends 1 & T ? true : false;
export const typed: [IsAny<Column>, IsAny<typeof defineDriver>, IsAny<typeof manifest>] = [false, false, false];
console.log(JSON.stringify(await readAll()), Object.keys(manifest).length > 0, Object.keys(protocol).length > 0);
`;

beforeAll(async () => {
  await buildStale({ root, workFolder, targets: allTargets(root).filter(({ group }) => group === 'sdk'), log: () => undefined });
  const { tarball, files } = await machine.pack(join(root, 'sdk'));
  packedFiles = files;
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "some-driver", "private": true, "type": "module" }');
  copyFileSync(join(import.meta.dirname, 'tinyDriver.ts'), join(project, 'tinyDriver.ts'));
  writeFileSync(join(project, 'main.ts'), usesEveryEntryPoint);
  await machine.lockPackages();
  await machine.npm(['install', '--no-save', tarball], project);
});

afterAll(() => machine.remove());

describe('the packed sdk', () => {
  it('holds the built files and no sources', () => {
    expect(packedFiles).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'package.json',
        'dist/index.js',
        'dist/index.d.ts',
        'dist/sbom.cdx.json',
        'dist/THIRD-PARTY-NOTICES.txt',
        'dist/package.schema.json',
      ]),
    );
    expect(
      packedFiles.filter(
        (file) =>
          !/^(bin\/tabularium-driver\.mjs|dist\/.+\.(js|d\.ts)|dist\/sbom\.cdx\.json|dist\/THIRD-PARTY-NOTICES\.txt|dist\/package\.schema\.json|LICENSE|README\.md|package\.json)$/.test(
            file,
          ),
      ),
    ).toEqual([]);
    expect(packedFiles.filter((file) => /\.test|\.test-helper/.test(file))).toEqual([]);
  });

  it('names files that exist in its declarations', () => {
    const declarations = globSync('node_modules/@tabularium/sdk/dist/**/*.d.ts', { cwd: project });
    expect(declarations.length).toBeGreaterThan(10);
    // Newer compilers find x.d.ts for "./x.ts" as well, older ones and other tools do not.
    for (const file of declarations) expect(readFileSync(join(project, file), 'utf8'), file).not.toMatch(/from "\.[^"]*\.ts"/);
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
      allowImportingTsExtensions: true,
      skipLibCheck: false,
    };
    const typeRoots = [join(root, 'node_modules/@types')];
    const file = join(project, `tsconfig.${moduleResolution}.json`);
    writeFileSync(file, JSON.stringify({ compilerOptions: { ...compilerOptions, typeRoots }, files: ['main.ts'] }));
    const ended = await machine.run(process.execPath, [join(root, 'node_modules/@typescript/native/bin/tsc'), '--project', file]);
    expect(ended).toMatchObject({ code: 0, stdout: '' });
  });

  it('brings the command of driver authors, for the Node of the machine', async () => {
    const ended = await machine.run('npx', ['tabularium-driver', '--version'], { cwd: project });
    const { version } = JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8')) as { version: string };
    expect(ended).toMatchObject({ code: 0, stdout: `${version}\n` });
  });

  it('runs', async () => {
    const ended = await machine.run(process.execPath, ['main.ts'], { cwd: project });
    expect(ended).toMatchObject({ code: 0, stdout: '[["Earth"]] true true\n' });
  });
});
