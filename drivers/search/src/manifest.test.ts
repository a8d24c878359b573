import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FILTER_OPERATORS } from '@tabularium/sdk';
import { parseManifest, untranslatedTexts } from '@tabularium/sdk/manifest';
import type { Manifest } from '@tabularium/sdk/manifest';

const packageJson = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { tabularium: unknown };

function manifest(): Manifest {
  const result = parseManifest(packageJson.tabularium);
  if (!result.ok) throw new Error(result.problems.join(' '));
  return result.manifest;
}

const field = (id: string): unknown => manifest().connection.fields.find((one) => one.id === id);

describe('the connection form', () => {
  it('asks for a host, a port, a key and how to encrypt; for no database, user, password, address or tunnel', () => {
    expect(manifest().connection.fields.map(({ id, type }) => `${id} ${type}`)).toEqual([
      'host text',
      'port number',
      'apiKey secret',
      'sslMode select',
      'caFile file',
      'clientCertificateFile file',
      'clientKeyFile file',
      'nodes text',
      'pathPrefix text',
      'skipTlsVerify toggle',
      'timeoutSeconds number',
    ]);
    expect(Object.keys(manifest().connection)).toEqual(['fields']);
    expect(JSON.stringify(packageJson.tabularium)).not.toMatch(/tunnel|ssh|socks|urlScheme/i);
  });

  it('fills in what most people mean', () => {
    expect(field('host')).toMatchObject({ placeholder: 'localhost', pane: 'general' });
    expect(field('port')).toMatchObject({
      default: 8108,
      suggestions: [{ value: 8108 }, { value: 443, label: 'Hosted service', sets: { sslMode: 'verifyIdentity' } }],
    });
    expect(field('apiKey')).toMatchObject({ required: true, pane: 'general' });
    expect(field('skipTlsVerify')).toMatchObject({ pane: 'options', default: false });
    expect(manifest().permissions.http?.origin).toMatchObject({ host: { whenEmpty: 'localhost' }, port: { whenEmpty: 8108 } });
  });

  it('has no further nodes and no path unless somebody enters them', () => {
    for (const id of ['nodes', 'pathPrefix']) expect(field(id)).toMatchObject({ pane: 'options', required: false, type: 'text' });
    for (const id of ['nodes', 'pathPrefix']) expect(field(id)).not.toHaveProperty('default');
    expect(manifest().permissions.http?.origin).toMatchObject({ nodes: { field: 'nodes' }, pathPrefix: { field: 'pathPrefix' } });
  });

  it('sends the key in both headers and in nothing else', () => {
    expect(manifest().permissions.http?.credentials).toMatchObject([
      { field: 'apiKey', headers: ['X-SEARCH-API-KEY', 'X-TYPESENSE-API-KEY'] },
    ]);
  });

  it('has four SSL modes: one plain, one that encrypts only, two that verify', () => {
    expect(field('sslMode')).toMatchObject({
      default: 'disabled',
      options: [{ label: 'Disabled' }, { label: 'Required' }, { label: 'Verify CA' }, { label: 'Verify Identity' }],
    });
    expect(manifest().permissions.http).toMatchObject({
      origin: { scheme: { field: 'sslMode', plainValues: ['disabled'] } },
      tls: {
        mode: { encryptOnly: ['required'], verifyChain: ['verifyCa'], verifyIdentity: ['verifyIdentity'] },
        skipVerification: 'skipTlsVerify',
      },
    });
  });
});

describe('the filter bar', () => {
  it('says of every operator of every class that it works, or why not', () => {
    for (const [name, { operators }] of Object.entries(manifest().filtering?.classes ?? {})) {
      const listed = operators.map((entry) => (typeof entry === 'string' ? entry : entry.operator));
      expect([...listed].sort(), name).toEqual([...FILTER_OPERATORS].sort());
    }
  });

  it.each(['isNull', 'isNotNull', 'isEmpty', 'isNotEmpty', 'matchesRegex', 'endsWith'])('refuses %s everywhere', (operator) => {
    for (const { operators } of Object.values(manifest().filtering?.classes ?? {})) {
      const entry = operators.find((one) => typeof one !== 'string' && one.operator === operator);
      expect(typeof entry === 'string' ? undefined : entry?.refused).toMatch(/\.$/);
    }
  });

  it('dims the case control, and offers a raw filter', () => {
    expect(manifest().filtering?.caseControl).toMatchObject({
      available: false,
      reason: expect.stringContaining('Not supported by this database') as string,
    });
    expect(manifest().filtering?.raw?.help).toContain('filter_by');
    expect(manifest().reading).toMatchObject({ defaultPageSize: 1_000, maxSorts: 3 });
  });
});

it('has every text in German, but its own name', () => {
  expect([...untranslatedTexts(manifest(), 'de').keys()]).toEqual(['Search Server (Typesense)']);
});
