import { expect, it } from 'vitest';
import type { DriverSocket, SocketCapability } from '@tabularium/sdk';
import { SocketAllowance } from './socketAllowance.ts';

const never = { signal: new AbortController().signal };
const MINUTE = 60_000;

function watchedSockets() {
  const watched = {
    opened: 0,
    endpoint: 'server:5432',
    tls: 'none',
    async open() {
      watched.opened += 1;
      return {} as DriverSocket;
    },
  } satisfies SocketCapability & { opened: number };
  return watched;
}

const turn = (): Promise<string> => new Promise((resolve) => void setTimeout(() => resolve('waits'), 20));

it('opens no more sockets than it may, and the next one when the time is over', async () => {
  const sockets = watchedSockets();
  const allowance = new SocketAllowance(sockets, 2, 100);
  await Promise.all([allowance.open(never), allowance.open(never)]);
  const third = allowance.open(never);
  expect(await Promise.race([third, turn()])).toBe('waits');
  expect(sockets.opened).toBe(2);
  await third;
  expect(sockets.opened).toBe(3);
});

it('lets a cancel pass although everything else waits', async () => {
  const sockets = watchedSockets();
  const allowance = new SocketAllowance(sockets, 1, MINUTE);
  await allowance.open(never);
  await allowance.openToCancel(never);
  expect(sockets.opened).toBe(2);
});

it('ends a call that waits when it is cancelled, and opens nothing for it', async () => {
  const sockets = watchedSockets();
  const allowance = new SocketAllowance(sockets, 1, MINUTE);
  await allowance.open(never);
  const stopping = new AbortController();
  const second = allowance.open({ signal: stopping.signal });
  stopping.abort();
  await expect(second).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(sockets.opened).toBe(1);
});
