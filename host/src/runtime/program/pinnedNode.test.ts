import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { hostPackage } from './hostPackage.ts';
import { pinnedNode } from './pinnedNode.ts';

const { folder } = hostPackage();
const { optionalDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
  optionalDependencies: Record<string, string>;
};

describe('pinnedNode', () => {
  it('is the Node of package.json', async () => {
    const { stdout } = await promisify(execFile)(pinnedNode(), ['--version']);
    expect(Object.values(optionalDependencies)).toContain(stdout.trim().slice(1));
  });

  it.each(['host/src/runtime/program/pinnedNode.ts', 'host/bin/launch.mjs'])(
    'includes every package of package.json (%s)',
    (file) => {
      const text = readFileSync(join(folder, '..', file), 'utf8');
      for (const name of Object.keys(optionalDependencies)) expect(text).toContain(`'${name}'`);
    },
  );
});
