/**
 * How a text is shown:
 *
 * - `name`: one line. Line ends and tabs become ⏎ and ⇥. For names, titles, labels and table cells of a terminal.
 * - `text`: lines and tabs stay. For messages, errors and everything else of several lines.
 * - `statement`: as `text`, and tabs, and spaces that are not U+0020, become visible too. For what a person approves.
 * - `data`: as `text`, but joiners and selectors stay where a script or an emoji needs them. For values that a database holds.
 */
export type VisibleTextMode = 'name' | 'text' | 'statement' | 'data';

/** The longest text that each mode shows, in UTF-16 code units, where the caller names no bound. */
const LONGEST: Readonly<Record<VisibleTextMode, number>> = { name: 500, text: 20_000, statement: 200_000, data: 1_000_000 };

/** This many equal characters in a row, or more, are shown as one mark with their count. */
const FOLDED_RUN = 4;

/**
 * Characters that a reader cannot see, or that move or hide others: controls, format characters (bidi, zero width, soft hyphen, tags),
 * everything that Unicode lets a renderer ignore (joiners, selectors, Hangul fillers), line and paragraph separators, half surrogate pairs,
 * noncharacters, and the blank Braille pattern. Arabic and Syriac number and abbreviation signs are format characters with ink: they are left out.
 */
const HIDDEN =
  '[[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2800]--[\\u0600-\\u0605\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u{110BD}\\u{110CD}]]';
/** More than eight accents on one letter cover the lines above and below. */
const STACKED = '[\\p{M}--\\p{Default_Ignorable_Code_Point}]';
/** More than three of those that no script has as its own strike a letter through, or cover it. No language writes as many. */
const COMMON = '[[\\p{M}&&\\p{Script=Inherited}]--\\p{Default_Ignorable_Code_Point}]';
/** The flags of England, Scotland and Wales are written with tags. */
const TAG_FLAG = '\\u{1F3F4}[\\u{E0061}-\\u{E007A}]{2,6}\\u{E007F}';

const NEEDS_WORK = new RegExp(`${HIDDEN}|${STACKED}{9}|${COMMON}{4}`, 'v');
const WORK = new RegExp(`(${TAG_FLAG})|(${HIDDEN})\\2*|(?<=${STACKED}{8}|${COMMON}{3})(${STACKED})+`, 'gv');
const OTHER_SPACE = /(?! )\p{Zs}/gv;

/** Scripts whose letters change shape with the joiners between them. */
const JOINING = [
  ...[
    'Arabic',
    'Syriac',
    'Mandaic',
    'Nko',
    'Mongolian',
    'Phags_Pa',
    'Adlam',
    'Hanifi_Rohingya',
    'Sogdian',
    'Devanagari',
    'Bengali',
    'Gurmukhi',
  ],
  ...[
    'Gujarati',
    'Oriya',
    'Tamil',
    'Telugu',
    'Kannada',
    'Malayalam',
    'Sinhala',
    'Khmer',
    'Myanmar',
    'Tibetan',
    'Balinese',
    'Javanese',
  ],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const JOINING_BEFORE = new RegExp(`[${JOINING}]\\p{M}*$`, 'v');
const JOINING_AFTER = new RegExp(`^[${JOINING}]`, 'v');
const PICTURE_BEFORE = /\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0F]*$/v;
const PICTURE_AFTER = /^\p{Extended_Pictographic}/v;

/**
 * Makes a text from outside safe to show to a person: every character that cannot be seen, or that moves, hides or erases others or steers
 * a terminal, becomes a mark such as `⟨U+202E⟩`; a run of equal ones becomes one mark with its count (`⟨U+200B×500⟩`). A text that holds none
 * comes back as it is, so that a second call changes nothing.
 *
 * For what is shown and for nothing else: a value that is copied, exported, edited or compared must not pass through here.
 *
 * @param text - whatever a server, a driver, a registry, a file or a client sent
 * @param mode - how it is shown, see {@link VisibleTextMode}
 * @param longest - in UTF-16 code units; a longer text is cut before anything else is done with it, and ends with `…⟨+N⟩`, N being the code
 *   units left out. Default: 500 for `name`, 20,000 for `text`, 200,000 for `statement`, 1,000,000 for `data`
 * @returns at most about nine times as many code units as `longest`
 */
export function visibleText(text: string, mode: VisibleTextMode = 'name', longest: number = LONGEST[mode]): string {
  const end = endBefore(text, longest);
  const shortened = end < text.length ? text.slice(0, end) : text;
  const shown = NEEDS_WORK.test(shortened) ? shortened.replaceAll(WORK, replacer(mode)) : shortened;
  const spaced = mode === 'statement' ? shown.replaceAll(OTHER_SPACE, (space) => mark(space)) : shown;
  return end < text.length ? `${spaced}…⟨+${text.length - end}⟩` : spaced;
}

