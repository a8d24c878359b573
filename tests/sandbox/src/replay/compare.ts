import { print } from '../json/print.ts';
import { JsonParseError, parse } from '../json/parse.ts';
import { mask, maskText } from './mask.ts';
import type { RecordedAnswer } from './recording.ts';

export interface ActualAnswer {
  readonly status: number;
  readonly body: string;
  readonly type: string;
}

/** A recording that ends in this was cut off and is compared as far as it goes. */
const CUT = '…';
/** How much of the end of a cut recording to leave out, so that a number cut in two is not compared. */
const RAGGED_END = /,[^,]*$/s;

const stripSpaces = (text: string): string =>
  text.replace(/("(?:[^"\\]|\\.)*(?:"|\\?$))|\s+/g, (_, string?: string) => string ?? '');

const normalised = (body: string, masked: readonly string[]): string => {
  try {
    return print(mask(parse(body), masked));
  } catch (error) {
    if (!(error instanceof JsonParseError)) throw error;
    return body
      .split('\n')
      .map((line) => {
        try {
          return print(mask(parse(line), masked));
        } catch (inner) {
          if (inner instanceof JsonParseError) return line;
          throw inner;
        }
      })
      .join('\n');
  }
};

const CONTEXT = 60;
const SHOWN = 300;

/** Both texts from a little before where they part. */
const contrast = (wanted: string, got: string): string => {
  let at = 0;
  while (at < wanted.length && wanted[at] === got[at]) at += 1;
  const from = Math.max(0, at - CONTEXT);
  const cut = (text: string): string => `${from > 0 ? '…' : ''}${text.slice(from, from + SHOWN)}`;
  return `expected ${cut(wanted)}\n     got ${cut(got)}`;
};

/** Undefined where the two agree; otherwise what was expected and what came. */
export const difference = (
  expected: RecordedAnswer,
  actual: ActualAnswer,
  masked: readonly string[] = [],
): string | undefined => {
  if (expected.status !== actual.status) {
    return `expected ${expected.status} ${expected.body.slice(0, 300)}\n     got ${actual.status} ${actual.body.slice(0, 300)}`;
  }
  if (expected.type !== undefined && actual.body !== '' && expected.type !== actual.type) {
    return `expected type ${expected.type}, got ${actual.type}`;
  }
  if (expected.body.endsWith(CUT)) {
    const start = maskText(stripSpaces(expected.body.slice(0, -CUT.length))).replace(RAGGED_END, '');
    const whole = maskText(stripSpaces(actual.body));
    return whole.startsWith(start) ? undefined : contrast(start, whole.slice(0, start.length));
  }
  const wanted = normalised(expected.body, masked);
  const got = normalised(actual.body, masked);
  return wanted === got ? undefined : contrast(wanted, got);
};
