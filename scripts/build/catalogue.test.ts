import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { renderCatalogue } from './catalogue.ts';

let root: string;

function putDriver(folder: string, json: object): void {
  mkdirSync(join(root, 'drivers', folder), { recursive: true });
  writeFileSync(join(root, 'drivers', folder, 'package.json'), JSON.stringify(json));
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tabularium-catalogue-'));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

describe('renderCatalogue', () => {
  it('lists the packages with a manifest, by folder, and no more of them than the manifest', () => {
    putDriver('b', { name: 'driver-b', version: '2.0.0', description: 'B', license: 'MIT', tabularium: { id: 'b' } });
    putDriver('a', { name: 'driver-a', version: '1.0.0', description: 'A', tabularium: { id: 'a' } });
    putDriver('library', { name: 'no-driver', version: '1.0.0', description: '' });
    expect(JSON.parse(renderCatalogue(root))).toEqual({
      formatVersion: 1,
      drivers: [
        { name: 'driver-a', version: '1.0.0', description: 'A', tabularium: { id: 'a' } },
        { name: 'driver-b', version: '2.0.0', description: 'B', tabularium: { id: 'b' } },
      ],
    });
  });

  it('names the file that lacks a field', () => {
    putDriver('a', { name: 'driver-a', version: '1.0.0', tabularium: {} });
    expect(() => renderCatalogue(root)).toThrow(/drivers[\\/]a[\\/]package\.json needs "name", "version" and "description"/);
  });

  it('is empty without drivers', () => {
    expect(JSON.parse(renderCatalogue(root))).toEqual({ formatVersion: 1, drivers: [] });
  });
});
