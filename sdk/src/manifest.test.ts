import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import search from '../../drivers/search/package.json' with { type: 'json' };
import ledger from '../../tests/fixtures/ledger-driver/package.json' with { type: 'json' };
import { parseManifest, translatedManifest, untranslatedTexts } from './manifest.ts';
import type { FormField, HttpPermission, Manifest, ManifestInput, ManifestResult, Permissions } from './manifest.ts';
import { manifestPaths } from './manifestPaths.test-helper.ts';

/** The smallest manifest there is. */
const smallest = {
  manifestVersion: 1,
  id: 'x',
  sdk: '^1.0',
  title: 'X',
  tagline: 'An X.',
  category: 'other',
  icon: 'M0 0h24v24z',
  terms: { table: { one: 'T', other: 'Ts' }, row: { one: 'R', other: 'Rs' }, column: { one: 'C', other: 'Cs' } },
  connection: {
    fields: [
      { id: 'host', label: 'Host', type: 'text' },
      { id: 'port', label: 'Port', type: 'number' },
      { id: 'key', label: 'Key', type: 'secret' },
      { id: 'mode', label: 'Mode', type: 'select', options: [{ value: 'off', label: 'Off' }] },
    ],
  },
  permissions: {},
  reading: { maxSorts: 0 },
} satisfies ManifestInput;

const http = {
  origin: {
    host: { field: 'host', whenEmpty: 'localhost' },
    port: { field: 'port', whenEmpty: 80 },
    scheme: { field: 'mode', plainValues: ['off'] },
  },
} satisfies ManifestInput['permissions']['http'];

function problemsOf(value: unknown): string {
  const result = parseManifest(value);
  return result.ok ? '' : result.problems.join('\n');
}

