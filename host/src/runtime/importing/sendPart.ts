import { DriverError } from '@tabularium/sdk';
import type { ImportFacet, WriteOutcome, RowOutcome, ImportSplice, ImportTarget } from '@tabularium/sdk';
import { MOST_IMPORT_ROWS } from '@tabularium/sdk/protocol';
import type { SplicingSession } from '../transfer/exportRun.ts';
import type { ImportPart } from './importPart.ts';

/** Called with the outcome of each row, in their order. */
export type OnOutcome = (index: number, outcome: RowOutcome) => Promise<void> | void;

/** Called instead for rows that were written, some at a time, where it is there: a promise for each of a million rows is garbage and time. */
export type OnWrittenRows = (from: number, count: number) => Promise<void> | void;

const LINE_FEED = 0x0a;
/** Bytes of a refusal that are read for the driver to judge. */
const LONGEST_REFUSAL = 64 * 1024;
/** Lines and bytes of an answer that the driver judges at a time. */
const JUDGED_LINES = 500;
const JUDGED_BYTES = 256 * 1024;
/** Bytes of rows that one call to the driver has. */
const CALL_BYTES = 1024 * 1024;
/** Written rows that are counted together: progress is shown after them. */
const COUNTED_ROWS = 1_000;
const WRITTEN = { outcome: 'written' } as const;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * Writes the rows of a part: as they are where the driver has a splice, else through it.
 *
 * @throws DriverError when the rest was not written, or has no outcome
 */
export async function sendPart(
  session: SplicingSession,
  facet: ImportFacet,
  target: ImportTarget,
  part: ImportPart,
  onOutcome: OnOutcome,
  signal: AbortSignal,
  onWritten?: OnWrittenRows,
): Promise<void> {
  if (part.rows === 0) return;
  const splice = session.http === undefined ? undefined : await facet.splice(target, { signal });
  const outcomes = new Outcomes(part.rows, onOutcome, onWritten);
  if (splice === undefined || session.http === undefined) await writeRows(facet, target, part, outcomes, signal);
  else await sendSpliced(session.http, facet, splice, part, outcomes, signal);
  signal.throwIfAborted();
  outcomes.end();
}

/** Counts outcomes: there is one for each row. */
class Outcomes {
  readonly #rows: number;
  readonly #onOutcome: OnOutcome;
  readonly #onWritten: OnWrittenRows | undefined;
  #count = 0;

  constructor(rows: number, onOutcome: OnOutcome, onWritten: OnWrittenRows | undefined) {
    this.#rows = rows;
    this.#onOutcome = onOutcome;
    this.#onWritten = onWritten;
  }

