import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { electronProgram } from './electron.ts';

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'tabularium-electron-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the Electron program', () => {
  it('is not there in a checkout whose package was installed without its binary', () => {
    mkdirSync(join(root, 'node_modules/electron'), { recursive: true });
    expect(electronProgram(root, {})).toBeUndefined();
  });

  it('is the one that the package names', () => {
    const dist = join(root, 'node_modules/electron/dist/Electron.app');
    mkdirSync(dist, { recursive: true });
    writeFileSync(join(root, 'node_modules/electron/path.txt'), 'Electron.app/Electron');
    writeFileSync(join(dist, 'Electron'), '');
    expect(electronProgram(root, {})).toBe(join(dist, 'Electron'));
  });

  it('is the one in the folder that the environment names', () => {
    const own = join(root, 'own');
    mkdirSync(own);
    writeFileSync(join(own, 'electron'), '');
    expect(electronProgram(root, { ELECTRON_OVERRIDE_DIST_PATH: own })).toBe(join(own, 'electron'));
  });
});
