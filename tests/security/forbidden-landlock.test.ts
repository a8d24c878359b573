import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Duplex } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KernelAnswer } from '../../host/src/driver-launcher/launchPlan.ts';
import { SHARED_CALLS } from '../../host/src/driver-launcher/kernel.ts';
import { encodePlan, kernelWall, spawnLauncher } from '../../host/src/runtime/drivers/processes/walls/kernelWall.ts';
import { landlockPolicy } from '../../host/src/runtime/drivers/processes/walls/landlockPolicy.ts';
import { seccompPolicy } from '../../host/src/runtime/drivers/processes/walls/seccompPolicy.ts';
import { root } from '../../scripts/paths.ts';

// A container often comes with a filter of system calls that has no name for Landlock. Its kernel has it all the same, and its administrator can allow it.

const LAUNCHER = join(root, 'host/dist/driver-launcher.cjs');
const { createRuleset, addRule, restrictSelf } = SHARED_CALLS;
const LANDLOCK: readonly number[] = [createRuleset, addRule, restrictSelf];

/** The answer of a launcher that runs behind a filter which refuses some calls. */
async function answerBehind(refused: readonly number[]): Promise<KernelAnswer> {
  const { arch, execPath } = process;
  if (arch !== 'x64' && arch !== 'arm64') throw new Error(`There is no filter for ${arch}.`);
  const child = spawnLauncher(execPath, LAUNCHER);
  try {
    const pipe = child.stdio[3];
    if (!(pipe instanceof Duplex)) throw new Error('There is no pipe to the launcher.');
    const lines = createInterface({ input: pipe });
    const answer = async (): Promise<KernelAnswer> => JSON.parse(((await once(lines, 'line')) as [string])[0]) as KernelAnswer;
    pipe.write(encodePlan({ version: 1, ask: 'kernel' }));
    const { landlock, libraries } = await answer();
    expect(landlock, 'Landlock of this kernel').toBeGreaterThan(0);
    const seccomp = seccompPolicy(arch, { wider: [], writesFiles: false });
    const numbers = new Set(refused);
    pipe.write(
      encodePlan({
        version: 1,
        parent: process.pid,
        folder: '/',
        arguments: [execPath, '--no-warnings', '--openssl-config=/dev/null', LAUNCHER],
        environment: [],
        limits: [],
        landlock: landlockPolicy({ version: landlock, node: execPath, libraries, readable: ['/'], files: [], wider: [] }),
        seccomp: {
          ...seccomp,
          allowed: [...seccomp.allowed, ...LANDLOCK].filter((call) => !numbers.has(call)),
          refused: [...seccomp.refused.filter((call) => !LANDLOCK.includes(call)), ...refused],
        },
      }),
    );
    pipe.write(encodePlan({ version: 1, ask: 'kernel' }));
    return await answer();
  } finally {
    child.kill('SIGKILL');
  }
}

describe('Landlock behind a filter of system calls', () => {
  it('is forbidden where the filter refuses it', async () => {
    expect(await answerBehind(LANDLOCK)).toMatchObject({ landlock: 0, landlockForbidden: true });
  });

  it('is there where the filter leaves it alone', async () => {
    const { landlock, landlockForbidden } = await answerBehind([]);
    expect({ isThere: landlock > 0, landlockForbidden }).toEqual({ isThere: true, landlockForbidden: false });
  });
});

describe('the reason why there is no kernel sandbox', () => {
  let folder: string;
  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'tabularium-landlock-'))));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each([
    { landlockForbidden: true, id: 'kernelLandlockForbidden' },
    { landlockForbidden: false, id: 'kernelNoLandlock' },
  ])('is $id', async ({ landlockForbidden, id }) => {
    const launcher = join(folder, `${id}.cjs`);
    const answer: KernelAnswer = { landlock: 0, landlockForbidden, seccomp: true, libraries: [] };
    await writeFile(
      launcher,
      `require('node:fs').writeSync(3, ${JSON.stringify(`${JSON.stringify(answer)}\n`)}); setTimeout(() => {}, 10_000);`,
    );
    expect(await kernelWall(process.execPath, launcher)).toMatchObject({ present: false, reason: { id } });
  });
});