  async addWritten(count: number): Promise<void> {
    if (this.#onWritten === undefined) {
      for (let index = 0; index < count; index += 1) await this.add(WRITTEN);
      return;
    }
    if (this.#count + count > this.#rows)
      throw new DriverError('BAD_ANSWER', 'The answer has more outcomes than rows were sent.');
    const from = this.#count;
    this.#count += count;
    if (count > 0) await this.#onWritten(from, count);
  }

  async add(outcome: RowOutcome): Promise<void> {
    if (this.#count >= this.#rows) throw new DriverError('BAD_ANSWER', 'The answer has more outcomes than rows were sent.');
    const index = this.#count;
    this.#count += 1;
    await this.#onOutcome(index, outcome);
  }

  end(): void {
    if (this.#count === this.#rows) return;
    throw new DriverError('CONNECTION_LOST', `${this.#rows} rows were sent, and the answer has the outcomes of ${this.#count}.`);
  }
}

async function writeRows(
  facet: ImportFacet,
  target: ImportTarget,
  part: ImportPart,
  outcomes: Outcomes,
  signal: AbortSignal,
): Promise<void> {
  for (let sent = 0; sent < part.rows;) {
    const rows = part.documents(sent, MOST_IMPORT_ROWS, CALL_BYTES);
    sent += rows.length;
    await addOutcomes(facet.write(target, rows, { signal }), outcomes);
  }
}

/** Outcomes of written rows come one by one or many at a time, and are counted many at a time. */
async function addOutcomes(given: AsyncIterable<WriteOutcome>, outcomes: Outcomes): Promise<void> {
  let written = 0;
  try {
    for await (const outcome of given) {
      const isWritten = outcome.outcome === 'written';
      if (isWritten) written += 'rows' in outcome ? outcome.rows : 1;
      if (isWritten && written < COUNTED_ROWS) continue;
      const count = written;
      written = 0;
      if (count > 0) await outcomes.addWritten(count);
      if (!isWritten) await outcomes.add(outcome);
    }
  } finally {
    // Also those before an error.
    await outcomes.addWritten(written);
  }
}

async function sendSpliced(
  http: NonNullable<SplicingSession['http']>,
  facet: ImportFacet,
  splice: ImportSplice,
  part: ImportPart,
  outcomes: Outcomes,
  signal: AbortSignal,
): Promise<void> {
  const { content } = part;
  const { status, body } = await http.request({
    headers: {},
    ...splice.request,
    repeatable: false,
    signal,
    bodyBytes: content.length,
    body: {
      async *[Symbol.asyncIterator]() {
        yield content;
      },
      collect: async () => content,
    },
  });
  if (status < 200 || status > 299) {
    await facet.judge(splice, { status, lines: [await beginning(body)] });
    throw new DriverError('SERVER_ERROR', `The server answered the import with status ${status}.`, {
      details: { status: String(status) },
    });
  }
  const reader = new AnswerReader(facet, splice, outcomes);
  for await (const chunk of body) await reader.push(chunk);
  await reader.end();
}

/** Reads the lines of an answer. Those of written rows, which are nearly all, are compared as bytes. */
class AnswerReader {
  readonly #facet: ImportFacet;
  readonly #splice: ImportSplice;
  readonly #outcomes: Outcomes;
  readonly #written: Uint8Array;
  #open: Uint8Array = new Uint8Array();
  /** Lines for the driver, and how many written rows come before each. */
  #lines: { readonly text: string; readonly before: number }[] = [];
  #linesBytes = 0;
  #writtenSince = 0;

  constructor(facet: ImportFacet, splice: ImportSplice, outcomes: Outcomes) {
    this.#facet = facet;
    this.#splice = splice;
    this.#outcomes = outcomes;
    this.#written = encoder.encode(splice.written);
  }

  async push(chunk: Uint8Array): Promise<void> {
    const data = this.#open.length === 0 ? chunk : Buffer.concat([this.#open, chunk]);
    let start = 0;
    for (let end = data.indexOf(LINE_FEED); end >= 0; end = data.indexOf(LINE_FEED, start)) {
      // Nearly every line: without an object and a promise for it.
      if (this.#isWritten(data, start, end)) this.#writtenSince += 1;
      else await this.#line(data.subarray(start, end));
      start = end + 1;
    }
    this.#open = data.slice(start);
  }

  async end(): Promise<void> {
    if (this.#open.length > 0) await this.#line(this.#open);
    await this.#judge();
    await this.#outcomes.addWritten(this.#writtenSince);
  }

  #isWritten(data: Uint8Array, start: number, end: number): boolean {
    const written = this.#written;
    if (end - start !== written.length) return false;
    for (let at = 0; at < written.length; at += 1) if (data[start + at] !== written[at]) return false;
    return true;
  }

  async #line(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    if (this.#isWritten(bytes, 0, bytes.length)) {
      this.#writtenSince += 1;
      return;
    }
    this.#lines.push({ text: decoder.decode(bytes), before: this.#writtenSince });
    this.#writtenSince = 0;
    this.#linesBytes += bytes.length;
    if (this.#lines.length >= JUDGED_LINES || this.#linesBytes >= JUDGED_BYTES) await this.#judge();
  }

  async #judge(): Promise<void> {
    const lines = this.#lines;
    if (lines.length === 0) return;
    this.#lines = [];
    this.#linesBytes = 0;
    const judged = await this.#facet.judge(this.#splice, { status: 200, lines: lines.map(({ text }) => text) });
    if (judged.length !== lines.length)
      throw new DriverError('DRIVER_FAULT', 'The driver judged another number of rows than it was given.');
    for (const [index, outcome] of judged.entries()) {
      await this.#outcomes.addWritten(lines[index]?.before ?? 0);
      await this.#outcomes.add(outcome);
    }
  }
}

async function beginning(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= LONGEST_REFUSAL) break;
  }
  return decoder.decode(Buffer.concat(chunks).subarray(0, LONGEST_REFUSAL));
}
