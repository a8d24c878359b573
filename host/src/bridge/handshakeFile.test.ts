import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { typedWord } from '../common/typedWord.ts';
import { HANDSHAKE_NAME, isTurnedOff, OFF_NAME, readHandshake } from './handshakeFile.ts';

import { pathWord } from './pathWord.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-handshake-file-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

const handshake = {
  version: 1,
  port: 1_234,
  token: 'tbm_x',
  proofSecret: 'ab'.repeat(32),
  pid: process.pid,
  instanceId: 'an-instance',
  protocolVersion: '2026-07-28',
  expiresAt: '2026-11-20T09:00:00.000Z',
};
const before = Date.parse('2026-11-20T08:00:00Z');
const write = (name: string, value: unknown): Promise<void> =>
  writeFile(join(folder, name), JSON.stringify(value), { mode: 0o600 });

it('reads what the application has written', async () => {
  await write(HANDSHAKE_NAME, handshake);
  const { version: _, protocolVersion: __, expiresAt, ...rest } = handshake;
  expect(await readHandshake(folder, before)).toEqual({ ok: true, value: { ...rest, expiresAt: Date.parse(expiresAt) } });
  expect(await readHandshake(folder, Date.parse(expiresAt))).toMatchObject({
    ok: false,
    cause: expect.stringContaining('has expired') as string,
  });
});

it('takes nothing from a copy of a data directory', async () => {
  await write(HANDSHAKE_NAME, { ...handshake, home: await realpath(folder) });
  expect(await readHandshake(folder, before)).toMatchObject({ ok: true });
  await write(OFF_NAME, { version: 1, pid: process.pid, home: '/the/original' });
  expect(await isTurnedOff(folder)).toBe(false);
  await write(HANDSHAKE_NAME, { ...handshake, home: '/the/original' });
  expect(await readHandshake(folder, before)).toEqual({
    ok: false,
    found: true,
    cause: `${HANDSHAKE_NAME} belongs to another data directory.`,
    remedy: expect.stringContaining(`Delete ${join(folder, HANDSHAKE_NAME)}`) as string,
  });
});

it('distinguishes a missing file from a rejected one', async () => {
  expect(await readHandshake(folder)).toMatchObject({ ok: false, found: false });
  expect(await readHandshake(join(folder, 'nowhere'))).toMatchObject({ ok: false, found: false });
  await writeFile(join(folder, HANDSHAKE_NAME), 'x'.repeat(70_000), { mode: 0o600 });
  expect(await readHandshake(folder)).toMatchObject({ ok: false, found: true });
});

it('takes nothing from a folder of another user', async () => {
  await write(HANDSHAKE_NAME, handshake);
  vi.spyOn(process, 'getuid').mockReturnValue((process.getuid?.() ?? 0) + 1);
  expect(await readHandshake(folder, before)).toMatchObject({ ok: false, cause: `${folder} belongs to another user.` });
});

it('takes nothing from a process that it may not signal', async () => {
  await write(HANDSHAKE_NAME, handshake);
  vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
  });
  expect(await readHandshake(folder, before)).toMatchObject({ ok: false, cause: expect.stringContaining('is gone') as string });
});

it('believes a sign that the server is off only from a process that runs, in a file of its own', async () => {
  await write(OFF_NAME, { version: 1, pid: process.pid });
  expect(await isTurnedOff(folder)).toBe(true);
  await chmod(join(folder, OFF_NAME), 0o666);
  expect(await isTurnedOff(folder)).toBe(false);
  await chmod(join(folder, OFF_NAME), 0o600);
  await write(OFF_NAME, { version: 1, pid: 2 ** 22 + 1 });
  expect(await isTurnedOff(folder)).toBe(false);
});

it.each(['/home/ada/.local/share/tabularium', "/home/it's $(here)/x", '', '=x'])(
  'writes the path %j as the host does',
  (path) => {
    expect(pathWord(path)).toBe(typedWord(path));
  },
);
