import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HostError } from '../../../common/errors.ts';
import { BRIDGE_TOKEN_NAME, LAST_USED_RESOLUTION_MILLISECONDS, STALE_BRIDGE_MILLISECONDS, TokenStore } from './tokenStore.ts';
import { tokensMigration } from '../../storage/migrations/tokens.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-11-20T08:00:00.000Z');

describe('TokenStore', () => {
  let database: DatabaseSync;
  let now: number;
  let store: TokenStore;

  beforeEach(() => {
    database = new DatabaseSync(':memory:');
    database.exec(tokensMigration.sql);
    now = START;
    store = new TokenStore(database, () => now);
  });
  afterEach(() => database.close());

  const everythingStored = (): string =>
    JSON.stringify(database.prepare('SELECT *, hex(salt) AS salt, hex(hash) AS hash FROM tokens').all());

  it('mints 256 random bits, and keeps only the prefix, a salt and a hash', () => {
    const first = store.mint({ name: 'Editor', scope: 'readOnly' });
    const second = store.mint({ name: 'Editor', scope: 'readOnly' });
    expect(first.text).toMatch(/^tbm_[A-Za-z0-9_-]{43}$/);
    expect(second.text).not.toBe(first.text);
    expect(first.info).toEqual({
      id: first.info.id,
      name: 'Editor',
      kind: 'user',
      prefix: first.text.slice(0, 8),
      scope: 'readOnly',
      connections: 'all',
      createdAt: '2026-11-20T08:00:00.000Z',
    });
    expect(everythingStored()).not.toContain(first.text.slice(8));
    const salts = database.prepare('SELECT DISTINCT hex(salt) AS salt FROM tokens').all();
    expect(salts).toHaveLength(2);
  });

  it('verifies a token, and says whom it speaks for', () => {
    const { text, info } = store.mint({ name: ' Editor ', scope: 'readWrite', connections: ['a', 'b', 'a'] });
    expect(store.verify(text)).toEqual({
      outcome: 'valid',
      principal: {
        id: info.id,
        tokenId: info.id,
        kind: 'user',
        name: 'Editor',
        scope: 'readWrite',
        connections: ['a', 'b'],
      },
    });
  });

  it('recognizes tokens after a restart', () => {
    const { text } = store.mint({ name: 'Editor', scope: 'readWrite', connections: [] });
    expect(new TokenStore(database, () => now).verify(text)).toMatchObject({ outcome: 'valid', principal: { connections: [] } });
  });

  it.each([
    ['nothing', () => ''],
    ['the prefix alone', (text: string) => text.slice(0, 8)],
    ['a token cut short', (text: string) => text.slice(0, -1)],
    ['a token with more behind it', (text: string) => `${text}A`],
    ['another token with the same prefix', (text: string) => text.slice(0, 8) + 'A'.repeat(39)],
    ['a token in other letters', (text: string) => text.toUpperCase()],
    ['a text that is no token', () => "' OR 1=1 --"],
  ])('does not know %s', (_, change) => {
    const { text } = store.mint({ name: 'Editor', scope: 'readOnly' });
    expect(store.verify(change(text))).toEqual({ outcome: 'unknown' });
  });

  it('distinguishes tokens with the same prefix', () => {
    const first = store.mint({ name: 'First', scope: 'readOnly' });
    const second = store.mint({ name: 'Second', scope: 'fullAccess' });
    database.prepare('UPDATE tokens SET prefix = ? WHERE id = ?').run(first.info.prefix, second.info.id);
    expect(store.verify(first.text)).toMatchObject({ principal: { name: 'First', scope: 'readOnly' } });
  });

  it('ends a token at its expiry', () => {
    const { text, info } = store.mint({ name: 'Editor', scope: 'readOnly', expiresAt: new Date(START + HOUR) });
    expect(info.expiresAt).toBe('2026-11-20T09:00:00.000Z');
    now = START + HOUR - 1;
    expect(store.verify(text).outcome).toBe('valid');
    now = START + HOUR;
    expect(store.verify(text)).toEqual({ outcome: 'expired', tokenId: info.id });
  });

  it('revokes permanently, once, and notifies listeners', () => {
    const { text, info } = store.mint({ name: 'Editor', scope: 'readOnly' });
    const reported: string[] = [];
    const stopListening = store.onRevoked((id) => reported.push(id));
    now += HOUR;
    expect(store.revoke(info.id).revokedAt).toBe('2026-11-20T09:00:00.000Z');
    now += HOUR;
    expect(store.revoke(info.id).revokedAt).toBe('2026-11-20T09:00:00.000Z');
    expect(reported).toEqual([info.id]);
    expect(store.verify(text)).toEqual({ outcome: 'revoked', tokenId: info.id });
    expect(store.list()).toMatchObject([{ id: info.id, revokedAt: '2026-11-20T09:00:00.000Z' }]);
    stopListening();
    store.revoke(store.mint({ name: 'Other', scope: 'readOnly' }).info.id);
    expect(reported).toHaveLength(1);
  });

  it('refuses to revoke what it does not know', () => {
    expect(() => store.revoke('nothing')).toThrow(expect.objectContaining({ code: 'TOKEN_UNKNOWN' }) as HostError);
  });

  it('notes the last use, not with every call', () => {
    const { text } = store.mint({ name: 'Editor', scope: 'readOnly' });
    const lastUse = (): string | undefined => store.list()[0]?.lastUsedAt;
    expect(lastUse()).toBeUndefined();
    store.verify(text);
    expect(lastUse()).toBe('2026-11-20T08:00:00.000Z');
    now += LAST_USED_RESOLUTION_MILLISECONDS - 1;
    store.verify(text);
    expect(lastUse()).toBe('2026-11-20T08:00:00.000Z');
    now += 1;
    store.verify(text);
    expect(lastUse()).toBe('2026-11-20T08:01:00.000Z');
  });

  it.each([
    ['', 'Give the token a name.'],
    ['  ', 'Give the token a name.'],
    ['x'.repeat(81), 'A token name has at most 80 characters.'],
    ['two\nlines', 'A token name has no control characters.'],
    ['hidden\u202Etext', 'A token name has no control characters.'],
    [BRIDGE_TOKEN_NAME, 'Names that begin with two underscores are reserved for Tabularium.'],
  ])('refuses the name %j', (name, message) => {
    expect(() => store.mint({ name, scope: 'readOnly' })).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', message }) as HostError,
    );
    expect(store.list()).toEqual([]);
  });

  it("rejects an expiry that has passed or isn't a time", () => {
    for (const expiresAt of [new Date(START), new Date(Number.NaN)]) {
      expect(() => store.mint({ name: 'Editor', scope: 'readOnly', expiresAt })).toThrow(HostError);
    }
  });

  it('rotates the bridge token: one principal, the old one remembered as once valid', () => {
    const first = store.mintBridge(HOUR);
    const second = store.mintBridge(HOUR);
    expect(second.info).toMatchObject({ name: BRIDGE_TOKEN_NAME, kind: 'bridge', scope: 'readWrite', connections: 'all' });
    expect(store.verify(first.text).outcome).toBe('revoked');
    expect(store.verify(second.text)).toMatchObject({ outcome: 'valid', principal: { id: 'bridge', kind: 'bridge' } });
    expect(store.list()).toEqual([]);
    now += HOUR;
    expect(store.verify(second.text).outcome).toBe('expired');
    now += STALE_BRIDGE_MILLISECONDS;
    store.mintBridge(HOUR);
    expect(store.verify(first.text)).toEqual({ outcome: 'unknown' });
  });

  it.each(['{"all":true}', '{{', '[null]', ''])(
    'takes a spoiled list of connections as an empty one, and keeps the rest: %s',
    (spoiled) => {
      const { text } = store.mint({ name: 'Editor', scope: 'readOnly', connections: ['a'] });
      const other = store.mint({ name: 'Other', scope: 'readOnly', connections: ['a'] });
      database.prepare("UPDATE tokens SET connections = ? WHERE name = 'Editor'").run(spoiled);
      store = new TokenStore(database, () => now);
      expect(store.verify(text)).toMatchObject({ outcome: 'valid', principal: { connections: [] } });
      expect(store.verify(other.text)).toMatchObject({ principal: { connections: ['a'] } });
      expect(store.verify(store.mintBridge(HOUR).text)).toMatchObject({ outcome: 'valid' });
      expect(store.list()).toHaveLength(2);
    },
  );

  it('takes a scope that cannot be read as the least, and keeps the other tokens', () => {
    const { text } = store.mint({ name: 'Editor', scope: 'fullAccess' });
    const other = store.mint({ name: 'Other', scope: 'readWrite' });
    database.exec("PRAGMA ignore_check_constraints = ON; UPDATE tokens SET scope = 'everything' WHERE name = 'Editor'");
    store = new TokenStore(database, () => now);
    expect(store.verify(text)).toMatchObject({ outcome: 'valid', principal: { scope: 'readOnly' } });
    expect(store.verify(other.text)).toMatchObject({ outcome: 'valid', principal: { scope: 'readWrite' } });
  });

  it('takes an expiry that cannot be read as passed', () => {
    const { text } = store.mint({ name: 'Editor', scope: 'readOnly', expiresAt: new Date(START + HOUR) });
    database.exec("UPDATE tokens SET expires_at = 'soon'");
    store = new TokenStore(database, () => now);
    expect(store.verify(text)).toMatchObject({ outcome: 'expired' });
  });
});
