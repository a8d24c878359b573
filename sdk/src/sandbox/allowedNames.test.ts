import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importProblem, isImportable } from './importProblem.ts';
import { allowedTables } from './allowedTables.test-helper.ts';

const guide = readFileSync(new URL('../../../docs/guide/driver-security.md', import.meta.url), 'utf8');
/** Without what only aligns a table. */
const plain = (text: string): string => text.replaceAll(/-{3,}/g, '---').replaceAll(/[ \t]+/g, ' ');

describe('the list of what a driver keeps', () => {
  it('is printed in the guide as it is', () => {
    expect(plain(guide)).toContain(plain(allowedTables()));
  });
});

describe('an import', () => {
  it.each([
    ['node:fs', [], true],
    ['fs', [], true],
    ['node:net', [], true],
    ['node:http', [], false],
    ['node:http', ['network'], true],
    ['node:sqlite', ['network'], false],
    ['node:child_process', ['network', 'files', 'sqlite', 'addons'], false],
    ['node:constructor', [], false],
  ] as const)('of %s with the grants %j: %s', (specifier, grants, expected) => {
    expect(isImportable(specifier, grants)).toBe(expected);
  });

  it('that is refused says why and what to do', () => {
    expect(importProblem('child_process')).toBe(
      "The driver imports node:child_process, which drivers can't use. Remove the import, or the library that needs it; docs/guide/driver-security.md lists what a driver can import.",
    );
    expect(importProblem('node:sqlite')).toBe(
      'The driver imports node:sqlite, which drivers can\'t use without the grant "sqlite". Use what the context of the connection gives, or ask for the grant in the manifest; docs/guide/driver-security.md lists what a driver can import.',
    );
  });
});
