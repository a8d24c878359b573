import type { Ask } from './guardedHttp.ts';

/** Begins the names of everything that any run creates. */
export const COMMON_PREFIX = 'tabularium-check-';
const RUN = /^tabularium-check-[0-9a-f]{16}-/;

/** Something on the server whose name says that a run created it. */
export interface Leftover {
  readonly kind: 'collection' | 'alias' | 'preset' | 'stopwords' | 'curation set' | 'synonym set' | 'key';
  readonly name: string;
  /** Prefix of the run that created it. */
  readonly prefix: string;
  /** Removes it. */
  readonly path: string;
}

interface Listing {
  readonly kind: Leftover['kind'];
  readonly path: string;
  /** Member that holds the list, if the answer isn't a list itself. */
  readonly member?: string;
  readonly name: string;
  readonly id?: string;
}

/** Aliases and collections before the sets: version 30 rejects every search of a collection whose set is gone. */
const LISTINGS: readonly Listing[] = [
  { kind: 'key', path: '/keys', member: 'keys', name: 'description', id: 'id' },
  { kind: 'alias', path: '/aliases', member: 'aliases', name: 'name' },
  { kind: 'collection', path: '/collections', name: 'name' },
  { kind: 'preset', path: '/presets', member: 'presets', name: 'name' },
  { kind: 'stopwords', path: '/stopwords', member: 'stopwords', name: 'id' },
  { kind: 'curation set', path: '/curation_sets', name: 'name' },
  { kind: 'synonym set', path: '/synonym_sets', name: 'name' },
];

/** Everything on the server that runs of this check created; a kind that the server lacks, or hides from the key, adds nothing. */
export async function leftoversOn(ask: Ask): Promise<Leftover[]> {
  const all: Leftover[] = [];
  for (const { kind, path, member, name, id = name } of LISTINGS) {
    const { status, text } = await ask('GET', path);
    if (status !== 200) continue;
    const answer = JSON.parse(text) as Record<string, unknown>;
    const items = member === undefined ? answer : answer[member];
    for (const item of Array.isArray(items) ? (items as Record<string, string | number>[]) : []) {
      const found = String(item[name]);
      const prefix = RUN.exec(found)?.[0];
      if (prefix === undefined) continue;
      all.push({ kind, name: found, prefix, path: `${path}/${encodeURIComponent(String(item[id])).replaceAll('.', '%2E')}` });
    }
  }
  return all;
}
