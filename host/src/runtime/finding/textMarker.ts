import type { FindMatch, FoundPart } from '../../common/findingRows.ts';
import { numberKey } from './numeral.ts';

/** UTF-16 code units of a cell that are shown, and those before the first match. */
const LONGEST_SHOWN = 240;
const MOST_BEFORE = 60;
/** Of a cell that are looked through, and of all cells of one table together: looking for a text must not hold up the host. */
const LONGEST_LOOKED_AT = 200_000;
const MOST_LOOKED_AT = 4_000_000;

export interface MarkedText {
  readonly parts: readonly FoundPart[];
  readonly isMatch: boolean;
}

/** Marks the places of a text in cells of one table. */
export class TextMarker {
  readonly #text: string;
  readonly #match: FindMatch;
  readonly #fold: (text: string) => string;
  readonly #words: readonly string[];
  #left = MOST_LOOKED_AT;

  constructor({ text, match, matchCase }: { readonly text: string; readonly match: FindMatch; readonly matchCase: boolean }) {
    this.#fold = matchCase ? (same) => same : folded;
    this.#text = this.#fold(text);
    this.#match = match;
    const words = this.#text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
    this.#words = [...new Set(words)].slice(0, 20);
  }

  /** The text with its matches, letter by letter. */
  mark(text: string): MarkedText {
    const looked = this.#looked(text);
    if (this.#match === 'exact') {
      const isMatch = text.length === looked.length && (looked === this.#text || looked.trim() === this.#text.trim());
      return isMatch ? { parts: wholly(text), isMatch } : { parts: plainly(text), isMatch };
    }
    return marked(text, placesOf(looked, [this.#text]));
  }

  /** The text with the single words that it has of the wanted text: some databases compare words. */
  markWords(text: string): MarkedText {
    return marked(text, placesOf(this.#looked(text), this.#words));
  }

  /** The same for a value that the database found equal. */
  markNumber(text: string): MarkedText {
    const isMatch = numberKey(text) === numberKey(this.#text);
    return isMatch ? { parts: wholly(text), isMatch } : { parts: plainly(text), isMatch };
  }

  #looked(text: string): string {
    const looked = text.slice(0, Math.min(LONGEST_LOOKED_AT, this.#left));
    this.#left -= looked.length;
    return this.#fold(looked);
  }
}

/** The beginning of a text, for cells without a match. */
export function plainly(text: string): readonly FoundPart[] {
  return [{ text: cut(text, 0, LONGEST_SHOWN), isMatch: false }];
}

function wholly(text: string): readonly FoundPart[] {
  return [{ text: cut(text, 0, LONGEST_SHOWN), isMatch: true }];
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** The places of some texts, in order and without overlaps, as many as can be shown. */
function placesOf(text: string, wanted: readonly string[]): readonly Place[] {
  const first = Math.min(...wanted.map((one) => text.indexOf(one)).filter((at) => at !== -1), Infinity);
  if (first === Infinity) return [];
  const places: Place[] = [];
  for (const one of wanted) {
    if (one === '') continue;
    for (let at = text.indexOf(one, first); at !== -1 && at < first + LONGEST_SHOWN; at = text.indexOf(one, at + one.length))
      places.push({ start: at, end: at + one.length });
  }
  places.sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return places.filter((place) => {
    if (place.start < end) return false;
    end = place.end;
    return true;
  });
}

function marked(text: string, places: readonly Place[]): MarkedText {
  const [first] = places;
  if (first === undefined) return { parts: plainly(text), isMatch: false };
  const start = text.length <= LONGEST_SHOWN ? 0 : wholeCharacter(text, Math.max(0, first.start - MOST_BEFORE));
  const end = text.length <= LONGEST_SHOWN ? text.length : wholeCharacter(text, Math.min(text.length, start + LONGEST_SHOWN));
  const parts: FoundPart[] = start === 0 ? [] : [{ text: '…', isMatch: false }];
  let at = start;
  for (const place of places) {
    if (place.start >= end) break;
    if (place.start > at) parts.push({ text: text.slice(at, place.start), isMatch: false });
    at = Math.min(place.end, end);
    parts.push({ text: text.slice(place.start, at), isMatch: true });
  }
  if (at < end) parts.push({ text: text.slice(at, end), isMatch: false });
  if (end < text.length) parts.push({ text: '…', isMatch: false });
  return { parts, isMatch: true };
}

function cut(text: string, from: number, length: number): string {
  if (text.length <= from + length) return text.slice(from);
  return `${text.slice(from, wholeCharacter(text, from + length))}…`;
}

/** A place that isn't inside a character of two code units. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc_00 && code <= 0xdf_ff ? at - 1 : at;
}

/** In small letters, each at its place: some letters become two, and all places behind them would move. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return [...text].map((character) => sameLength(character)).join('');
}

function sameLength(character: string): string {
  const lower = character.toLowerCase();
  return lower.length === character.length ? lower : character;
}
