import type { CurationEffect } from './readCuration.ts';

/** Pinned documents and, where rules filter them, only those that the filters match; the remaining ones then move up to the first of the places. */
export const filteredPins = (
  { filtersPins, matches, perPlace, pins }: CurationEffect,
  sequences: Uint32Array,
): CurationEffect['pins'] => {
  if (!filtersPins) return pins.map((pin) => ({ ...pin, sequences: pin.sequences.slice(0, perPlace) }));
  const found = [sequences, ...matches].map((list) => new Set(list));
  const matching = pins.map((pin) => pin.sequences.filter((sequence) => found.every((set) => set.has(sequence))));
  const filled = matching.filter((all) => all.length > 0);
  return filled.map((all, at) => ({ position: pins[at]?.position ?? 0, sequences: all.slice(0, perPlace) }));
};

/** The result after the rules: nothing that is hidden, nothing that their filters don't match, nothing that is pinned. */
export const curated = (
  sequences: Uint32Array,
  { hidden, matches }: CurationEffect,
  pins: CurationEffect['pins'],
): Uint32Array => {
  const pinned = new Set(pins.flatMap((pin) => pin.sequences));
  const found = matches.map((list) => new Set(list));
  return sequences.filter(
    (sequence) => !hidden.has(sequence) && !pinned.has(sequence) && found.every((set) => set.has(sequence)),
  );
};
