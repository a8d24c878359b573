import { describe, expect, it } from 'vitest';
import { parseManifest, publicAddress, translatedManifest } from './manifest.ts';
import type { FurtherOriginInput, ManifestInput } from './manifest.ts';

const dashboards = {
  id: 'dashboards',
  label: 'Dashboards',
  reason: 'It lists the dashboards of a table.',
  origin: {
    host: { field: 'dashboardsHost' },
    port: { field: 'dashboardsPort', whenEmpty: 5_601 },
    scheme: { field: 'mode', plainValues: ['off'] },
  },
} satisfies FurtherOriginInput;

const cloud = {
  id: 'cloud',
  label: 'Cloud API',
  reason: 'It reads what a query costs.',
  origin: 'https://api.example.com',
} satisfies FurtherOriginInput;

const signIn = {
  field: 'token',
  scheme: 'oauth2',
  grant: 'signIn',
  tokenUrl: { value: 'https://login.example.com/token' },
  authorizationUrl: { value: 'https://login.example.com/authorize' },
  clientId: { value: 'tabularium' },
} as const;

type Field = NonNullable<ManifestInput['connection']>['fields'][number];

function manifestWith(
  furtherOrigins: unknown,
  more: { fields?: readonly Field[]; http?: object; permissions?: object; sdk?: string } = {},
): unknown {
  return {
    manifestVersion: 1,
    id: 'x',
    sdk: more.sdk ?? '^1.1',
    title: 'X',
    tagline: 'An X.',
    category: 'other',
    icon: 'M0 0h24v24z',
    terms: { table: { one: 'T', other: 'Ts' }, row: { one: 'R', other: 'Rs' }, column: { one: 'C', other: 'Cs' } },
    connection: {
      fields: [
        { id: 'host', label: 'Host', type: 'text', default: 'localhost' },
        { id: 'port', label: 'Port', type: 'number' },
        { id: 'mode', label: 'Mode', type: 'select', options: [{ value: 'off', label: 'Off' }] },
        { id: 'dashboardsHost', label: 'Dashboards host', type: 'text' },
        { id: 'dashboardsPort', label: 'Dashboards port', type: 'number' },
        { id: 'key', label: 'Key', type: 'secret' },
        { id: 'token', label: 'Token', type: 'secret' },
        ...(more.fields ?? []),
      ],
    },
    permissions: {
      http: {
        origin: {
          host: { field: 'host', whenEmpty: 'localhost' },
          port: { field: 'port', whenEmpty: 80 },
          scheme: { field: 'mode', plainValues: ['off'] },
        },
        furtherOrigins,
        ...more.http,
      },
      ...more.permissions,
    },
    reading: { maxSorts: 0 },
  };
}

function problemsOf(value: unknown): string {
  const result = parseManifest(value);
  return result.ok ? '' : result.problems.join('\n');
}

