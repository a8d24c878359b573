import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { floors } from '../eslint/floorTable.ts';
import { roomLists } from '../eslint/roomTable.ts';
import { root } from '../paths.ts';
import { architectureImage } from './architectureImage.ts';

describe('docs/images/architecture.svg', () => {
  it('shows the floors and rooms of the lint rules; "npm run api" writes it', () => {
    expect(readFileSync(join(root, 'docs/images/architecture.svg'), 'utf8')).toBe(architectureImage(floors, roomLists));
  });

  it('puts every floor above the floors that it imports', () => {
    const svg = architectureImage(floors, roomLists);
    const places = new Map(
      [...svg.matchAll(/<rect x="[\d.]+" y="(\d+)"[^>]*rx="6"\/><text[^>]*>([^<]+)<\/text>/g)].map(([, y, name = '']) => [
        name,
        Number(y),
      ]),
    );
    expect([...places.keys()].sort()).toEqual(floors.map(({ name }) => name).sort());
    const wrong = floors.flatMap(({ name, mayImport, mayImportTypesOf = [] }) =>
      [...mayImport, ...mayImportTypesOf]
        .filter((lower) => (places.get(lower) ?? 0) <= (places.get(name) ?? 0))
        .map((lower) => `${name} ${lower}`),
    );
    expect(wrong).toEqual([]);
  });

  it('says which floor a wrong table lacks', () => {
    const floor = { name: 'a', folder: 'a', mayImport: ['b'], node: true, packages: 'any' as const };
    expect(() => architectureImage([floor], [])).toThrow('names b, which it does not have');
  });
});
