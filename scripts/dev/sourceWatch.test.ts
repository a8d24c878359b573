import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isHostSource, watchHostSources } from './sourceWatch.ts';

describe('isHostSource', () => {
  it.each([
    ['host/src/runtime/api/router.ts', true],
    ['sdk/src/driver.ts', true],
    ['host/src/common/api.ts', true],
    ['host/src/renderer/app/App.tsx', false],
    ['host/src/runtime/api/router.test.ts', false],
    ['host/src/cli/cli.test-helper.ts', false],
    ['host/src/runtime/.router.ts.swp', false],
  ])('%s', (path, expected) => {
    expect(isHostSource(path)).toBe(expected);
  });
});

describe('watchHostSources', () => {
  let root: string;
  let watch: Disposable;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'tabularium-watch-'));
    mkdirSync(join(root, 'host/src/runtime/api'), { recursive: true });
    mkdirSync(join(root, 'host/src/renderer'), { recursive: true });
    mkdirSync(join(root, 'sdk/src'), { recursive: true });
  });
  afterEach(() => {
    watch[Symbol.dispose]();
    rmSync(root, { recursive: true, force: true });
  });

  it('calls once for changes at the same time, again for a change during the call, and not for the window', async () => {
    let calls = 0;
    const release = Promise.withResolvers<void>();
    watch = watchHostSources(root, async () => {
      calls += 1;
      if (calls === 1) await release.promise;
    });
    writeFileSync(join(root, 'host/src/renderer/App.ts'), 'one');
    writeFileSync(join(root, 'host/src/runtime/api/router.ts'), 'one');
    writeFileSync(join(root, 'sdk/src/driver.ts'), 'one');
    await expect.poll(() => calls).toBe(1);
    writeFileSync(join(root, 'host/src/runtime/api/router.ts'), 'two');
    writeFileSync(join(root, 'host/src/runtime/api/other.ts'), 'two');
    // Longer than the quiet moment after which a change counts.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(calls).toBe(1);
    release.resolve();
    await expect.poll(() => calls).toBe(2);
    writeFileSync(join(root, 'host/src/renderer/App.ts'), 'two');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(calls).toBe(2);
  });
});