describe('further origins of a manifest', () => {
  it('come from form fields or are fixed, and have no credentials unless they declare some', () => {
    const result = parseManifest(manifestWith([dashboards, { ...cloud, credentials: [{ field: 'key', scheme: 'bearer' }] }]));
    if (!result.ok) throw new Error(result.problems.join());
    expect(result.manifest.permissions.http?.furtherOrigins).toMatchObject([
      { id: 'dashboards', credentials: [] },
      { id: 'cloud', credentials: [{ field: 'key', scheme: 'bearer' }] },
    ]);
  });

  it('are none in a manifest without them', () => {
    const result = parseManifest(manifestWith(undefined));
    expect(result.ok && result.manifest.permissions.http?.furtherOrigins).toEqual([]);
  });

  it('have labels and reasons that can be translated', () => {
    const result = parseManifest({
      ...(manifestWith([dashboards]) as object),
      translations: { de: { texts: { '/permissions/http/furtherOrigins/0/reason': 'Es listet sie auf.' } } },
    });
    if (!result.ok) throw new Error(result.problems.join());
    expect(translatedManifest(result.manifest, 'de').permissions.http?.furtherOrigins[0]?.reason).toBe('Es listet sie auf.');
  });

  it('may be another port of the host of the first', () => {
    expect(problemsOf(manifestWith([{ ...dashboards, origin: { ...dashboards.origin, host: { field: 'host' } } }]))).toBe('');
  });

  it('may use the sign-in of the first', () => {
    expect(problemsOf(manifestWith([{ ...cloud, credentials: [signIn] }], { http: { credentials: [signIn] } }))).toBe('');
  });

  const hidden = { id: 'hidden', label: 'Hidden', type: 'text', visibleWhen: { field: 'mode', values: ['on'] } } satisfies Field;
  const preset = { id: 'preset', label: 'Preset', type: 'text', default: 'evil.example' } satisfies Field;
  const at = (field: string) => ({ ...dashboards, origin: { ...dashboards.origin, host: { field } } });
  const base = 'permissions.http.furtherOrigins';
  it.each<[string, unknown, string]>([
    [
      'one fixed address twice',
      manifestWith([cloud, { ...cloud, id: 'again' }]),
      `${base}: Two further origins have the same fixed`,
    ],
    ...['   ', '\t', '.\u200b'.slice(1), '\u3000'].flatMap((blank): [string, unknown, string][] => [
      ['a label without words', manifestWith([{ ...cloud, label: blank }]), `${base}.0.label: `],
      ['a reason without words', manifestWith([{ ...cloud, reason: blank }]), `${base}.0.reason: `],
    ]),
    [
      'a label that is too long',
      manifestWith([{ ...cloud, label: 'x'.repeat(41) }]),
      `${base}.0.label: It is longer than 40 characters.`,
    ],
    ...['^1.0', '1.0', '1.x', '~1.0.3', '>=1.0 <2'].map((sdk): [string, unknown, string] => [
      `the range ${sdk}`,
      manifestWith([cloud], { sdk }),
      'sdk: "permissions.http.furtherOrigins" is new in contract 1.1',
    ]),
    [
      'more than three',
      manifestWith([1, 2, 3, 4].map((n) => ({ ...cloud, id: `c${n}` }))),
      `${base}: It has more than 3 entries.`,
    ],
    ['two with one id', manifestWith([cloud, { ...dashboards, id: 'cloud' }]), `${base}: Two further origins have the same id.`],
    [
      'an id that is a member of every object',
      manifestWith([{ ...cloud, id: '__proto__' }]),
      `${base}.0.id: Use 1 to 40 letters`,
    ],
    ['no reason', manifestWith([{ ...cloud, reason: undefined }]), `${base}.0.reason: `],
    ['a field that is not there', manifestWith([at('nowhere')]), `${base}.0.origin.host: There is no form field "nowhere".`],
    ['a field of another type', manifestWith([at('port')]), `${base}.0.origin.host: The form field "port" must be of type text.`],
    [
      'a hidden host',
      manifestWith([at('hidden')], { fields: [hidden] }),
      `${base}.0.origin.host: The form field "hidden" decides`,
    ],
    [
      'a host of the driver’s choice',
      manifestWith([at('preset')], { fields: [preset] }),
      `${base}.0.origin.host: A person enters`,
    ],
    [
      'a host for an empty field',
      manifestWith([
        { ...dashboards, origin: { ...dashboards.origin, host: { field: 'dashboardsHost', whenEmpty: 'evil.example' } } },
      ]),
      `${base}.0.origin`,
    ],
    ['TLS of a fixed address', manifestWith([{ ...cloud, tls: { mode: { field: 'mode' } } }]), `${base}.0.tls: The certificate`],
    [
      'a fixed address that is not encrypted',
      manifestWith([{ ...cloud, origin: 'http://api.example.com' }]),
      `${base}.0.origin: A fixed`,
    ],
    [
      'a credential without a field',
      manifestWith([{ ...cloud, credentials: [{ field: 'nowhere', scheme: 'bearer' }] }]),
      `${base}.0.credentials.0: There is no form field "nowhere".`,
    ],
    [
      'a sign-in of its own',
      manifestWith([{ ...cloud, credentials: [signIn] }]),
      `${base}.0.credentials.0: A form has one sign-in`,
    ],
    [
      'a sign-in of the same field at another provider',
      manifestWith([{ ...cloud, credentials: [{ ...signIn, tokenUrl: { value: 'https://evil.example/token' } }] }], {
        http: { credentials: [signIn] },
      }),
      `${base}.0.credentials.0: A form has one sign-in`,
    ],
    [
      'a credential that the driver gets, too',
      manifestWith([{ ...cloud, credentials: [{ field: 'key', scheme: 'bearer' }] }], {
        permissions: { secrets: { fields: ['key'], reason: 'It signs in.' } },
      }),
      'permissions.secrets.fields.0: Tabularium adds "key" to requests itself',
    ],
  ])('are refused with %s', (_name, manifest, problem) => {
    expect(problemsOf(manifest)).toContain(problem);
  });
});

describe('a fixed address', () => {
  it('is the origin of a public service, as it is shown', () => {
    expect(publicAddress('https://api.example.com')).toEqual({ host: 'api.example.com', port: 443 });
    expect(publicAddress('https://api.example.com:8443')).toEqual({ host: 'api.example.com', port: 8_443 });
    expect(publicAddress('https://xn--bcher-kva.example')).toEqual({ host: 'xn--bcher-kva.example', port: 443 });
    const names = ['bücher', 'münchen', 'пример', '例え', 'παράδειγμα', 'مثال', 'a1-ü-b'].map(
      (name) => new URL(`https://${name}.example`).origin,
    );
    expect(names.map((name) => publicAddress(name).problem)).toEqual(names.map(() => undefined));
    expect(publicAddress(`https://${'a'.repeat(63)}.example`).problem).toBeUndefined();
  });

  it.each([
    '',
    'api.example.com',
    'http://api.example.com',
    'wss://api.example.com',
    'https://api.example.com/',
    'https://api.example.com/v1',
    'https://api.example.com?q',
    'https://api.example.com#f',
    'https://api.example.com:443',
    'https://API.example.com',
    'https://user@api.example.com',
    'https://user:password@api.example.com',
    'https://api.example.com\\@evil.example',
    'https://api.example.com.',
    'https://bücher.example',
    ' https://api.example.com',
    'https://localhost',
    'https://api.localhost',
    'https://printer.local',
    'https://metadata.google.internal',
    'https://router.lan',
    'https://nas.home.arpa',
    'https://intranet',
    'https://127.0.0.1',
    'https://2130706433',
    'https://0x7f000001',
    'https://169.254.169.254',
    'https://[::1]',
    'https://a_b.example.com',
    `https://${'a'.repeat(64)}.${'b.'.repeat(100)}example`,
    `https://${'a'.repeat(64)}.example`,
    'https://api.example.com:0',
    'https://hidden.onion',
    'https://1.0.0.10.in-addr.arpa',
    'https://a.ip6.arpa',
    'https://api.invalid',
    'https://api.example.test',
    ...[
      'xn--',
      'xn--a',
      'xn--a-',
      'xn--abc-',
      'xn--0',
      'xn--99999999',
      'xn--zzzzzzzzzzzz',
      'xn--a-ecp',
      'ab--cd',
      'xn--bcher-kva1-',
    ].map((label) => `https://${label}.example`),
  ])('is not %j', (text) => {
    expect(publicAddress(text).problem).toMatch(/^A fixed address /);
  });
});
