/** A place in a text as people count it. */
export interface TextPlace {
  /** From 1. A line ends with LF, CR or both. */
  readonly line: number;
  /** From 1, in characters: an emoji of two code units is one. */
  readonly column: number;
}

/** A line of a text, with a place in it. */
export interface PlacedLine extends TextPlace {
  /** Without the end of the line. */
  readonly text: string;
  /** Where the place is in it, in UTF-16 code units; its length for the end of the line. */
  readonly at: number;
}

const LINE_END = /\r\n|\n|\r/g;

/** @param offset - in UTF-16 code units, at most the length of the text; within a character or the end of a line, it stands for where that begins */
export function placeIn(text: string, offset: number): PlacedLine {
  let line = 1;
  let start = 0;
  let end = text.length;
  for (const { index, 0: mark } of text.matchAll(LINE_END)) {
    if (index + mark.length > offset) {
      end = index;
      break;
    }
    line += 1;
    start = index + mark.length;
  }
  const own = text.slice(start, end);
  const at = characterStart(own, Math.min(offset - start, own.length));
  return { line, column: [...own.slice(0, at)].length + 1, text: own, at };
}

/** Where the character begins that an offset is in. */
function characterStart(text: string, offset: number): number {
  const isInside = /[\uDC00-\uDFFF]/.test(text.charAt(offset)) && /[\uD800-\uDBFF]/.test(text.charAt(offset - 1));
  return isInside ? offset - 1 : offset;
}

/** A word, or a name or string in quotes that ends on the same line. */
const WORD = /[\p{L}\p{M}\p{N}_$]+|"[^"\r\n]+"|'[^'\r\n]+'|`[^`\r\n]+`/uy;

/** The end of the word that begins at an offset of a text, or of the one character there; the offset itself at the end of a line. */
export function wordEnd(text: string, offset: number): number {
  WORD.lastIndex = offset;
  const word = WORD.exec(text)?.[0];
  if (word !== undefined) return offset + word.length;
  const character = text.codePointAt(offset);
  if (character === undefined || character === 0x0a || character === 0x0d) return offset;
  return offset + String.fromCodePoint(character).length;
}

/**
 * Where a place of a text is in the text that it was made from, by putting something in front or filling something in. Undefined where the place is in
 * what was put in.
 */
export function placeInSource(text: string, source: string, offset: number): number | undefined {
  if (text === source) return offset;
  const most = Math.min(text.length, source.length);
  let before = 0;
  while (before < most && text[before] === source[before]) before += 1;
  if (offset < before) return offset;
  let after = 0;
  while (after < most && text[text.length - 1 - after] === source[source.length - 1 - after]) after += 1;
  return offset >= text.length - after ? source.length - (text.length - offset) : undefined;
}
