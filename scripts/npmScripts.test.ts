import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root } from './paths.ts';

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

describe('the npm scripts', () => {
  // In a fresh clone nothing is built: what imports a package of ours has to find its source.
  it.each(['start', 'bench'])('npm run %s finds the packages of this repository before anything is built', (name) => {
    expect(scripts[name]).toMatch(/^node --conditions=tabularium:source \S+\.ts$/);
  });
});
