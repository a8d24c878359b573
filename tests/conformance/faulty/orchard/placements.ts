import { DriverError } from '@tabularium/sdk';
import type { HitPlacement, ObjectChange, RowKey, TableRef } from '@tabularium/sdk';
import { keyOf } from './world.ts';
import type { World } from './world.ts';

// Hits of a search that a note places: {"text": …, "pins": {key: rank}, "hidden": [key]}.

interface Placements {
  readonly pins: Readonly<Record<string, number>>;
  readonly hidden: readonly string[];
}

const words = (text: string): string => text.trim().toLowerCase();
const nameOf = (table: TableRef, text: string): string => `hits of ${keyOf(table)} for ${words(text)}`;

function placementsIn(document: string | undefined): Placements {
  return document === undefined ? { pins: {}, hidden: [] } : (JSON.parse(document) as Placements);
}

/** Ranked rows as the note for their words places them. */
export function placed<T>(world: World, table: TableRef, text: string, ranked: readonly T[], keyOfRow: (row: T) => RowKey): T[] {
  const { pins, hidden } = placementsIn(world.notes.get(nameOf(table, text)));
  const key = (row: T): string => JSON.stringify(keyOfRow(row));
  const free = ranked.filter((row) => !hidden.includes(key(row)) && pins[key(row)] === undefined);
  const pinned = ranked.filter((row) => pins[key(row)] !== undefined);
  for (const row of pinned.toSorted((a, b) => (pins[key(a)] ?? 0) - (pins[key(b)] ?? 0))) {
    free.splice((pins[key(row)] ?? 1) - 1, 0, row);
  }
  return free;
}

/** The change of the note that places a hit. */
export function placement(world: World, hit: HitPlacement): ObjectChange {
  world.table(hit.table);
  if (words(hit.text) === '')
    throw new DriverError('INVALID_INPUT', 'Any search finds everything.', { details: { field: 'text' } });
  const object = { kind: 'note', name: nameOf(hit.table, hit.text) };
  const was = world.notes.get(object.name);
  const { pins: allPins, hidden: allHidden } = placementsIn(was);
  const key = JSON.stringify(hit.key);
  const { [key]: rank, ...otherPins } = allPins;
  const otherHidden = allHidden.filter((one) => one !== key);
  if (hit.action === 'release' && rank === undefined && otherHidden.length === allHidden.length) {
    throw new DriverError('CONFLICT', 'No note places this row.');
  }
  const pins = hit.action === 'pin' ? { ...otherPins, [key]: hit.rank } : otherPins;
  const hidden = hit.action === 'hide' ? [...otherHidden, key] : otherHidden;
  if (Object.keys(pins).length + hidden.length === 0) return { action: 'remove', object };
  return { action: 'save', object, document: JSON.stringify({ text: words(hit.text), pins, hidden }), was: was ?? null };
}
