import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readSampleFile } from '../../cli/readSampleFile.ts';
import { findClient } from '../mcp/clients/clients.ts';
import { planChange } from '../mcp/clients/configFile.ts';
import { readPolicy } from './policy/driverPolicy.ts';
import { sshCredential } from './tunnels/sshCredential.ts';

// A file that a person or another program names may be a pipe, and opening one never returns: these tests would then exceed their time.

let folder: string;
let pipe: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-pipes-'));
  pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it.each<[string, () => Promise<unknown>]>([
  ['the policy of an administrator', () => readPolicy(pipe)],
  ['sample connections', () => readSampleFile(pipe)],
  [
    'the key of an SSH tunnel',
    () => sshCredential({ kind: 'ssh', host: 'bastion', port: 22, user: 'ada', signIn: 'key', keyFile: pipe }, () => '', {}),
  ],
  [
    'the configuration of a client',
    async () => {
      const client = findClient('claude-desktop');
      if (client === undefined) throw new Error('The client is gone.');
      await planChange(client, { bridge: '/b', url: '', token: '' }, pipe);
    },
  ],
])('a pipe in place of %s is refused at once', async (_what, read) => {
  await expect(read()).rejects.toThrow(pipe);
});