/**
 * The first character of a text that {@link visibleText} would replace, as `U+202E`; undefined when there is none. A line feed or a tab counts
 * as the mode says.
 */
export function hiddenCharacter(text: string, mode: VisibleTextMode = 'name'): string | undefined {
  if (!NEEDS_WORK.test(text)) return undefined;
  const replace = replacer(mode);
  for (const match of text.matchAll(WORK)) {
    if (replace(...match, match.index, text) !== match[0])
      return codeOf(match[2] ?? [...match[0]].at(match[1] === undefined ? 0 : 1) ?? '');
  }
  return undefined;
}

/**
 * A JSON text with the same value, in which every hidden character inside a string is written as its escape. Line feeds, carriage returns and
 * tabs, which JSON has between its tokens, stay.
 *
 * @param json - one JSON value, or several one after another
 */
export function escapedJson(json: string): string {
  return NEEDS_WORK.test(json) ? json.replaceAll(HIDDEN_IN_JSON, jsonEscape) : json;
}

const HIDDEN_IN_JSON = new RegExp(`[${HIDDEN}--[\\n\\r\\t]]`, 'gv');

function jsonEscape(character: string): string {
  let escaped = '';
  for (let place = 0; place < character.length; place += 1)
    escaped += `\\u${character.charCodeAt(place).toString(16).padStart(4, '0')}`;
  return escaped;
}

/** A cut never halves a surrogate pair: the half would be shown as a mark of its own. */
function endBefore(text: string, longest: number): number {
  if (text.length <= longest) return text.length;
  return /[\uD800-\uDBFF]/.test(text.charAt(longest - 1)) ? longest - 1 : longest;
}

function replacer(mode: VisibleTextMode): (...found: readonly (string | number | undefined)[]) => string {
  return (match, flag, hidden, _stacked, place, whole) => {
    const run = String(match);
    if (flag !== undefined) return mode === 'data' ? run : [...run].map((part, at) => (at === 0 ? part : mark(part))).join('');
    if (hidden === undefined) return mark([...run][0] ?? '', [...run].length);
    const character = String(hidden);
    const count = run.length / character.length;
    const standIn = standInFor(character, mode);
    if (standIn !== undefined) return standIn.repeat(count);
    const text = String(whole);
    if (mode === 'data' && count === 1 && isNeeded(character, text, Number(place))) return character;
    // The end of a line is one end, whichever system wrote it.
    if (character === '\r' && count === 1 && text.charAt(Number(place) + 1) === '\n') return '';
    return count >= FOLDED_RUN ? mark(character, count) : mark(character).repeat(count);
  };
}

function standInFor(character: string, mode: VisibleTextMode): string | undefined {
  if (character === '\n') return mode === 'name' ? '⏎' : '\n';
  if (character === '\t') return mode === 'name' || mode === 'statement' ? '⇥' : '\t';
  return undefined;
}

/** Whether a script or an emoji needs the character in its place. */
function isNeeded(character: string, text: string, place: number): boolean {
  const before = text.slice(Math.max(0, place - 12), place);
  const after = text.slice(place + character.length, place + character.length + 2);
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x200d && PICTURE_BEFORE.test(before) && PICTURE_AFTER.test(after)) return true;
  if (code === 0x200c || code === 0x200d) return JOINING_BEFORE.test(before) && JOINING_AFTER.test(after);
  // A digit with a selector is not an emoji, unless a key cap follows.
  if (code === 0xfe0e || code === 0xfe0f)
    return /[\p{Emoji}--[0-9#*]]$/v.test(before) || (/[0-9#*]$/.test(before) && after.startsWith('\u20e3'));
  if ((code >= 0xfe00 && code <= 0xfe02) || (code >= 0xe0100 && code <= 0xe01ef)) return /\p{Script=Han}$/v.test(before);
  if (code >= 0x180b && code <= 0x180f) return /\p{Script=Mongolian}$/v.test(before);
  return false;
}

function mark(character: string, count = 1): string {
  return count === 1 ? `⟨${codeOf(character)}⟩` : `⟨${codeOf(character)}×${count}⟩`;
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * The beginning of a text, for a place that has room for so much. A character of two UTF-16 code units that the end would divide is left out, and half a
 * character that the text itself has becomes U+FFFD.
 *
 * @param most - UTF-16 code units
 */
export function wholeStart(text: string, most: number): string {
  const divides = /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(Math.max(0, most - 1), most + 1));
  return text.slice(0, divides ? most - 1 : most).toWellFormed();
}
