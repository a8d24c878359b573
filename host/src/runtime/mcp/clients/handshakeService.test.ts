import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../storage/logger.ts';
import { BRIDGE_PRINCIPAL_ID, BRIDGE_TOKEN_NAME, TokenStore } from '../access/tokenStore.ts';
import { tokensMigration } from '../../storage/migrations/tokens.ts';
import { HANDSHAKE_FILE, handshakeSchema, OFF_FILE } from './handshakeFile.ts';
import type { Handshake } from './handshakeFile.ts';
import { HandshakeService } from './handshakeService.ts';
import { handshakeProof } from './proof.ts';

const MINUTE = 60_000;
let folder: string;
let now: number;
let database: DatabaseSync;
let tokens: TokenStore;
let service: HandshakeService;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-handshake-'));
  now = Date.parse('2026-11-20T08:00:00Z');
  database = new DatabaseSync(':memory:');
  database.exec(tokensMigration.sql);
  tokens = new TokenStore(database, () => now);
  service = new HandshakeService({ folder, tokens, logger: silentLogger, now: () => now });
});
afterEach(async () => {
  await service.close();
  await service.stopping();
  database.close();
  await rm(folder, { recursive: true, force: true });
});

async function read(): Promise<Handshake> {
  return handshakeSchema.parse(JSON.parse(await readFile(join(folder, HANDSHAKE_FILE), 'utf8')));
}

