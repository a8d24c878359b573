import { parseManifest } from '@tabularium/sdk/manifest';
import { describe, expect, it } from 'vitest';
import search from '../../../../drivers/search/package.json' with { type: 'json' };
import sqlite from '../../../../drivers/sqlite/package.json' with { type: 'json' };
import { destinationLine } from './destinationLine.ts';

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

  it('is empty for a driver without requests', () => {
    expect(lineFor(sqlite, {})).toBe('');
  });
});
