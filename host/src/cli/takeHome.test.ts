import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OwnerSocket } from '../runtime/ownerSocket/ownerSocket.ts';
import { openHome } from '../runtime/storage/home.ts';
import { acquireHomeLock } from '../runtime/storage/homeLock.ts';
import { silentLogger } from '../runtime/storage/logger.ts';
import { takeHomeOrFindHost } from './takeHome.ts';

const options = {
  signal: new AbortController().signal,
  accepts: (lifetime: string) => lifetime === 'host',
  patienceMilliseconds: 0,
};

it("reports which command holds a data directory, or that its holder doesn't respond", async () => {
  const parent = await mkdtemp(join(tmpdir(), 't-'));
  try {
    using lock = await acquireHomeLock(await openHome(join(parent, 'home')));
    const { home } = lock;
    await expect(takeHomeOrFindHost(home, options)).rejects.toMatchObject({
      code: 'HOME_IN_USE',
      message: `Another host owns ${home.folder} and does not answer.`,
    });
    const handler = (): Promise<Response> => Promise.resolve(new Response());
    await using command = await OwnerSocket.open(lock, { lifetime: 'command', version: '1', logger: silentLogger, handler });
    await expect(takeHomeOrFindHost(home, options)).rejects.toMatchObject({
      code: 'HOME_IN_USE',
      message: `A command (process ${command.endpoint.pid}) owns ${home.folder} and still runs.`,
    });
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
});

describe('a home without an owner is taken, whatever is left in it:', () => {
  const key = 'a'.repeat(64);
  it.each([
    ['the announcement of a newer version', () => ({ version: 2 })],
    ['a socket that does not answer', (folder: string) => announcement(folder, 'silent.sock')],
    ['a socket that nobody listens on', (folder: string) => announcement(folder, 'gone.sock')],
  ])('%s', async (_name, announced) => {
    const parent = await mkdtemp(join(tmpdir(), 't-'));
    const home = await openHome(join(parent, 'home'));
    const silent = createServer();
    await new Promise<void>((resolve) => void silent.listen(join(home.folder, 'silent.sock'), resolve));
    try {
      await writeFile(join(home.folder, 'host.json'), JSON.stringify(announced(home.folder)));
      const found = await takeHomeOrFindHost(home, options);
      expect('lock' in found).toBe(true);
      if ('lock' in found) found.lock[Symbol.dispose]();
    } finally {
      silent.close();
      await rm(parent, { recursive: true, force: true });
    }
  });

  function announcement(home: string, name: string): object {
    return { version: 1, pid: 1, socket: join(home, name), key, lifetime: 'host', home };
  }
});
