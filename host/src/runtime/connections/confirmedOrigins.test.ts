import type { Manifest } from '@tabularium/sdk/manifest';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SavedConnection, SettingsValues } from '../../common/connection.ts';
import { SealedSecrets } from '../credentials/sealedSecrets.ts';
import { furtherOrigin, manifestWith } from '../drivers/broker/credentials/credentials.test-helper.ts';
import { httpGrantFor } from '../drivers/broker/httpGrant.ts';
import { testSender } from '../drivers/broker/sealed.test-helper.ts';
import { testBindings } from './bindings.test-helper.ts';
import type { ConfirmedOrigins } from './confirmedOrigins.ts';
import { reachedOrigins } from './reachedOrigins.ts';

const settings: SettingsValues = { host: 'db.example', port: 9_200, mode: 'tls', host2: 'boards.example', port2: 5_601 };
const alone = manifestWith([]);
const both = manifestWith([], [furtherOrigin('more')]);
const fixed = manifestWith([], [furtherOrigin('cloud', [], { origin: 'https://api.example.com' })]);

/** Another manifest of the same driver. */
function changed(manifest: Manifest, http: object): Manifest {
  const before = manifest.permissions.http;
  if (before === undefined) throw new Error('no HTTP');
  return { ...manifest, permissions: { ...manifest.permissions, http: { ...before, ...http } } };
}

const [first, second] = [both.permissions.http?.origin, both.permissions.http?.furtherOrigins[0]];
if (first === undefined || second === undefined || typeof second.origin === 'string') throw new Error('no origins');

/** The first origin and the further one in each other's place. */
const swapped = changed(both, {
  origin: { ...first, host: { field: 'host2', whenEmpty: 'localhost' }, port: second.origin.port },
  furtherOrigins: [{ ...second, origin: { ...second.origin, host: { field: 'host' }, port: first.port } }],
});
const unprotected = changed(both, {
  furtherOrigins: [{ ...second, tls: { mode: { field: 'mode', encryptOnly: ['tls'], verifyChain: [], verifyIdentity: [] } } }],
});
const elsewhere = changed(alone, { origin: { ...first, host: { field: 'user', whenEmpty: 'evil.example' } } });

const saved = (now: SettingsValues = settings): SavedConnection => ({
  ...{ id: 'a', name: 'A', driver: alone.id, settings: now, secrets: {}, color: 'teal' },
  ...{ access: { externalClients: 'blocked', aiPolicy: 'never' }, createdAt: '', updatedAt: '' },
});

let origins: ConfirmedOrigins;
beforeEach(() => {
  origins = testBindings().origins;
});

const asked = (manifest: Manifest, now: SettingsValues = settings): string[] =>
  origins
    .question(saved(now), testSender(manifest))
    .newOrigins.map(({ id, before, now: place }) =>
      [id, before?.origins.join() ?? 'nothing', place.origins.join(), place.verification].join(' '),
    );

describe('the origins that a person is asked about', () => {
  const boards = 'more nothing https://boards.example:5601 identity';

  it('are none after the form was saved', () => {
    origins.record('a', testSender(both), settings);
    expect(asked(both)).toEqual([]);
  });

  it('are those that a new version adds', () => {
    origins.record('a', testSender(alone), settings);
    expect(asked(both)).toEqual([boards]);
  });

  it('are both of two that have changed places', () => {
    origins.record('a', testSender(both), settings);
    expect(asked(swapped)).toEqual([
      ' https://db.example:9200 https://boards.example:5601 identity',
      'more https://boards.example:5601 https://db.example:9200 identity',
    ]);
  });

  it('are those that are protected less, and not those that are protected more', () => {
    origins.record('a', testSender(both), settings);
    expect(asked(unprotected)).toEqual(['more https://boards.example:5601 https://boards.example:5601 none']);
    origins.record('a', testSender(unprotected), settings);
    expect(asked(both)).toEqual([]);
  });

  it('are the first one, where an update leads it elsewhere', () => {
    origins.record('a', testSender(alone), settings);
    expect(asked(elsewhere)).toEqual([' https://db.example:9200 https://evil.example:9200 identity']);
  });

  it('are none without a record for one origin, all for several; a fixed address is a permission', () => {
    expect(asked(alone)).toEqual([]);
    expect(asked(both)).toEqual([' nothing https://db.example:9200 identity', boards]);
    expect(asked(fixed)).toEqual([' nothing https://db.example:9200 identity']);
    origins.adopt('a', testSender(alone), settings);
    expect(asked(elsewhere)).toHaveLength(1);
    expect(asked(fixed)).toEqual([]);
  });

  it('are those of which an edit has left the host as it was', () => {
    const edits: readonly SettingsValues[] = [{}, { mode: 'plain' }, { port2: 1 }, { host: 'other.example' }];
    for (const edit of edits) {
      origins.record('a', testSender(alone), settings);
      origins.recordEdit(saved(), testSender(both), { ...settings, ...edit });
      expect(asked(both, { ...settings, ...edit }).map((line) => line.split(' ')[0])).toEqual(['more']);
    }
    const entered = { ...settings, host2: 'mine.example' };
    origins.record('a', testSender(alone), settings);
    origins.recordEdit(saved(), testSender(both), entered);
    expect(asked(both, entered)).toEqual([]);
    // From then on the person decides the rest of the address.
    const moved = { ...entered, port2: 1, mode: 'plain' };
    origins.recordEdit(saved(entered), testSender(both), moved);
    expect(asked(both, moved)).toEqual([]);
  });

  it('are all after misbehaviour, fixed addresses among them, until a person has confirmed them', () => {
    origins.record('a', testSender(both), settings);
    origins.distrust('a');
    expect(asked(both)).toHaveLength(2);
    expect(asked(fixed)).toHaveLength(2);
    expect(asked(alone)).toHaveLength(1);
    const entered = { ...settings, host2: 'mine.example' };
    origins.recordEdit(saved(), testSender(both), entered);
    origins.forget('a');
    expect(origins.question(saved(entered), testSender(both))).toMatchObject({ isDistrusted: true });
    origins.confirm('a', origins.question(saved(entered), testSender(both)).newOrigins);
    expect(origins.question(saved(entered), testSender(both))).toEqual({ newOrigins: [], newFiles: [], isDistrusted: false });
  });

  it('are asked about for a copy as for the original', () => {
    origins.record('a', testSender(alone), settings);
    origins.copy('a', 'b');
    expect(origins.question({ ...saved(), id: 'b' }, testSender(both)).newOrigins.map(({ id }) => id)).toEqual(['more']);
  });
});

describe('the grant of a session', () => {
  const grant = (sealed: SealedSecrets): Promise<unknown> =>
    httpGrantFor(testSender(both), settings, sealed, () => Promise.reject(new Error('no files')));

  it('is made of confirmed origins alone: a caller that forgets to ask gets an error', async () => {
    const reached = reachedOrigins(testSender(both), settings);
    await expect(grant(new SealedSecrets(new Map(), reached))).resolves.toBeDefined();
    const others = reachedOrigins(testSender(both), { ...settings, port2: 1 });
    for (const confirmed of [undefined, [], reached.slice(0, 1), others, reached.map((one) => ({ ...one, id: 'other' }))])
      await expect(grant(new SealedSecrets(new Map(), confirmed))).rejects.toMatchObject({ code: 'SECRET_NOT_CONFIRMED' });
  });
});
