import { RepeatedSecret } from '../drivers/broker/repeatedSecret.ts';
import { SHORTEST_SOUGHT, hideValue } from './hideValue.ts';

/** The kind of a secret value. Of a token there is another one every few minutes, of a value that a person entered rarely. */
export type UsedKind = 'value' | 'access' | 'refresh';

/** Where one value takes the place of another. */
export interface UsedPlace {
  /** The key of a connection that is not saved yet is the empty string. */
  readonly connectionId: string;
  readonly field: string;
  readonly kind: UsedKind;
}

/** A token that was replaced is sought for this long. Providers give access tokens an hour or less. Milliseconds. */
const REPLACED_TIME = 24 * 60 * 60_000;
/**
 * As many replaced values of one place are sought. With the 10,000 tokens of a long run, the search of a text of 100 kB took 208 ms on a busy machine of two
 * cores; with the 66 that are left it takes 6 ms.
 */
const MOST_REPLACED = 32;

interface Slot {
  readonly kind: UsedKind;
  current: string | undefined;
  /** Milliseconds since 1970 when each was replaced, the longest ago first. */
  readonly replaced: Map<string, number>;
}

/**
 * The secret values that were handed out in this run. The one in use stays, however old it is. Of those that were replaced a bounded number stays, because a
 * request or a log may still have one.
 */
export class UsedSecrets {
  readonly #connections = new Map<string, Map<string, Slot>>();
  readonly #now: () => number;
  /** Of the values that were sought, which are sought in every line of the log. */
  readonly #encodings = new Map<string, readonly string[]>();
  /** Nothing ends before. */
  #nextEnd = Infinity;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** A value that is used from now on, in the place of the one before. A value that is too short to be sought in a text is left out. */
  remember({ connectionId, field, kind }: UsedPlace, value: string): void {
    if (value.length < SHORTEST_SOUGHT) return;
    const slots = this.#connections.get(connectionId) ?? new Map<string, Slot>();
    this.#connections.set(connectionId, slots);
    const name = JSON.stringify([field, kind]);
    const slot = slots.get(name) ?? { kind, current: undefined, replaced: new Map<string, number>() };
    slots.set(name, slot);
    if (slot.current !== value) {
      this.#replace(slot);
      slot.replaced.delete(value);
      slot.current = value;
    }
    this.#prune();
  }

  /** The connection is gone, or the form is closed: its values are used no more. @param field - undefined: all of them */
  release(connectionId: string, field?: string): void {
    for (const [name, slot] of this.#connections.get(connectionId) ?? []) {
      if (field !== undefined && (JSON.parse(name) as string[])[0] !== field) continue;
      this.#replace(slot);
    }
    // Values that were replaced before may end at once now.
    this.#nextEnd = 0;
    this.#prune();
  }

  of(connectionId: string): readonly string[] {
    this.#prune();
    return [...new Set(valuesOf(this.#connections.get(connectionId)))];
  }

  /** A text without any of the values, as they are and encoded. */
  redact(text: string): string {
    this.#prune();
    let result = text;
    for (const slots of this.#connections.values())
      for (const value of valuesOf(slots))
        for (const form of [value, ...this.#encodingsOf(value)]) result = hideValue(result, form);
    return result;
  }

  #encodingsOf(value: string): readonly string[] {
    const known = this.#encodings.get(value);
    if (known !== undefined) return known;
    const { encodings } = new RepeatedSecret(value);
    this.#encodings.set(value, encodings);
    return encodings;
  }

  #replace(slot: Slot): void {
    if (slot.current === undefined) return;
    slot.replaced.delete(slot.current);
    slot.replaced.set(slot.current, this.#now());
    slot.current = undefined;
    // Of values that end, too. Those that stay are encoded again.
    this.#encodings.clear();
    this.#nextEnd = Math.min(this.#nextEnd, this.#now() + REPLACED_TIME);
    for (const oldest of slot.replaced.keys()) {
      if (slot.replaced.size <= MOST_REPLACED) break;
      slot.replaced.delete(oldest);
    }
  }

  #prune(): void {
    const now = this.#now();
    if (now < this.#nextEnd) return;
    this.#nextEnd = Infinity;
    this.#encodings.clear();
    for (const [connectionId, slots] of this.#connections) {
      for (const [name, slot] of slots) {
        for (const [value, since] of slot.replaced) {
          // A session may still run with a password that was replaced; a token that was replaced is spent, or ends soon.
          if (slot.kind === 'value' && slot.current !== undefined) break;
          if (since + REPLACED_TIME <= now) slot.replaced.delete(value);
          else this.#nextEnd = Math.min(this.#nextEnd, since + REPLACED_TIME);
        }
        if (slot.current === undefined && slot.replaced.size === 0) slots.delete(name);
      }
      if (slots.size === 0) this.#connections.delete(connectionId);
    }
  }
}

function* valuesOf(slots: ReadonlyMap<string, Slot> | undefined): Generator<string> {
  for (const { current, replaced } of slots?.values() ?? []) {
    if (current !== undefined) yield current;
    yield* replaced.keys();
  }
}