describe('the handshake', () => {
  it('says where the server is, for its owner alone', async () => {
    await service.started({ port: 4_321 });
    const entry = await lstat(join(folder, HANDSHAKE_FILE));
    expect([entry.mode & 0o777, entry.nlink]).toEqual([0o600, 1]);
    const handshake = await read();
    expect(handshake).toMatchObject({ version: 1, port: 4_321, home: folder, pid: process.pid, protocolVersion: '2026-07-28' });
    expect(Date.parse(handshake.expiresAt)).toBe(now + 60 * MINUTE);
    const verified = tokens.verify(handshake.token);
    expect(verified).toMatchObject({
      outcome: 'valid',
      principal: { id: BRIDGE_PRINCIPAL_ID, kind: 'bridge', name: BRIDGE_TOKEN_NAME, scope: 'readWrite', connections: 'all' },
    });
    expect(await readdir(folder)).toEqual([HANDSHAKE_FILE]);
  });

  it('is another with each start: token, secret and instance', async () => {
    await service.started({ port: 1 });
    const first = await read();
    await service.stopping();
    await service.started({ port: 1 });
    const second = await read();
    for (const field of ['token', 'proofSecret', 'instanceId'] as const) expect(second[field]).not.toBe(first[field]);
    expect(tokens.verify(first.token).outcome).toBe('revoked');
  });

  it('gets its next token 15 minutes before the end, and the outgoing one stays to its own', async () => {
    await service.started({ port: 1 });
    const first = await read();
    now += 45 * MINUTE - 1;
    await service.rotateWhenDue();
    expect(await read()).toEqual(first);
    now += 1;
    await Promise.all([service.rotateWhenDue(), service.rotateWhenDue()]);
    const second = await read();
    expect(second).toEqual({ ...first, token: second.token, expiresAt: new Date(now + 60 * MINUTE).toISOString() });
    expect(second.token).not.toBe(first.token);
    expect(tokens.verify(first.token).outcome).toBe('valid');
    now += 15 * MINUTE - 1;
    expect(tokens.verify(first.token).outcome).toBe('valid');
    now += 1;
    expect(tokens.verify(first.token).outcome).toBe('expired');
    expect(tokens.verify(second.token).outcome).toBe('valid');
  });

  it('is written at once after the machine has slept past the end', async () => {
    await service.started({ port: 1 });
    now += 10 * 60 * MINUTE;
    await service.rotateWhenDue();
    expect(tokens.verify((await read()).token).outcome).toBe('valid');
  });

  it('replaces any existing file', async () => {
    await writeFile(join(folder, 'victim'), 'mine');
    await symlink(join(folder, 'victim'), join(folder, HANDSHAKE_FILE));
    await mkdir(join(folder, `${HANDSHAKE_FILE}.new`));
    await service.started({ port: 1 });
    expect((await lstat(join(folder, HANDSHAKE_FILE))).isFile()).toBe(true);
    expect(await readFile(join(folder, 'victim'), 'utf8')).toBe('mine');
    await service.rotateWhenDue();
  });

  it.each<[string, (file: string) => Promise<unknown>, 'valid' | 'revoked']>([
    ['removed', (file) => rm(file), 'valid'],
    ['opened to others', (file) => chmod(file, 0o644), 'revoked'],
    ['closed to its owner', (file) => chmod(file, 0o000), 'revoked'],
    ['damaged', (file) => writeFile(file, '{"version":1,'), 'revoked'],
    ['replaced by a link', async (file) => rm(file).then(() => symlink('/etc/passwd', file)), 'revoked'],
    ['replaced by a folder', async (file) => rm(file).then(() => mkdir(file)), 'revoked'],
  ])('that was %s is written again', async (_title, change, outgoing) => {
    await service.started({ port: 1 });
    const first = await read();
    await service.restoreWhenChanged();
    expect(await read()).toEqual(first);
    await change(join(folder, HANDSHAKE_FILE));
    await service.restoreWhenChanged();
    const entry = await lstat(join(folder, HANDSHAKE_FILE));
    expect([entry.isFile(), entry.mode & 0o777]).toEqual([true, 0o600]);
    const second = await read();
    expect(second).toEqual({ ...first, token: second.token });
    expect([tokens.verify(first.token).outcome, tokens.verify(second.token).outcome]).toEqual([outgoing, 'valid']);
  });

  it('is looked at in between', async () => {
    const quick = new HandshakeService({ folder, tokens, logger: silentLogger, now: () => now, lookMilliseconds: 20 });
    await quick.started({ port: 1 });
    await rm(join(folder, HANDSHAKE_FILE));
    await expect.poll(() => readdir(folder)).toEqual([HANDSHAKE_FILE]);
    await quick.close();
    await quick.stopping();
  });

  it('makes room for the sign that the server is off, and that for nothing', async () => {
    await writeFile(join(folder, HANDSHAKE_FILE), 'left behind');
    await service.turnedOff();
    expect(await readdir(folder)).toEqual([OFF_FILE]);
    expect(JSON.parse(await readFile(join(folder, OFF_FILE), 'utf8'))).toEqual({ version: 1, pid: process.pid, home: folder });
    await service.started({ port: 1 });
    expect(await readdir(folder)).toEqual([HANDSHAKE_FILE]);
    await service.stopping();
    expect(await readdir(folder)).toEqual([OFF_FILE]);
    await service.started({ port: 1 });
    await service.close();
    await service.stopping();
    expect(await readdir(folder)).toEqual([]);
  });

  it('that cannot be written does not stop the server, and is tried again', async () => {
    const problems: unknown[] = [];
    const broken = new HandshakeService({
      folder: join(folder, 'missing'),
      tokens,
      logger: { error: (message) => problems.push(message), warn: () => undefined },
      now: () => now,
    });
    await broken.started({ port: 1 });
    expect(problems).toEqual(['the handshake for the bridge could not be written']);
    await mkdir(join(folder, 'missing'));
    await broken.rotateWhenDue();
    expect(await readdir(join(folder, 'missing'))).toEqual([HANDSHAKE_FILE]);
    await broken.close();
    await broken.stopping();
  });
});

it('a proof is bound to secret, port, instance and nonce', () => {
  const challenge = { version: 1, instanceId: 'a', nonce: 'n'.repeat(43) } as const;
  const secret = 'ab'.repeat(32);
  const proofs = [
    handshakeProof(secret, 1, challenge),
    handshakeProof('cd'.repeat(32), 1, challenge),
    handshakeProof(secret, 2, challenge),
    handshakeProof(secret, 1, { ...challenge, instanceId: 'b' }),
    handshakeProof(secret, 1, { ...challenge, nonce: 'm'.repeat(43) }),
  ];
  expect(new Set(proofs).size).toBe(proofs.length);
  expect(proofs[0]).toMatch(/^[0-9a-f]{64}$/);
});
