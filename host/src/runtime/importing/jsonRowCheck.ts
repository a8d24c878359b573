import { MOST_NESTING, tooDeep } from './nestingProblem.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Names of an object that are compared one by one; with more, each is looked up. */
const FEW_NAMES = 24;
/** Characters of a name that a message shows. */
const LONGEST_SHOWN_NAME = 200;
const decoder = new TextDecoder();

/** The names so far of one open object; its memory is used again. */
class Names {
  /** Of each name: a number that differs for most names that differ, and its bytes. */
  readonly #hashes: number[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  #count = 0;
  /** Where the last one is: the object's member that is looked at. */
  #lastStart = 0;
  #lastEnd = 0;
  /** Of objects with many names, and of those that have an escape: it may spell another name in another way. */
  #texts: Set<string> | undefined;

  begin(): void {
    this.#count = 0;
    this.#lastStart = 0;
    this.#lastEnd = 0;
    this.#texts = undefined;
  }

  last(json: Uint8Array): string {
    return textOf(json, this.#lastStart, this.#lastEnd);
  }

  /** @returns whether it was there before */
  add(json: Uint8Array, start: number, end: number, hash: number, isEscaped: boolean): boolean {
    this.#lastStart = start;
    this.#lastEnd = end;
    if (isEscaped || this.#count >= FEW_NAMES || this.#texts !== undefined) return this.#addText(json, start, end);
    for (let index = 0; index < this.#count; index += 1)
      if (this.#hashes[index] === hash && areEqual(json, this.#starts[index] ?? 0, this.#ends[index] ?? 0, start, end))
        return true;
    this.#hashes[this.#count] = hash;
    this.#starts[this.#count] = start;
    this.#ends[this.#count] = end;
    this.#count += 1;
    return false;
  }

  #addText(json: Uint8Array, start: number, end: number): boolean {
    this.#texts ??= new Set(
      Array.from({ length: this.#count }, (_, index) => textOf(json, this.#starts[index] ?? 0, this.#ends[index] ?? 0)),
    );
    const before = this.#texts.size;
    return this.#texts.add(textOf(json, start, end)).size === before;
  }
}

/** Why a row isn't sent. */
interface RowProblem {
  readonly problem: string;
  readonly column?: string;
}

/**
 * Looks through the JSON of rows, once from end to end, for what JSON lets pass and a reader doesn't: more levels than a server may survive, a member
 * that an object has twice, and half of a pair of surrogates. Every reader takes one of two members, and the value of the other is lost unseen; half a
 * character has no bytes in UTF-8, and becomes another one.
 */
export class JsonRowCheck {
  /** By the level of their object. */
  readonly #names: Names[] = [];

  /** The first thing wrong; undefined where nothing is. Whether the text is JSON at all stays open. */
  problem(json: Uint8Array): RowProblem | undefined {
    const { length } = json;
    let level = -1;
    /** Of the open object; undefined in a list, which has no names. */
    let names: Names | undefined;
    const open: (Names | undefined)[] = [];
    let isName = false;
    for (let at = 0; at < length; at += 1) {
      const byte = json[at];
      if (byte === QUOTE) {
        const start = at + 1;
        let hash = 0;
        let isEscaped = false;
        if (isName) {
          for (at = start; at < length && json[at] !== QUOTE; at += 1) {
            hash = (Math.imul(hash, 31) + (json[at] ?? 0)) | 0;
            if (json[at] === BACKSLASH) {
              isEscaped = true;
              const last = lastOfEscape(json, at);
              if (last === HALF) return halfCharacter(open.slice(0, level), json);
              at = last;
            }
          }
          if (names?.add(json, start, at, hash, isEscaped) === true)
            return repeated(textOf(json, start, at), open.slice(0, level), json);
          isName = false;
        } else {
          at = endOfText(json, start);
          if (at === HALF) return halfCharacter(open.slice(0, level + 1), json);
        }
      } else if (byte === COMMA) isName = names !== undefined;
      else if (byte === OPEN_OBJECT) {
        level += 1;
        if (level >= MOST_NESTING) return { problem: tooDeep };
        names = this.#names[level] ??= new Names();
        names.begin();
        open[level] = names;
        isName = true;
      } else if (byte === OPEN_LIST) {
        level += 1;
        if (level >= MOST_NESTING) return { problem: tooDeep };
        open[level] = names = undefined;
        isName = false;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        level -= 1;
        names = level < 0 ? undefined : open[level];
        isName = false;
      }
    }
    return undefined;
  }
}

/** @param around - the objects and lists that the one with the name is in, the row first */
function repeated(name: string, around: readonly (Names | undefined)[], json: Uint8Array): RowProblem {
  const [column = name] = namesOf(around, json);
  const place = around.length === 0 ? 'the row' : `“${placeOf(around, json)}”`;
  return { problem: `“${shownOf(name)}” is twice in ${place}. Leave in the one that you mean.`, column };
}

/** @param around - the objects and lists that the text is in, the row first */
function halfCharacter(around: readonly (Names | undefined)[], json: Uint8Array): RowProblem {
  const [column] = namesOf(around, json);
  const place = column === undefined ? 'A name in the row' : `“${placeOf(around, json)}”`;
  return {
    problem: `${place} has half of a character (an unpaired surrogate), which can’t be stored. Write the whole character, or leave it out.`,
    ...(column === undefined ? {} : { column }),
  };
}

function namesOf(around: readonly (Names | undefined)[], json: Uint8Array): readonly string[] {
  return around.flatMap((names) => names?.last(json) ?? []);
}

function placeOf(around: readonly (Names | undefined)[], json: Uint8Array): string {
  return shownOf(namesOf(around, json).join('.'));
}

function shownOf(name: string): string {
  return name.slice(0, LONGEST_SHOWN_NAME).toWellFormed();
}

/** Instead of a place: an escape that is half of a pair of surrogates. */
const HALF = -1;

/** Where the quotation mark is that ends a text, or {@link HALF}. */
function endOfText(json: Uint8Array, start: number): number {
  for (let at = start; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) {
      const last = lastOfEscape(json, at);
      if (last === HALF) return HALF;
      at = last;
    }
  }
  return json.length;
}

/** Where an escape ends, the second half of a pair included, or {@link HALF}. */
function lastOfEscape(json: Uint8Array, at: number): number {
  if (!isSurrogate(json, at, FIRST_HALF, LAST_HALF)) return at + 1;
  const isPair = isSurrogate(json, at, FIRST_HALF, SECOND_HALF - 1) && isSurrogate(json, at + 6, SECOND_HALF, LAST_HALF);
  return isPair ? at + 11 : HALF;
}

const LETTER_U = 0x75;
const LETTER_D = 0x64;
/** The third half-byte of `D800`, of `DC00` and of `DFFF`. */
const FIRST_HALF = 0x8;
const SECOND_HALF = 0xc;
const LAST_HALF = 0xf;

/** Whether an escape at a place is one of some surrogates, by the second of its digits. */
function isSurrogate(json: Uint8Array, at: number, least: number, most: number): boolean {
  if (json[at] !== BACKSLASH || json[at + 1] !== LETTER_U || ((json[at + 2] ?? 0) | 0x20) !== LETTER_D) return false;
  const digit = Number.parseInt(String.fromCodePoint(json[at + 3] ?? 0), 16);
  return digit >= least && digit <= most;
}

function areEqual(json: Uint8Array, start: number, end: number, otherStart: number, otherEnd: number): boolean {
  if (end - start !== otherEnd - otherStart) return false;
  for (let at = 0; at < end - start; at += 1) if (json[start + at] !== json[otherStart + at]) return false;
  return true;
}

/** A name as it reads; as it is written where it isn't JSON. */
function textOf(json: Uint8Array, start: number, end: number): string {
  const written = decoder.decode(json.subarray(start, end));
  try {
    return String(JSON.parse(`"${written}"`));
  } catch {
    return written;
  }
}
