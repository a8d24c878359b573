import { visibleText } from '@tabularium/sdk';
import type { VisibleTextMode } from '@tabularium/sdk';

/** How much a person is asked about at once: UTF-16 code units as they are executed, and lines as they are shown. */
export interface ApprovalBound {
  readonly characters: number;
  readonly lines: number;
}

/**
 * The limit of the text that the window shows in one question. A person reads some 2,000 lines at the very most, and the dialog lays out 64 Ki characters within a
 * tenth of a second. A longer request is refused, never cut.
 */
export const WINDOW_BOUND: ApprovalBound = { characters: 65_536, lines: 2_000 };
/** The limit of the text that a client is asked to show. It is unknown how its host draws a message, so the limit is about two screens of a terminal. */
export const CLIENT_BOUND: ApprovalBound = { characters: 4_000, lines: 60 };

/** A statement as a person is asked about it. */
export interface ApprovalText {
  /** Whole. Hidden characters and odd spaces are marks; runs of blank lines (`⟨⏎×300⟩`) and of spaces (`⟨␠×120⟩`) are folded with their count. */
  readonly shown: string;
  /** Of the text as it is executed, in UTF-16 code units. */
  readonly characters: number;
  /** Of the text as it is shown. */
  readonly lines: number;
  /** Whether the shown text has marks in place of something. */
  readonly marked: boolean;
}

/** Three blank lines structure a text; more of them push the rest off the screen. */
const FOLDED_LINES = 4;
const SPACES = / {40,}/g;
/** Spaces, tabs, and marks of what cannot be seen. */
const BLANK_LINE = /^(?:[ ⇥]|⟨(?:U\+[0-9A-F]{4,6}|␠)(?:×\d+)?⟩)*$/;

/** How a text is shown to a person who decides whether it is executed. Of a text above every bound, nothing but its size is worked out. */
export function approvalText(text: string): ApprovalText {
  if (text.length > WINDOW_BOUND.characters) return { shown: '', characters: text.length, lines: 0, marked: false };
  const visible = withMarks(text, 'statement', Infinity).replaceAll(SPACES, (spaces) => `⟨␠×${spaces.length}⟩`);
  const lines: string[] = [];
  let blank: string[] = [];
  const endBlank = (): void => {
    if (blank.length < FOLDED_LINES) lines.push(...blank);
    else lines.push(`⟨⏎×${blank.length}⟩`);
    blank = [];
  };
  for (const line of visible.split('\n')) {
    if (BLANK_LINE.test(line)) blank.push(line);
    else {
      endBlank();
      lines.push(line);
    }
  }
  endBlank();
  const shown = lines.join('\n');
  return { shown, characters: text.length, lines: lines.length, marked: shown !== text };
}

/** A bracket of the text's own is a mark, too: it could begin what looks like one. */
function withMarks(text: string, mode: VisibleTextMode, longest?: number): string {
  return text
    .split('⟨')
    .map((part) => visibleText(part, mode, longest))
    .join('⟨U+27E8⟩');
}

/** The few words above a statement, which a driver takes from it: one line, with the same marks. */
export function approvalSummary(summary: string): string {
  return visibleText(visibleText(withMarks(cut(summary, 300), 'name'), 'name', 600), 'statement');
}

const QUOTES = /["“”„‟«»＂〝〞]/g;

/**
 * A name from outside, inside the quotation marks of a sentence to a person: one line, short, with marks for what cannot be seen. Its own quotation marks are
 * single ones, so that it can't end its quotation and continue in the words of Tabularium.
 */
export function askedName(name: string, longest = 40): string {
  return cut(withMarks(cut(name, longest + 1), 'name').replaceAll(QUOTES, "'"), longest);
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1).toWellFormed()}…` : text;
}

export function fits({ characters, lines }: Pick<ApprovalText, 'characters' | 'lines'>, bound: ApprovalBound): boolean {
  return characters <= bound.characters && lines <= bound.lines;
}
