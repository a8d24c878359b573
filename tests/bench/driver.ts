import { createHash, generateKeyPairSync, sign, verify } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Budget } from './budget.ts';
import { atMost, median, timed } from './budget.ts';
import type { Surroundings } from './surroundings.ts';

const ROUNDS = 7;
/** The next spare process starts half a second after a driver has loaded, and has to be up. */
const SPARE_START = 1_500;
const never = new AbortController().signal;

/** Installing from a warm registry, the first answer of a driver that does not run yet, and a session in one that does. */
export async function driverBudgets(surroundings: Surroundings): Promise<readonly Budget[]> {
  const times: {
    install: number[];
    verify: number[];
    hash: number[];
    cold: number[];
    session: number[];
    spare: number[];
  } = {
    install: [],
    verify: [],
    hash: [],
    cold: [],
    session: [],
    spare: [],
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const runtime = await surroundings.newRuntime({ spareDriver: false });
    try {
      let verifying = 0;
      let verified = 0;
      times.install.push(
        await timed(() =>
          runtime.installer.install('search', {
            signal: never,
            onProgress: ({ step }) => {
              if (step === 'verifying') verifying = performance.now();
              if (step === 'tryingOut') verified = performance.now();
            },
          }),
        ),
      );
      times.verify.push(verified - verifying);
      times.hash.push(await hashAndSignature((await runtime.installed.current('search')).folder));
      const connection = await surroundings.connect(runtime);
      const use = (): Promise<unknown> =>
        runtime.sessions.use(connection, ({ session }) => session.ping({ signal: never }), { signal: never });
      times.cold.push(await timed(use));
      await runtime.sessions.close(connection);
      times.session.push(await timed(use));
    } finally {
      await runtime[Symbol.asyncDispose]();
    }
  }
  for (let round = 0; round < ROUNDS; round += 1) times.spare.push(await withSpareProcess(surroundings));
  return [
    atMost('install from the local registry', median(times.install), 200, 'milliseconds'),
    atMost('verification within it', median(times.verify), 5, 'milliseconds', {
      name: 'one SHA-512 over the same bytes and one Ed25519 check',
      value: median(times.hash),
    }),
    atMost('driver: cold start to first answer', median(times.cold), 150, 'milliseconds'),
    atMost('driver: new session in a running process', median(times.session), 15, 'milliseconds'),
    atMost('driver: first answer with a spare process', median(times.spare), 60, 'milliseconds'),
  ];
}

/** Milliseconds of the cryptography that no verification can do without: one SHA-512 over all files of a package, and one check of a signature. */
async function hashAndSignature(folder: string): Promise<number> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const content = Buffer.concat(await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name)))));
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const signature = sign(null, content.subarray(0, 1_024), privateKey);
  return timed(async () => {
    createHash('sha512').update(content).digest();
    verify(null, content.subarray(0, 1_024), publicKey, signature);
  });
}

/** The first answer of a driver that does not run, where a process waits for it. */
async function withSpareProcess(surroundings: Surroundings): Promise<number> {
  const runtime = await surroundings.newRuntime();
  try {
    await runtime.installer.install('search', { signal: never });
    const connection = await surroundings.connect(runtime);
    // The trial load took the spare process; the next one is up by then.
    await delay(SPARE_START);
    return await timed(() =>
      runtime.sessions.use(connection, ({ session }) => session.ping({ signal: never }), { signal: never }),
    );
  } finally {
    await runtime[Symbol.asyncDispose]();
  }
}
