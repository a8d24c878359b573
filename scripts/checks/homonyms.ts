import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A name that several files export, each its own declaration. */
export interface Homonym {
  readonly name: string;
  /** Relative to the root, sorted. */
  readonly files: readonly string[];
}

const SOURCES = [
  'host/src/**/*.{ts,tsx}',
  'sdk/src/**/*.ts',
  'drivers/*/src/**/*.ts',
  'create-driver/src/**/*.ts',
  'registry/src/**/*.ts',
];
const NOT_SOURCES = /\.test\.|\.test-helper\.|\/dist\/|\/node_modules\/|\/renderer\/i18n\//;
const DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:class|interface|type|function\*?|const|enum) +(?<name>[\p{L}_$][\p{L}\d_$]*)/gmu;

/**
 * The names that more than one file declares and exports: a reader, and a search, can't distinguish them. Drivers count as one place: each
 * has its own function for the same part of the contract. The window's strings don't count: their sections are named after screens.
 *
 * @returns sorted by name
 */
export function findHomonyms(root: string): Homonym[] {
  const declared = new Map<string, Map<string, string>>();
  const files = globSync(SOURCES, { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  for (const file of files.filter((one) => !NOT_SOURCES.test(one)).sort()) {
    for (const { groups } of readFileSync(join(root, file), 'utf8').matchAll(DECLARATION)) {
      const name = groups?.['name'] ?? '';
      const places = declared.get(name) ?? new Map<string, string>();
      const place = file.startsWith('drivers/') ? 'drivers' : file;
      if (!places.has(place)) places.set(place, file);
      declared.set(name, places);
    }
  }
  return [...declared]
    .filter(([, places]) => places.size > 1)
    .map(([name, places]) => ({ name, files: [...places.values()].sort() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