describe('a manifest', () => {
  it('is filled in with every default', () => {
    const result = parseManifest({ ...smallest, permissions: { http } });
    if (!result.ok) throw new Error(result.problems.join());
    expect(result.manifest.reading).toEqual({ maxSorts: 0, pageSizes: [100, 250, 500, 1_000, 5_000], defaultPageSize: 1_000 });
    expect(result.manifest.permissions).toMatchObject({ files: [], http: { credentials: [], timeoutMilliseconds: 30_000 } });
    expect(result.manifest.connection.fields[0]).toMatchObject({ pane: 'general', required: false, maxLength: 1_000 });
  });

  it.each([search, ledger])('of $name is valid', (packageJson) => {
    expect(problemsOf(packageJson.tabularium)).toBe('');
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'tabularium: '],
    ['a member that nobody knows', { ...smallest, colour: 'red' }, 'colour'],
    ['a bad id', { ...smallest, id: 'X Y' }, 'id: '],
    ['markup in the icon', { ...smallest, icon: '<script>' }, 'icon: '],
    [
      'two fields of one id',
      { ...smallest, connection: { fields: [smallest.connection.fields[0], smallest.connection.fields[0]] } },
      'same id',
    ],
    [
      'a field that depends on none',
      { ...smallest, connection: { fields: [{ id: 'a', label: 'A', type: 'text', visibleWhen: { field: 'b', values: [1] } }] } },
      'does not exist',
    ],
    [
      'an origin of a field that is none',
      { ...smallest, permissions: { http: { ...http, origin: { ...http.origin, host: { field: 'nope', whenEmpty: 'x' } } } } },
      'There is no form field "nope"',
    ],
    ...(['host', 'port', 'mode', 'skip'] as const).map((hidden): [string, unknown, string] => [
      `credentials that go where the hidden field "${hidden}" says`,
      {
        ...smallest,
        connection: {
          fields: [...smallest.connection.fields, { id: 'skip', label: 'Skip', type: 'toggle', default: true }].map((field) =>
            field.id === hidden ? { ...field, visibleWhen: { field: 'key', values: ['never'] } } : field,
          ),
        },
        permissions: { http: { ...http, tls: { mode: { field: 'mode' }, skipVerification: 'skip' } } },
      },
      `The form field "${hidden}" decides where credentials go`,
    ]),
    [
      'a credential that is no secret',
      { ...smallest, permissions: { http: { ...http, credentials: [{ field: 'host', headers: ['X-Key'] }] } } },
      'must be of type secret',
    ],
    [
      'a file grant of a text',
      { ...smallest, permissions: { files: [{ field: 'host', access: 'read', reason: 'Because.' }] } },
      'must be of type file',
    ],
    [
      'an operator that nobody knows',
      { ...smallest, filtering: { classes: { a: { operators: ['resembles'] } }, caseControl: { available: true } } },
      'filtering.classes.a.operators',
    ],
    ['a reason that is missing', { ...smallest, filtering: { classes: {}, caseControl: { available: false } } }, 'caseControl'],
  ])('with %s is refused in words', (_name, value, words) => {
    expect(problemsOf(value)).toContain(words);
  });

  it.each(['^1.99', '~2.0', '>=1.99 <3', '7'])(
    'with a field that is not known says to update, where it needs contract %s',
    (sdk) => {
      const result = parseManifest({ ...smallest, sdk, permissions: { camera: true } });
      expect(result).toMatchObject({ ok: false, newer: true });
      expect(!result.ok && result.problems.join()).toMatch(/^sdk: this driver needs contract .*Update Tabularium\.$/);
      // Readable parts are read: whether the contract fits is decided by the whole range.
      expect(parseManifest({ ...smallest, sdk })).toMatchObject({ ok: true });
    },
  );

  it.each(['^1.0', '1', 'x', '<2', '*'])('with a field that is not known is wrong, where it says %s', (sdk) => {
    expect(parseManifest({ ...smallest, sdk, permissions: { camera: true } })).toMatchObject({ ok: false, newer: false });
  });

  it('refuses hidden characters in every text, and names the text', () => {
    const spoilt = JSON.stringify(smallest).replaceAll(/"(title|tagline|one|other|label)":"/g, '"$1":"\\u202e');
    const sentence = 'The text holds the character U+202E, which people cannot see. Remove it.';
    expect(problemsOf(JSON.parse(spoilt))).toContain(`title: ${sentence}`);
    for (const path of [
      'tagline',
      'terms.table.one',
      'terms.row.other',
      'connection.fields.0.label',
      'connection.fields.3.options.0.label',
    ])
      expect(problemsOf(JSON.parse(spoilt))).toContain(`${path}: ${sentence}`);
    for (const character of [
      '\u0000',
      '\u001b',
      '\u009b',
      '\u00ad',
      '\u061c',
      '\u200b',
      '\u2066',
      '\u2028',
      '\u3164',
      '\u{e0041}',
      '\ud800',
      '\n',
    ])
      expect(problemsOf({ ...smallest, title: `a${character}b` })).toContain('title: The text holds the character U+');
    expect(parseManifest({ ...smallest, title: '👩‍💻 می\u200cخواهم' }).ok).toBe(true);
  });

  describe('of a driver whose people sign in at a provider', () => {
    const signIn = {
      scheme: 'oauth2',
      grant: 'signIn',
      field: 'key',
      clientId: { value: 'tabularium' },
      authorizationUrl: { value: 'https://login.example/authorize' },
      deviceUrl: { value: 'https://login.example/device' },
      tokenUrl: { value: 'https://login.example/token' },
      revocationUrl: { value: 'https://login.example/revoke' },
    };
    const withCredential = (change: object): object => ({
      ...smallest,
      permissions: { http: { ...http, credentials: [{ ...signIn, ...change }] } },
    });
    const AT = 'permissions.http.credentials.0';

    it('may name its addresses by https, or by http on this computer, or leave them to fields', () => {
      expect(problemsOf(withCredential({}))).toBe('');
      for (const host of ['127.0.0.1:9000', '[::1]:9000', 'localhost:9000'])
        expect(problemsOf(withCredential({ tokenUrl: { value: `http://${host}/token` } })), host).toBe('');
      expect(problemsOf(withCredential({ tokenUrl: { field: 'host' } }))).toBe('');
    });

    it.each(['authorizationUrl', 'deviceUrl', 'tokenUrl', 'revocationUrl'])('is refused with an unsafe %s', (part) => {
      for (const [value, why] of [
        ['http://login.example/x', 'begins with https://'],
        ['http://localhost.login.example/x', 'begins with https://'],
        ['http://127.0.0.1.login.example/x', 'begins with https://'],
        ['javascript:alert(1)', 'begins with https://'],
        ['file:///etc/passwd', 'begins with https://'],
        ['login.example/x', 'whole address'],
        ['https://ada:secret@login.example/x', 'Remove the user name'],
        ['https://login.example/x#there', 'from "#" on'],
      ] as const) {
        const problems = problemsOf(withCredential({ [part]: { value } }));
        expect(problems, value).toContain(`${AT}.${part}.value`);
        expect(problems, value).toContain(why);
      }
    });

    it('is refused with an address of client credentials that is not encrypted', () => {
      const { authorizationUrl: _a, deviceUrl: _d, revocationUrl: _r, ...rest } = signIn;
      const change = { ...rest, grant: 'clientCredentials', clientId: 'host', tokenUrl: { value: 'http://login.example/token' } };
      const problems = problemsOf({ ...smallest, permissions: { http: { ...http, credentials: [change] } } });
      expect(problems).toContain(`${AT}.tokenUrl.value`);
    });

    it.each([
      ['a redirect of its own', { redirectUri: { value: 'https://driver.example/callback' } }, 'redirectUri'],
      ['an unknown scheme', { scheme: 'oauth3' }, 'scheme'],
      ['an unknown grant', { grant: 'password' }, 'grant'],
      ['a token as text', { refreshToken: 'M4RKED' }, 'refreshToken'],
      ['no way for a person to sign in', { authorizationUrl: undefined, deviceUrl: undefined }, 'authorizationUrl'],
      ['a field that is no secret', { field: 'host' }, 'field'],
      ['an address in a field that is no text', { tokenUrl: { field: 'port' } }, 'tokenUrl'],
      ['an address both ways', { tokenUrl: { field: 'host', value: 'https://login.example/token' } }, 'tokenUrl'],
    ])('is refused with %s', (_what, change, names) => {
      const problems = problemsOf(withCredential(change));
      expect(problems).toContain(AT);
      expect(problems).toContain(names);
    });
  });

  it('of a newer form says to update', () => {
    expect(parseManifest({ manifestVersion: 2 })).toMatchObject({
      ok: false,
      newer: true,
      problems: [expect.stringContaining('Update Tabularium') as string],
    });
    expect(parseManifest({ manifestVersion: 0 })).toMatchObject({ ok: false, newer: false });
  });

  it('is documented, member by member, with what is required and what is preset', () => {
    const reference = readFileSync(new URL('../../docs/reference/manifest.md', import.meta.url), 'utf8');
    const documented = new Map<string, string>();
    for (const [, path = '', required = '', preset = '', meaning = ''] of reference.matchAll(
      /^\| `([^`]+)` *\| *(yes|) *\| *(?:`([^`]+)`)? *\| (.*?) *\|$/gm,
    )) {
      expect(meaning, path).not.toBe('');
      documented.set(path, `${required} ${preset}`.trim());
    }
    const expected = [...manifestPaths()].map(([path, { required, default: preset }]): [string, string] => [
      path,
      `${required ? 'yes' : ''} ${preset === undefined ? '' : JSON.stringify(preset)}`.trim(),
    ]);
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(expected));
  });
});

