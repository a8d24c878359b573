/** A credential shorter than this is looked for as a whole value only: it would be found by chance. */
const SHORTEST_SOUGHT = 4;
/** In an encoding a text of this length or more: base64 loses up to two characters at each end, and what is left must not be found by chance. */
const SHORTEST_SOUGHT_ENCODED = 6;

/** As a whole value within a text: what is shorter is found by chance. So are words and numbers (a path's parts, dates), unless they are as long as keys are. */
const SHORTEST_WHOLE = 8;
const SHORTEST_WHOLE_WORD = 16;
const WORD_OR_NUMBER = /^(?:[A-Za-z]+|[0-9]+)$/;
/** Beside one of these, a value is part of a longer one. */
const PART_OF_VALUE = /[\w.~-]/;

/** `part`: anywhere in a text, for what is left out of an answer. `whole`: as a value of its own, for what ends a driver's session. */
export type SoughtAs = 'part' | 'whole';

/**
 * Finds a credential in a text, as it is and in the encodings that servers and proxies use when they repeat what they were sent: hexadecimal,
 * base64 and base64url at every offset within a longer text, and percent-encoding, once or twice. What a server encrypts, compresses, reverses
 * or cuts into pieces is not found.
 */
export class RepeatedSecret {
  readonly #value: string;
  readonly #hex: string;
  readonly #base64: readonly string[];

  constructor(value: string) {
    this.#value = value;
    const bytes = Buffer.from(value);
    this.#hex = bytes.toString('hex');
    this.#base64 = [0, 1, 2].map((offset) => base64Within(bytes, offset));
  }

  /** The texts in which a server or a program encodes the credential; none for one that would be found by chance. */
  get encodings(): readonly string[] {
    const value = this.#value;
    if (value.length < SHORTEST_SOUGHT_ENCODED) return [];
    const base64 = this.#base64.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
    const percent = percentEncoded(value);
    return [...new Set([this.#hex, this.#hex.toUpperCase(), ...base64, ...(percent === value ? [] : [percent])])];
  }

  /** @param text - a header's value, or a path */
  isIn(text: string, as: SoughtAs = 'part'): boolean {
    const value = this.#value;
    if (as === 'whole') {
      if (value.length < (WORD_OR_NUMBER.test(value) ? SHORTEST_WHOLE_WORD : SHORTEST_WHOLE)) return false;
    } else if (text === value) return true;
    if (value.length < SHORTEST_SOUGHT) return false;
    const once = percentDecoded(text);
    const holds = (form: string): boolean => (as === 'whole' ? holdsWhole(form, value) : form.includes(value));
    if ([text, once, percentDecoded(once)].some(holds)) return true;
    if (value.length < SHORTEST_SOUGHT_ENCODED) return false;
    // Separators as in `61:62` or `61 62`.
    if (
      once
        .replaceAll(/[:\s-]/g, '')
        .toLowerCase()
        .includes(this.#hex)
    )
      return true;
    const standard = once.replaceAll('-', '+').replaceAll('_', '/');
    return this.#base64.some((encoded) => standard.includes(encoded));
  }
}

function holdsWhole(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const around = [text[at - 1], text[at + value.length]];
    if (!around.some((character) => character !== undefined && PART_OF_VALUE.test(character))) return true;
  }
  return false;
}

/** The part of a base64 text that a value alone decides, whatever is before and after it: `offset` bytes are before. */
function base64Within(bytes: Uint8Array, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  const firstWhole = Math.ceil((offset * 8) / 6);
  const lastWhole = Math.floor(((offset + bytes.length) * 8) / 6);
  return encoded.slice(firstWhole, lastWhole);
}

/** A text that isn't whole Unicode stays as it is. */
function percentEncoded(value: string): string {
  return value.isWellFormed() ? encodeURIComponent(value) : value;
}

/** Byte by byte: a text may hold sequences that aren't UTF-8. */
function percentDecoded(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_sequence, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}
