import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workFolder } from '../paths.ts';
import type { ApiFolders } from './apiReport.ts';
import { checkApi } from './apiReport.ts';

let folder: string;

function declare(source: string): void {
  writeFileSync(join(folder, 'dist/index.d.ts'), source);
}

beforeEach(() => {
  mkdirSync(workFolder, { recursive: true });
  folder = mkdtempSync(join(workFolder, 'api-test-'));
  mkdirSync(join(folder, 'dist'));
  const exports = { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './package.json': './package.json' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'some-sdk', version: '1.0.0', type: 'module', exports }));
});

function folders(): ApiFolders {
  // Without the types of Node, whose thousands of lines each of the programs would check.
  return { sdk: folder, reference: join(folder, 'reference'), types: [] };
}

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

// Each of them runs the TypeScript compiler over declarations several times.
describe('checkApi', () => {
  it('fails until the report is committed, and again when the API drifts from it', () => {
    declare('/** How many. */\nexport declare const count: number;\n');
    expect(checkApi(folders(), { update: false })).toEqual([
      expect.stringContaining('The public API differs from sdk/index.api.md'),
      expect.stringContaining('The public API differs from docs/reference/sdk/index.md'),
      expect.stringContaining('The public API differs from docs/reference/sdk/README.md'),
    ]);
    expect(checkApi(folders(), { update: true })).toEqual([]);
    expect(checkApi(folders(), { update: false })).toEqual([]);

    declare('/** How many. */\nexport declare const count: string;\n');
    expect(checkApi(folders(), { update: false })).toEqual([
      expect.stringContaining('The public API differs from sdk/index.api.md'),
      expect.stringContaining('The public API differs from docs/reference/sdk/index.md'),
    ]);
  });

  it('writes what the docstrings say as a page, and nothing of what is gone', () => {
    declare(
      `/** What a {@link Part} weighs. */
export interface Part {
  /** In grams. */
  readonly weight: number;
}
/**
 * Weighs.
 *
 * @param part - what lies on the scales
 * @returns grams
 * @throws RangeError when it is too heavy
 * @deprecated since 1.2: use a larger one.
 */
export declare function weigh(part: Part): number;
`,
    );
    mkdirSync(folders().reference);
    writeFileSync(join(folders().reference, 'old.md'), '');
    expect(checkApi(folders(), { update: false })).toContainEqual(
      expect.stringContaining('docs/reference/sdk/old.md belongs to'),
    );
    expect(checkApi(folders(), { update: true })).toEqual([]);
    expect(readdirSync(folders().reference).sort()).toEqual(['README.md', 'index.md']);
    const page = readFileSync(join(folders().reference, 'index.md'), 'utf8');
    for (const said of [
      '# `some-sdk`',
      '### weigh\n\n**Deprecated.** since 1.2: use a larger one.\n\nWeighs.',
      '- `part`: what lies on the scales',
      'Returns grams',
      'Throws RangeError when it is too heavy',
      'What a [`Part`](#part) weighs.',
      '- `readonly weight: number`: In grams.',
    ])
      expect(page).toContain(said);
  });

  it('fails on an export without documentation', () => {
    declare('/** How many. */\nexport declare const count: number;\nexport interface Size {\n  width: number;\n}\n');
    expect(checkApi(folders(), { update: true })).toEqual([
      expect.stringContaining('index exports without documentation: interface Size'),
    ]);
  });

  it('fails on an export map that promises what was not built', () => {
    rmSync(join(folder, 'dist'), { recursive: true });
    expect(checkApi(folders(), { update: true })).toEqual(['package.json exports index, but dist/index.d.ts does not exist.']);
  });
});
