import type { CurationEffect } from './readCuration.ts';

export interface Placed {
  readonly order: Uint32Array;
  /** A hit that is in its place because it is pinned. */
  readonly pinned: ReadonlySet<number>;
}

/**
 * Puts what is pinned into an order that does not hold it. The first of a position gets it; a position that is never reached,
 * or was passed already, leaves that pin and those after it for the end.
 */
export const placePins = (order: Uint32Array, pins: CurationEffect['pins']): Placed => {
  const waiting = pins.flatMap(({ position, sequences: [first] }) =>
    first === undefined ? [] : [{ position, sequence: first }],
  );
  const merged = new Uint32Array(order.length + waiting.length);
  const pinned = new Set(waiting.map(({ sequence }) => sequence));
  let next = 0;
  let length = 0;
  const add = (sequence: number): void => {
    merged[length] = sequence;
    length += 1;
  };
  for (const sequence of order) {
    for (let pin = waiting[next]; pin?.position === length + 1; pin = waiting[next]) {
      add(pin.sequence);
      next += 1;
    }
    add(sequence);
  }
  for (const { sequence } of waiting.slice(next)) add(sequence);
  return { order: merged, pinned };
};
