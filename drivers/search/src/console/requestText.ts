import type { Statement } from '@tabularium/sdk';

/** A line that begins with a method begins a request. No line of a JSON body can: JSON begins with punctuation, a digit or a small letter word. */
export const REQUEST_LINE = /^[ \t]*(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)(?=[ \t]|$)/i;
/** Blank lines and comments, between requests only; inside a body they are the body's. */
const BETWEEN = /^\s*(?:$|#|\/\/)/;

interface Line {
  readonly start: number;
  /** Without the line end. */
  readonly end: number;
  readonly text: string;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length;) {
    const feed = text.indexOf('\n', start);
    const next = feed === -1 ? text.length : feed;
    const end = text[next - 1] === '\r' && next > start ? next - 1 : next;
    lines.push({ start, end, text: text.slice(start, end) });
    start = next + 1;
  }
  return lines;
}

/** The requests of a text, in order. Text that isn't a request is a statement too, so that running it reports the fault. */
export function splitRequests(text: string): Statement[] {
  const lines = linesOf(text);
  const begins = lines.flatMap((line, index) => (REQUEST_LINE.test(line.text) ? [index] : []));
  const parts = [0, ...begins.filter((index) => index > 0)].map((from, index, all) => lines.slice(from, all[index + 1]));
  return parts.flatMap((part) => statementOf(text, part) ?? []);
}

function statementOf(text: string, lines: readonly Line[]): Statement | undefined {
  const first = lines.find((line) => !BETWEEN.test(line.text));
  const last = lines.findLast((line) => !BETWEEN.test(line.text));
  if (first === undefined || last === undefined) return undefined;
  const start = first.start + (first.text.length - first.text.trimStart().length);
  const end = last.start + last.text.trimEnd().length;
  return { text: text.slice(start, end), start, end };
}

/** A statement taken apart, its words not yet looked at. */
export interface RequestText {
  readonly requestLine: string;
  /** Byte for byte as written, from the first line that is neither blank nor a comment; empty when there is none. */
  readonly body: string;
}

/** The one request of a statement; undefined when there are several, or none. */
export function requestTextOf(statement: string): RequestText | undefined {
  const [only, ...others] = splitRequests(statement);
  if (only === undefined || others.length > 0) return undefined;
  const lines = linesOf(only.text);
  const [requestLine] = lines;
  const body = lines.slice(1).find((line) => !BETWEEN.test(line.text));
  return { requestLine: requestLine?.text.trim() ?? '', body: body === undefined ? '' : only.text.slice(body.start) };
}