it('has these types', () => {
  expectTypeOf(parseManifest).toEqualTypeOf<(value: unknown) => ManifestResult>();
  expectTypeOf<Extract<ManifestResult, { ok: true }>['manifest']>().toEqualTypeOf<Manifest>();
  expectTypeOf<Manifest['permissions']>().toEqualTypeOf<Permissions>();
  expectTypeOf<NonNullable<Permissions['http']>>().toEqualTypeOf<HttpPermission>();
  expectTypeOf<Manifest['connection']['fields'][number]>().toEqualTypeOf<FormField>();
  expectTypeOf<FormField['type']>().toEqualTypeOf<'text' | 'number' | 'toggle' | 'select' | 'secret' | 'file'>();
  expectTypeOf<Manifest>().toExtend<ManifestInput>();
  expectTypeOf<ManifestInput['manifestVersion']>().toEqualTypeOf<1>();
});

describe('translations', () => {
  const translated = (texts: Readonly<Record<string, string>>) => ({ ...smallest, translations: { de: { texts } } });
  const fields = '/connection/fields';

  it('replace the texts at their pointers, and the same words elsewhere', () => {
    const twice = {
      ...smallest,
      connection: { fields: [...smallest.connection.fields, { id: 'other', label: 'Host', type: 'text' as const }] },
      translations: { de: { texts: { [`${fields}/0/label`]: 'Rechner', [`${fields}/3/options/0/label`]: 'Aus' } } },
    };
    expect(parseManifest(twice).ok).toBe(true);
    const german = translatedManifest(twice, 'de-AT');
    expect(german.connection.fields.map(({ label }) => label)).toEqual(['Rechner', 'Port', 'Key', 'Mode', 'Rechner']);
    expect(german.connection.fields[3]).toMatchObject({ id: 'mode', options: [{ value: 'off', label: 'Aus' }] });
    // English stays where a text has no translation, and the manifest that was given is not changed.
    expect(german.title).toBe('X');
    expect(twice.connection.fields[0]?.label).toBe('Host');
    expect(translatedManifest(twice, 'fr')).toBe(twice);
    expect([...untranslatedTexts(twice, 'de').keys()]).not.toContain('Host');
    expect(untranslatedTexts(twice, 'de').get('Port')).toBe(`${fields}/1/label`);
  });

  it.each([
    ['/connection/fields/0/id', 'rechner', 'The manifest has no text at this pointer.'],
    ['/connection/fields/9/label', 'Rechner', 'The manifest has no text at this pointer.'],
    ['connection', 'x', 'A name in it can’t be used.'],
    ['/title', 'x'.repeat(81), 'Use at most 80 characters.'],
    ['/title', 'T\u202eX', 'which people cannot see'],
  ])('at %s are refused', (pointer, text, problem) => {
    expect(problemsOf(translated({ [pointer]: text }))).toContain(problem);
  });

  it('leave ids, values and patterns alone, also where a text has the same words', () => {
    const same = { ...translated({ [`${fields}/0/label`]: 'Rechner' }), id: 'host' };
    expect(translatedManifest({ ...same, title: 'Host' }, 'de')).toMatchObject({ id: 'host', title: 'Rechner' });
  });
});
