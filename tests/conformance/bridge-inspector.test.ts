import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../../scripts/paths.ts';
import { BRIDGE, BridgeHome } from '../support/bridgeHome.ts';

// The Inspector's command line over the bridge.

const INSPECTOR = join(root, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');

let home: BridgeHome;
beforeEach(async () => {
  home = await BridgeHome.create();
  await home.startHost();
});
afterEach(() => home[Symbol.asyncDispose]());

async function inspect(era: string, ...words: string[]): Promise<unknown> {
  const args = [INSPECTOR, '--cli', '--format', 'json', '--protocol-era', era, '-e', `TABULARIUM_HOME=${home.folder}`, ...words];
  const { stdout } = await promisify(execFile)(process.execPath, [...args, '--', process.execPath, BRIDGE], {
    env: { ...process.env, HOME: home.folder },
  });
  return JSON.parse(stdout);
}

describe.each(['legacy', 'auto', 'modern'])('in its era "%s"', (era) => {
  it('lists the tools and calls one', async () => {
    expect(JSON.stringify(await inspect(era, '--method', 'tools/list'))).toContain('"name":"list_connections"');
    const answer = JSON.stringify(await inspect(era, '--method', 'tools/call', '--tool-name', 'list_connections'));
    expect(answer).toContain('Reading room');
    expect(answer).not.toContain('Vault');
  });
});
