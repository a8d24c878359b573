import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workFolder } from '../paths.ts';
import { checkApi } from './apiReport.ts';

let folder: string;

function declare(source: string): void {
  writeFileSync(join(folder, 'dist/index.d.ts'), source);
}

beforeEach(() => {
  // Below the repository, so that the types of Node are found.
  mkdirSync(workFolder, { recursive: true });
  folder = mkdtempSync(join(workFolder, 'api-test-'));
  mkdirSync(join(folder, 'dist'));
  const exports = { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './package.json': './package.json' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'some-sdk', version: '1.0.0', type: 'module', exports }));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('checkApi', () => {
  it('fails until the report is committed, and again when the API drifts from it', () => {
    declare('/** How many. */\nexport declare const count: number;\n');
    expect(checkApi(folder, { update: false })).toEqual([
      expect.stringContaining('The public API differs from sdk/index.api.md'),
    ]);
    expect(checkApi(folder, { update: true })).toEqual([]);
    expect(checkApi(folder, { update: false })).toEqual([]);

    declare('/** How many. */\nexport declare const count: string;\n');
    expect(checkApi(folder, { update: false })).toEqual([expect.stringContaining('The public API differs')]);
  });

  it('fails on an export without documentation', () => {
    declare('/** How many. */\nexport declare const count: number;\nexport interface Size {\n  width: number;\n}\n');
    expect(checkApi(folder, { update: true })).toEqual([
      expect.stringContaining('index exports without documentation: interface Size'),
    ]);
  });

  it('fails on an export map that promises what was not built', () => {
    rmSync(join(folder, 'dist'), { recursive: true });
    expect(checkApi(folder, { update: true })).toEqual(['package.json exports index, but dist/index.d.ts does not exist.']);
  });
});
