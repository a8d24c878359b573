import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryFolder } from './memoryFolder.ts';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'memory-folder-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

describe('memoryFolder', () => {
  it('removes what a run left that no longer runs, and nothing of another one or of another program', () => {
    // No process has this number on Linux, whose largest is 4,194,304.
    for (const name of ['tabularium-tests-4194305-abc', `tabularium-tests-${process.pid}-abc`, 'other-4194305-abc'])
      mkdirSync(join(parent, name, 'home'), { recursive: true });
    const folder = memoryFolder(parent);
    if (folder !== undefined) rmSync(folder, { recursive: true });
    expect(readdirSync(parent).sort()).toEqual(['other-4194305-abc', `tabularium-tests-${process.pid}-abc`]);
  });

  it('is missing where the place does not exist', () => {
    expect(memoryFolder(join(parent, 'missing'))).toBeUndefined();
    expect(existsSync(join(parent, 'missing'))).toBe(false);
  });
});
