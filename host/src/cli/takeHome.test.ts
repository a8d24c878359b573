import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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

it('says of a home that stays in use whether a command runs in it, and which, or whether nobody answers', async () => {
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
