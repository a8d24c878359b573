import { parseManifest } from '@tabularium/sdk/manifest';
import { describe, expect, it } from 'vitest';
import search from '../../../../drivers/search/package.json' with { type: 'json' };
import sqlite from '../../../../drivers/sqlite/package.json' with { type: 'json' };
import { furtherOrigin, manifestWith } from '../../runtime/drivers/broker/credentials/credentials.test-helper.ts';
import { destinationLine } from './destinationLine.ts';
import { furtherOriginLines } from './furtherOriginLines.ts';

function lineFor(packageJson: { readonly tabularium: unknown }, settings: Readonly<Record<string, string | number>>): string {
  const result = parseManifest(packageJson.tabularium);
  if (!result.ok) throw new Error(result.problems.join());
  return destinationLine(result.manifest, settings);
}

describe('the line about a new connection', () => {
  it('names the server and the protection', () => {
    expect(lineFor(search, { host: 'db.example', port: 443, sslMode: 'verifyIdentity' })).toBe(
      'Requests and credentials go to https://db.example:443 (certificate and host name checked).\n',
    );
    expect(lineFor(search, { host: 'db.example', port: 80, sslMode: 'disabled' })).toBe(
      'Requests and credentials go to http://db.example:80 (not encrypted).\n',
    );
  });

  it('says where tokens come from, fixed in the manifest or in the form', () => {
    const grant = { grant: 'clientCredentials', clientId: 'user', field: 'key' } as const;
    const fixed = manifestWith([{ scheme: 'oauth2', ...grant, tokenUrl: { value: 'https://login.example/token' } }]);
    const entered = manifestWith([{ scheme: 'oauth2', ...grant, tokenUrl: { field: 'url' } }]);
    const settings = { host: 'db.example', port: 80, mode: 'tls', user: 'app', url: 'https://own.example/t' };
    expect(destinationLine(fixed, settings)).toContain('\nTokens come from https://login.example.\n');
    expect(destinationLine(entered, settings)).toContain('\nTokens come from https://own.example.\n');
    expect(destinationLine(entered, { ...settings, url: 'own' })).not.toContain('Tokens');
  });

  it('is empty for a driver without requests', () => {
    expect(lineFor(sqlite, {})).toBe('');
  });
});

describe('the lines about further origins', () => {
  const manifest = manifestWith(
    [],
    [
      furtherOrigin('boards', [{ scheme: 'bearer', field: 'token' }], { reason: 'It lists "boards".' }),
      furtherOrigin('cloud', [], { origin: 'https://api.example.com', label: 'Cloud API' }),
    ],
  );

  it('say where else requests go, with which credentials and why', () => {
    const settings = { host: 'db.example', port: 80, mode: 'tls', host2: 'boards.example', port2: 5_601 };
    expect(destinationLine(manifest, settings).split('\n')).toEqual([
      'Requests and credentials go to https://db.example:80 (certificate and host name checked).',
      'Requests with token also go to "The boards" at https://boards.example:5601 (certificate and host name checked). The driver says why: "It lists \\"boards\\"."',
      'Requests without credentials also go to "Cloud API" at https://api.example.com:443 (certificate and host name checked). The driver says why: "It is needed."',
      '',
    ]);
  });

  it('leave out an origin without an address, and one whose address is none', () => {
    for (const host2 of ['', 'me:pass@boards.example'])
      expect(destinationLine(manifest, { host: 'db.example', port: 80, host2 })).not.toMatch(/boards|pass/);
  });

  it('say before a form is filled in what a driver may reach', () => {
    expect(furtherOriginLines(manifest)).toBe(
      'It also sends requests to "The boards", where a connection names its address. The driver says why: "It lists \\"boards\\"."\n' +
        'It also sends requests to "Cloud API" at https://api.example.com. The driver says why: "It is needed."\n',
    );
    expect(furtherOriginLines(manifestWith([]))).toBe('');
  });
});
