import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bridgeProgram } from './bridgeProgram.ts';

let folder: string;
const put = (file: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), '');
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium bridge-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each<[NodeJS.Platform, string, string, string]>([
  ['linux', 'resources/app/host', 'resources/node/node', 'tabularium-mcp'],
  ['win32', 'resources/app/host', 'resources/node/node.exe', 'tabularium-mcp.exe'],
  ['darwin', 'T.app/Contents/Resources/app/host', 'T.app/Contents/Resources/node/node', 'T.app/Contents/MacOS/tabularium-mcp'],
])('is the executable of a packaged application (%s)', (platform, host, node, bridge) => {
  put(node);
  expect(bridgeProgram(join(folder, host), platform)).toBe(join(folder, bridge));
});

it('is the script of a repository or of npm', () => {
  for (const platform of ['linux', 'darwin'] as const) {
    expect(bridgeProgram(join(folder, 'host'), platform)).toBe(join(folder, 'host/bin/tabularium-mcp.mjs'));
  }
});

it('is the command that npm puts beside the script on Windows, which starts no script', () => {
  const host = join(folder, 'node_modules/@tabularium/host');
  expect(bridgeProgram(host, 'win32')).toBe(join(host, 'bin/tabularium-mcp.mjs'));
  put('tabularium-mcp.cmd');
  expect(bridgeProgram(host, 'win32')).toBe(join(folder, 'tabularium-mcp.cmd'));
  put('node_modules/.bin/tabularium-mcp.cmd');
  expect(bridgeProgram(host, 'win32')).toBe(join(folder, 'node_modules/.bin/tabularium-mcp.cmd'));
});
