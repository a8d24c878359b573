import { HostError } from '../../common/errors.ts';
import type { ImportFormat } from '../../common/imports.ts';
import { readDelimited } from '../../common/delimitedText.ts';
import { isBlank } from './rowSplitter.ts';
import { REJECTED_ROW } from './rejectedRow.ts';

const GZIP = [0x1f, 0x8b] as const;
const SEPARATORS = [',', ';', '\t', '|'] as const;
/** Lines that are compared. */
const SAMPLED_LINES = 20;

export function isGzip(head: Uint8Array): boolean {
  return head[0] === GZIP[0] && head[1] === GZIP[1];
}

/** Bytes of a byte order mark. @throws HostError `INVALID_REQUEST` for text of another encoding */
export function markLength(head: Uint8Array): number {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 3;
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isWide || isHalfZeros(head)) {
    throw new HostError('INVALID_REQUEST', 'The file is encoded as UTF-16.', { details: { advice: 'Save it as UTF-8.' } });
  }
  return 0;
}

/** Latin text in two bytes for each character, without a mark. */
function isHalfZeros(head: Uint8Array): boolean {
  const sample = head.subarray(0, 64);
  if (sample.length < 4) return false;
  const zeros = [0, 1].map((half) => sample.filter((byte, index) => index % 2 === half && byte === 0).length);
  return zeros.some((count) => count >= Math.floor(sample.length / 2));
}

/**
 * The format of a text, by its content: a name says nothing certain.
 *
 * @param head - its beginning, without a byte order mark
 * @param isWhole - the text has no more
 * @throws HostError `INVALID_REQUEST` for an empty text
 */
export function detectFormat(head: Uint8Array, isWhole: boolean): Omit<ImportFormat, 'gzip'> {
  let start = 0;
  while (start < head.length && isBlank(head[start])) start += 1;
  const first = head[start];
  if (first === undefined) throw new HostError('INVALID_REQUEST', 'The file is empty.');
  const text = new TextDecoder().decode(head.subarray(start));
  const json = { separator: ',', header: true } as const;
  if (first === 0x5b) return { format: 'json', ...json };
  if (first === 0x7b) {
    const end = text.indexOf('\n');
    const line = end < 0 ? text : text.slice(0, end);
    if (REJECTED_ROW.test(line)) return { format: 'rejected', ...json };
    return { format: isJson(line) || (end < 0 && !isWhole) ? 'jsonl' : 'json', ...json };
  }
  const separator = bestSeparator(text);
  return { format: 'csv', separator, header: hasHeader(text, separator) };
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** The one that divides the first lines into the most fields, the same number in each. */
function bestSeparator(text: string): ImportFormat['separator'] {
  const lines = text.split(/\r\n|[\r\n]/, SAMPLED_LINES).filter((line) => line !== '');
  let best: ImportFormat['separator'] = ',';
  let bestScore = 0;
  for (const separator of SEPARATORS) {
    const counts = lines.map((line) => unquoted(line).split(separator).length);
    const [first = 1] = counts;
    const score = first <= 1 ? 0 : counts.filter((count) => count === first).length * 1_000 + first;
    if (score > bestScore) [best, bestScore] = [separator, score];
  }
  return best;
}

function unquoted(line: string): string {
  return line.replaceAll(/"[^"]*"/g, '');
}

/** A first line of names has no number. Names may be missing or be there twice: a column then has a number of its own. */
function hasHeader(text: string, separator: ImportFormat['separator']): boolean {
  const line = text.split(/\r\n|[\r\n]/, 1)[0] ?? '';
  const names = readDelimited(line, separator)[0]?.map((field) => field.text.trim()) ?? [];
  return names.some((name) => name !== '') && names.every((name) => !/^[+-]?[\d.,]+$/.test(name));
}
