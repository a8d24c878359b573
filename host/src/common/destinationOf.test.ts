import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serverPermissionOf } from './serverPermission.ts';
import { serverDestination } from '../runtime/drivers/broker/serverDestination.ts';
import { addressOf } from './address.ts';
import { destinationOf, destinationUrl } from './destinationOf.ts';
import { plainManifest } from './plainManifest.test-helper.ts';

interface Case {
  readonly hostDefault: string | undefined;
  readonly portDefault: number | undefined;
  readonly modeDefault: 'off' | 'on' | 'weak' | undefined;
  readonly skipDefault: boolean;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
}

function manifestOf({ hostDefault, portDefault, modeDefault, skipDefault }: Case) {
  return plainManifest({
    connection: {
      fields: [
        { id: 'host', label: 'Host', type: 'text', ...(hostDefault === undefined ? {} : { default: hostDefault }) },
        { id: 'port', label: 'Port', type: 'number', ...(portDefault === undefined ? {} : { default: portDefault }) },
        {
          id: 'mode',
          label: 'Mode',
          type: 'select',
          options: ['off', 'on', 'weak'].map((value) => ({ value, label: value })),
          ...(modeDefault === undefined ? {} : { default: modeDefault }),
        },
        { id: 'skip', label: 'Skip', type: 'toggle', default: skipDefault },
      ],
    },
    permissions: {
      http: {
        origin: {
          host: { field: 'host', whenEmpty: 'empty.example' },
          port: { field: 'port', whenEmpty: 4000 },
          scheme: { field: 'mode', plainValues: ['off'] },
        },
        tls: { mode: { field: 'mode', verifyIdentity: ['on'], encryptOnly: ['weak'] }, skipVerification: 'skip' },
      },
    },
    reading: { maxSorts: 0 },
  });
}

const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });
const hosts = fc.constantFrom('a.example', ' b.example ', '[::1]', '::1', '127.0.0.1', '');
const cases: fc.Arbitrary<Case> = fc.record({
  hostDefault: optional(hosts),
  portDefault: optional(fc.integer({ min: 1, max: 65_535 })),
  modeDefault: optional(fc.constantFrom('off', 'on', 'weak')),
  skipDefault: fc.boolean(),
  settings: fc.record(
    { host: hosts, port: fc.integer({ min: 1, max: 65_535 }), mode: fc.constantFrom('off', 'on', 'weak'), skip: fc.boolean() },
    { requiredKeys: [] },
  ),
});

describe('where a connection leads', () => {
  it('is shown as it is used, whatever the manifest and the form say', () => {
    fc.assert(
      fc.property(cases, (made) => {
        const manifest = manifestOf(made);
        const server = serverPermissionOf(manifest);
        if (server === undefined) throw new Error('no server');
        const used = serverDestination(server, manifest, made.settings);
        const shown = destinationOf(server, manifest, made.settings);
        expect(destinationUrl(shown)).toBe(destinationUrl(used.origin));
        expect(shown.protection).toBe(used.verification ?? 'plain');
        expect(addressOf(manifest, made.settings)).toBe(`${used.origin.host}:${used.origin.port}`);
      }),
    );
  });

  it.each([
    ['a text', { host: 'db.example' }, 'https://db.example:4000'],
    ['nothing', {}, 'https://empty.example:4000'],
    ['an IPv6 address', { host: '[::1]', port: 5 }, 'https://[::1]:5'],
  ])('is the server of %s', (_what, settings, url) => {
    const made: Case = {
      hostDefault: undefined,
      portDefault: undefined,
      modeDefault: undefined,
      skipDefault: false,
      settings,
    };
    const manifest = manifestOf(made);
    const server = serverPermissionOf(manifest);
    expect(server === undefined ? '' : destinationUrl(destinationOf(server, manifest, settings))).toBe(url);
  });

  it('prefers the default of a field to what stands for an empty one', () => {
    const made: Case = { hostDefault: 'default.example', portDefault: 1, modeDefault: 'off', skipDefault: false, settings: {} };
    expect(addressOf(manifestOf(made), {})).toBe('default.example:1');
  });
});
