import { untilAborted } from './untilAborted.ts';

/** Of the 400 connections a minute that lists may open. */
const MILLISECONDS_PER_DATABASE = 150;

/** A database of the server as the catalogue has it now. */
export interface FoundDatabase {
  readonly name: string;
  /** Another one where a database was dropped and made again. */
  readonly oid: string;
}

interface Reading<T> {
  readonly answer: Promise<readonly T[]>;
  readonly ending: AbortController;
  readonly forName: string;
  callers: number;
  /** When the answer came; undefined until then. */
  at: number | undefined;
}

/**
 * Something that each database has a list of. A database answers only on a connection to it, so a list is used again for a time that grows with the number of
 * databases, and calls at the same time share what they read.
 */
export class DatabaseLists<T> {
  readonly #read: (name: string, signal: AbortSignal) => Promise<readonly T[]>;
  readonly #readings = new Map<string, Reading<T>>();

  constructor(read: (name: string, signal: AbortSignal) => Promise<readonly T[]>) {
    this.#read = read;
  }

  /** @param count - databases that are listed with it */
  async of({ name, oid }: FoundDatabase, count: number, signal: AbortSignal): Promise<readonly T[]> {
    const key = `${oid} ${name}`;
    let reading = this.#readings.get(key);
    if (reading?.at !== undefined && performance.now() - reading.at > count * MILLISECONDS_PER_DATABASE) reading = undefined;
    if (reading === undefined) {
      reading = this.#begin(name, key);
      this.#readings.set(key, reading);
    }
    return await this.#join(reading, key, signal);
  }

  /** After a change: what is being read may be from before it. */
  forget(name: string): void {
    for (const [key, { forName }] of this.#readings) if (forName === name) this.#readings.delete(key);
  }

  /** Leaves out databases that are gone. */
  retain(found: readonly FoundDatabase[]): void {
    const keys = new Set(found.map(({ name, oid }) => `${oid} ${name}`));
    for (const [key, { callers }] of this.#readings) if (callers === 0 && !keys.has(key)) this.#readings.delete(key);
  }

  #begin(forName: string, key: string): Reading<T> {
    const ending = new AbortController();
    const reading: Reading<T> = { answer: this.#read(forName, ending.signal), ending, forName, callers: 0, at: undefined };
    reading.answer.then(
      () => (reading.at = performance.now()),
      () => this.#drop(key, reading),
    );
    return reading;
  }

  async #join(reading: Reading<T>, key: string, signal: AbortSignal): Promise<readonly T[]> {
    reading.callers += 1;
    try {
      return await untilAborted(reading.answer, signal);
    } finally {
      reading.callers -= 1;
      // The last caller has left: the database is asked no longer.
      if (reading.callers === 0 && reading.at === undefined) {
        this.#drop(key, reading);
        reading.ending.abort();
      }
    }
  }

  #drop(key: string, reading: Reading<T>): void {
    if (this.#readings.get(key) === reading) this.#readings.delete(key);
  }
}
