import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { manifestSchema } from '@tabularium/sdk/manifest';
import type { Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from '../../common/connection.ts';
import { secretReach } from '../drivers/broker/serverDestination.ts';
import { TestCertificates } from '../drivers/broker/broker.test-helper.ts';
import { approvedGrant, testSender } from '../drivers/broker/sealed.test-helper.ts';
import { testManifest } from '../drivers/processes/processes.test-helper.ts';
import { reachText } from './secretReach.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabularium-reach-'));
afterAll(() => rmSync(folder, { recursive: true }));
const { authority } = new TestCertificates(folder);

const fields = [
  { id: 'host', label: 'Host', type: 'text' as const },
  { id: 'other', label: 'Other host', type: 'text' as const, default: 'other.example' },
  { id: 'port', label: 'Port', type: 'number' as const },
  { id: 'gate', label: 'Gate', type: 'number' as const, default: 9 },
  { id: 'key', label: 'Key', type: 'secret' as const },
  {
    id: 'mode',
    label: 'Mode',
    type: 'select' as const,
    options: ['off', 'some', 'all'].map((value) => ({ value, label: value })),
    default: 'all',
  },
  { id: 'skip', label: 'Skip', type: 'toggle' as const },
  { id: 'ca', label: 'CA', type: 'file' as const, readBy: 'host' as const },
];

const pick = <T>(random: () => number, values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;

/** A generator of numbers in [0, 1) that a seed repeats (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A manifest of which anything may differ from the next one: what counts, and what does not. */
function someManifest(random: () => number): Manifest {
  return manifestSchema.parse({
    ...testManifest({}),
    title: pick(random, ['One', 'Two']),
    tagline: pick(random, ['A line.', 'Another line.']),
    icon: pick(random, ['M0 0z', 'M1 1z']),
    connection: {
      fields: fields.map((field) =>
        field.id === 'gate'
          ? { ...field, default: pick(random, [9, 10]) }
          : { ...field, label: pick(random, [field.label, 'New']) },
      ),
    },
    permissions: {
      http: {
        origin: {
          host: { field: pick(random, ['host', 'other']), whenEmpty: pick(random, ['localhost', 'empty.example']) },
          port: { field: pick(random, ['port', 'gate']), whenEmpty: pick(random, [80, 81]) },
          scheme: { field: 'mode', plainValues: pick(random, [[], ['off'], ['off', 'all']]) },
        },
        credentials: pick(random, [
          [{ field: 'key', headers: ['x-key'] }],
          [{ field: 'key', headers: ['X-Key'], prefix: 'Bearer ' }],
          [{ field: 'key', headers: ['x-key', 'x-more'] }],
          [{ field: 'key', scheme: 'bearer' }],
          [{ field: 'key', scheme: 'basic', user: 'other' }],
          [{ field: 'key', scheme: 'query', parameter: 'key' }],
          [
            { field: 'key', headers: ['x-key'], when: { field: 'mode', values: ['off', 'some'] } },
            { field: 'key', scheme: 'query', parameter: 'k', when: { field: 'mode', values: ['all'] } },
          ],
        ]),
        tls: {
          mode: { field: 'mode', encryptOnly: pick(random, [[], ['some']]), verifyChain: pick(random, [[], ['all']]) },
          ...pick(random, [{}, { skipVerification: 'skip' }]),
          ...pick(random, [{}, { certificateAuthorityFile: 'ca' }]),
        },
      },
    },
  });
}

function someSettings(random: () => number): SettingsValues {
  return {
    ...pick<SettingsValues>(random, [{}, { host: 'db.example' }, { host: '' }]),
    ...pick<SettingsValues>(random, [{}, { port: 8_108 }]),
    ...pick<SettingsValues>(random, [{}, { mode: 'off' }, { mode: 'some' }]),
    ...pick<SettingsValues>(random, [{}, { skip: true }]),
    ...pick<SettingsValues>(random, [{}, { ca: '/ca.pem' }]),
  };
}

/** The facts that a server and an eavesdropper would notice: taken from the grant that requests are made with. */
async function effectOf(manifest: Manifest, settings: SettingsValues): Promise<string> {
  const grant = await approvedGrant(manifest, settings, { key: 'a-secret' }, async () => authority);
  const { verification, certificateAuthority } = grant.tls ?? {};
  const request = { method: 'GET', origin: grant.origin, path: '/', headers: new Map<string, string>(), body: 'none' as const };
  await grant.addCredentials(request, new AbortController().signal);
  const headers = [...request.headers]
    .map(([name, value]) => (value.startsWith('Basic ') ? [name, 'Basic '] : [name, value]))
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return JSON.stringify([grant.url, verification, certificateAuthority, headers, request.path]);
}

describe('the reach of a secret', () => {
  it('differs exactly when the requests that carry the secret would differ', async () => {
    const random = randomFrom(20_260);
    const seen = { same: 0, different: 0 };
    for (let round = 0; round < 1_500; round += 1) {
      const before = someManifest(random);
      const other = someManifest(random);
      // In every third round only texts change.
      const now = round % 3 === 0 ? { ...other, permissions: before.permissions, connection: before.connection } : other;
      const settings = someSettings(random);
      const [old, next] = [before, now].map((manifest) => secretReach(testSender(manifest), settings, 'key'));
      if (old === undefined || next === undefined) throw new Error('There is a reach for every HTTP driver.');
      const sameEffect = (await effectOf(before, settings)) === (await effectOf(now, settings));
      expect(reachText(old) === reachText(next), `round ${round}`).toBe(sameEffect);
      seen[sameEffect ? 'same' : 'different'] += 1;
    }
    expect(seen.same).toBeGreaterThan(20);
    expect(seen.different).toBeGreaterThan(500);
  });

  it('differs with driver, publisher and grants', () => {
    const manifest = someManifest(randomFrom(1));
    const sender = testSender(manifest);
    const text = (changed: Partial<typeof sender>): string => {
      const reach = secretReach({ ...sender, ...changed }, {}, 'key');
      return reach === undefined ? '' : reachText(reach);
    };
    const wide = { reason: 'It needs them.', grants: ['addons' as const] };
    const texts = [
      text({}),
      text({ id: 'another' }),
      text({ publisher: { id: 'p', name: 'P', fingerprint: 'cccc', origin: 'firstParty' } }),
      text({ publisher: { id: 'developer-folder', name: 'unsigned, from /a', fingerprint: '', origin: 'developerFolder' } }),
      text({ manifest: { ...manifest, permissions: { ...manifest.permissions, unconfined: wide } } }),
    ];
    expect(new Set(texts).size).toBe(texts.length);
  });
});
