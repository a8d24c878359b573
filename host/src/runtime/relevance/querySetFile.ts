import type { RowKey } from '@tabularium/sdk';
import { rowKeyText } from '@tabularium/sdk';
import { rowKeySchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { readDelimited, writeField } from '../../common/delimitedText.ts';
import { HostError } from '../../common/errors.ts';
import { issueText } from '@tabularium/sdk/package';
import { BEST_GRADE, MOST_JUDGMENTS, MOST_QUERIES, judgmentSchema } from '../../common/relevance.ts';
import type { Judgment, QuerySet, QuerySetFormat } from '../../common/relevance.ts';

/** A query of a file, with its judgments. */
export interface FiledQuery {
  readonly text: string;
  readonly judgments: readonly Judgment[];
}

const HEADER = ['query', 'key', 'grade'] as const;

const fileSchema = z.object({
  queries: z.array(
    z.object({
      text: z.string().trim().min(1).max(4_000),
      judgments: z.array(judgmentSchema).max(MOST_JUDGMENTS).default([]),
    }),
  ),
});

/**
 * A set as a file. JSON: `{"name","table","queries":[{"text","judgments":[{"key","grade"}]}]}`. CSV: lines of `query,key,grade`, without key and grade for a query
 * that nothing was judged for; a key of one text is that text, every other one is its JSON.
 */
export function writeQuerySetFile({ name, table, judged }: QuerySet, format: QuerySetFormat): string {
  if (format === 'json') {
    const queries = judged.map(({ text, judgments }) => ({ text, judgments }));
    return `${JSON.stringify({ name, table, queries }, null, 2)}\n`;
  }
  const lines = judged.flatMap(({ text, judgments }): (readonly string[])[] =>
    judgments.length === 0 ? [[text]] : judgments.map(({ key, grade }) => [text, fieldOfKey(key), String(grade)]),
  );
  const line = (fields: readonly string[]): string =>
    HEADER.map((_, place) => (place < fields.length ? writeField(fields[place] ?? '', ',') : '')).join(',');
  return [[...HEADER], ...lines].map((fields) => `${line(fields)}\n`).join('');
}

/**
 * The queries of a file of either format, each once, in the order of the file. CSV may be separated by semicolons, as spreadsheets of many countries do.
 *
 * @throws HostError `INVALID_REQUEST` with the line or place that can't be read, and for a row that has two grades for one query: one of them is a slip
 */
export function readQuerySetFile(content: string): readonly FiledQuery[] {
  const text = content.replace(/^\uFEFF/, '');
  const isJson = /^\s*[{[]/.test(text);
  // The rest of the file would be one query.
  if (!isJson && text.split('"').length % 2 === 0) {
    // The last of an odd number opened what is not closed.
    const line = text.slice(0, text.lastIndexOf('"')).split('\n').length;
    throw unreadable(`Line ${line}: a quotation mark that is not closed.`);
  }
  const read = isJson ? readJson(text) : readCsv(text);
  const queries = new Map<string, Map<string, Judgment>>();
  for (const query of read) {
    const judgments = queries.get(query.text) ?? new Map<string, Judgment>();
    queries.set(query.text, judgments);
    for (const judgment of query.judgments) {
      const key = rowKeyText(judgment.key);
      const before = judgments.get(key);
      if (before !== undefined && before.grade !== judgment.grade) {
        throw unreadable(
          `“${query.text.slice(0, 200)}” gives the row ${fieldOfKey(judgment.key).slice(0, 200)} two grades: ${before.grade} and ${judgment.grade}. Keep one.`,
        );
      }
      judgments.set(key, judgment);
    }
  }
  if (queries.size === 0) throw unreadable('The file has no query.');
  if (queries.size > MOST_QUERIES) throw unreadable(`The file has more than ${MOST_QUERIES} queries.`);
  return [...queries].map(([query, judgments]) => ({ text: query, judgments: [...judgments.values()] }));
}

function readJson(text: string): readonly FiledQuery[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw unreadable(`The file is not valid JSON: ${cause instanceof Error ? cause.message : ''}`);
  }
  const parsed = fileSchema.safeParse(Array.isArray(value) ? { queries: value } : value);
  if (parsed.success) return parsed.data.queries;
  const [issue] = parsed.error.issues;
  throw unreadable(
    `The file is not a query set: “${issue?.path.join('.') ?? ''}” can’t be used, because ${issue === undefined ? '' : issueText(issue)}.`,
  );
}

function readCsv(text: string): readonly FiledQuery[] {
  const [firstLine = ''] = text.split(/\r?\n/, 1);
  const separator = !firstLine.includes(',') && firstLine.includes(';') ? ';' : ',';
  const [header = [], ...lines] = readDelimited(text, separator);
  const names = header.map((field) => field.text.trim().toLowerCase());
  const [query, key, grade] = HEADER.map((name) => names.indexOf(name));
  if (query === undefined || query === -1) {
    throw unreadable('The first line of a CSV file names its columns: query,key,grade. It has no "query".');
  }
  return lines.flatMap((fields, place): FiledQuery[] => {
    const field = (index: number | undefined): string => (index === undefined || index < 0 ? '' : (fields[index]?.text ?? ''));
    const words = field(query).trim();
    const row = field(key);
    if (words === '' && row === '') return [];
    const line = place + 2;
    if (fields.some(({ broken }) => broken !== undefined)) {
      throw unreadable(`Line ${line}: its quotation marks don't pair. Double each one that belongs to a text ("").`);
    }
    if (words === '') throw unreadable(`Line ${line}: the query is empty.`);
    if (words.length > 4_000) throw unreadable(`Line ${line}: the query is longer than 4,000 characters.`);
    if (row === '') return [{ text: words, judgments: [] }];
    const graded = field(grade).trim();
    if (!/^[0-9]$/.test(graded) || Number(graded) > BEST_GRADE) {
      throw unreadable(`Line ${line}: the grade is "${graded.slice(0, 40)}". A grade is a whole number from 0 to ${BEST_GRADE}.`);
    }
    return [{ text: words, judgments: [{ key: keyOfField(row), grade: Number(graded) }] }];
  });
}

/** A key of one text that could be taken for JSON is written as JSON, so that each key is read back as it was. */
function fieldOfKey(key: RowKey): string {
  const [only] = key;
  return key.length === 1 && typeof only === 'string' && only !== '' && !only.startsWith('[') ? only : rowKeyText(key);
}

function keyOfField(field: string): Judgment['key'] {
  if (!field.startsWith('[')) return [field];
  try {
    const parsed = rowKeySchema.safeParse(JSON.parse(field));
    return parsed.success ? parsed.data : [field];
  } catch {
    return [field];
  }
}

function unreadable(message: string): HostError {
  return new HostError('INVALID_REQUEST', message, {
    details: { advice: 'Correct the file, then import it again. Nothing was imported.' },
  });
}
