import { expect, it } from 'vitest';
import { keepReaders } from './keepReaders.ts';

type Handle = Parameters<typeof keepReaders>[0];

/** A file of user 1 and group 1, mode 600, on a system that refuses what is named. */
function file(refuses: { uid?: boolean; gid?: boolean; mode?: boolean }): { handle: Handle; now: () => string } {
  const state = { uid: 1, gid: 1, mode: 0o600 };
  const refusal = (): Promise<never> => Promise.reject(Object.assign(new Error('refused'), { code: 'EPERM' }));
  const handle = {
    stat: () => Promise.resolve({ ...state }),
    chown: (uid: number, gid: number) => {
      if ((uid !== state.uid && refuses.uid === true) || (gid !== state.gid && refuses.gid === true)) return refusal();
      Object.assign(state, { uid, gid });
      return Promise.resolve();
    },
    chmod: (mode: number) => {
      if (refuses.mode === true) return refusal();
      state.mode = mode;
      return Promise.resolve();
    },
  } as unknown as Handle;
  return { handle, now: () => `${state.uid}:${state.gid} ${state.mode.toString(8)}` };
}

it.each([
  ['everything, for a user who may', {}, { uid: 1, gid: 1, mode: 0o100_644 }, '1:1 644'],
  ['owner and group', {}, { uid: 2, gid: 3, mode: 0o100_640 }, '2:3 640'],
  ['the group of another owner', { uid: true }, { uid: 2, gid: 3, mode: 0o100_640 }, '1:3 640'],
  ['nothing to another group', { uid: true, gid: true }, { uid: 1, gid: 3, mode: 0o100_664 }, '1:1 604'],
  ['nothing to another group, from an owner that may be set', { gid: true }, { uid: 2, gid: 3, mode: 0o100_660 }, '2:1 600'],
  ['nothing where the system has no permissions', { mode: true }, { uid: 1, gid: 1, mode: 0o100_777 }, '1:1 600'],
  ['no setuid bit', {}, { uid: 1, gid: 1, mode: 0o104_755 }, '1:1 755'],
] as const)('gives a file %s', async (_, refuses, replaced, expected) => {
  const { handle, now } = file(refuses);
  await keepReaders(handle, replaced);
  expect(now()).toBe(expected);
});
