import { DriverError } from '@tabularium/sdk';
import type { Cell } from '@tabularium/sdk';
import { faultTexts } from './faultTexts.ts';

/** The host's limit for one event; more ends the driver's process. */
const MAX_EVENT_BYTES = 15 * 1_048_576;
/** Rows passed on at once, and their text. Few enough that a wide row does not have to wait for many others. */
const MAX_ROWS = 250;
const MAX_CHARACTERS = 1_048_576;
/** Up to here no text can be too large, however it is escaped: six bytes a character at most. */
const SURELY_SMALL = 2 * 1_048_576;

/** Collects rows until there are enough for an event. */
export class RowEventBatch {
  #rows: (readonly Cell[])[] = [];
  #characters = 0;

  /**
   * @returns the rows to pass on now, if any
   * @throws DriverError `TOO_LARGE` for a row that no event can hold
   */
  add(row: readonly Cell[]): (readonly Cell[])[] | undefined {
    const characters = charactersOf(row);
    if (characters > SURELY_SMALL) mustFit(row, 'A document');
    const full = this.#rows.length > 0 && this.#characters + characters > MAX_CHARACTERS ? this.take() : undefined;
    this.#rows.push(row);
    this.#characters += characters;
    return full ?? (this.#rows.length >= MAX_ROWS ? this.take() : undefined);
  }

  /** The rest; undefined when there is none. */
  take(): (readonly Cell[])[] | undefined {
    if (this.#rows.length === 0) return undefined;
    const rows = this.#rows;
    this.#rows = [];
    this.#characters = 0;
    return rows;
  }
}

function charactersOf(row: readonly Cell[]): number {
  let characters = 0;
  for (const cell of row) {
    const text = Array.isArray(cell) ? (cell as readonly string[])[1] : cell;
    characters += typeof text === 'string' ? text.length + 8 : 8;
  }
  return characters;
}

const fits = (value: unknown): boolean => Buffer.byteLength(JSON.stringify(value)) <= MAX_EVENT_BYTES;

/** Whether an event can hold a text. Texts that cannot be too large are not looked at. */
export const textFits = (text: string): boolean => text.length <= SURELY_SMALL || fits(text);

/** @throws DriverError `TOO_LARGE` when no event can hold it */
function mustFit(value: unknown, what: string): void {
  if (fits(value)) return;
  throw new DriverError('TOO_LARGE', `${what} is too large to be shown: more than ${MAX_EVENT_BYTES / 1_048_576} MB.`, {
    details: {
      advice: 'Ask for less: leave out large fields with exclude_fields, or ask for fewer documents.',
      texts: faultTexts('fault.tooLarge', { most: MAX_EVENT_BYTES / 1_048_576 }, 'fault.tooLarge.advice'),
    },
  });
}

/** As {@link mustFit}, without looking at texts that cannot be too large. */
export function textMustFit(text: string): void {
  if (text.length > SURELY_SMALL) mustFit(text, 'The answer');
}

/** The events of a stream, without the rows that were read before it was cancelled and not emitted yet: up to a sample of them. */
export async function* untilCancelled<Event extends { readonly type: string }>(
  events: AsyncIterable<Event>,
  signal: AbortSignal,
): AsyncGenerator<Event, void> {
  for await (const event of events) {
    if (signal.aborted && event.type === 'rows') throw new DriverError('CANCELLED');
    yield event;
  }
}
