import { RUN_PATH } from '../../common/console.ts';
import type { RunLine, RunStatementInput } from '../../common/console.ts';
import { apiUrl } from '../api/apiUrl.ts';
import { reportInDriverWords } from '../api/driverTexts.ts';
import { hostFetch } from '../api/hostLink/hostFetch.ts';
import { ReportedProblem, isReport } from '../api/problem.ts';

function isRunLine(value: unknown): value is RunLine {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function parseLine(line: string): RunLine {
  const value: unknown = JSON.parse(line);
  if (!isRunLine(value)) throw new SyntaxError("The line isn't an event of a statement.");
  return value;
}

/** The lines of a body as they arrive. @throws SyntaxError for a line that isn't an event */
export async function* runLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<RunLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  // Parts of a line that is not yet whole: joined once, because an answer may be one line of many megabytes.
  let parts: string[] = [];
  for await (const chunk of body) {
    const pieces = decoder.decode(chunk, { stream: true }).split('\n');
    const last = pieces.pop() ?? '';
    for (const piece of pieces) {
      const line = parts.join('') + piece;
      parts = [];
      if (line !== '') yield parseLine(line);
    }
    if (last !== '') parts.push(last);
  }
  const rest = parts.join('') + decoder.decode();
  if (rest !== '') yield parseLine(rest);
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Giving up the body is what stops a statement that still runs.
    await reader.cancel().catch(() => undefined);
  }
}

/** Runs one statement; aborting or ending the iteration early stops it. @throws ReportedError with the host's report */
export async function* runConsoleStatement(input: RunStatementInput, signal: AbortSignal): AsyncGenerator<RunLine> {
  const response = await hostFetch(apiUrl(RUN_PATH), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
    signal,
  });
  if (!response.ok || response.body === null) {
    const report: unknown = await response.json();
    if (isReport(report)) throw new ReportedProblem(reportInDriverWords(input.connectionId, report));
    throw new SyntaxError("The error isn't a report.");
  }
  for await (const line of runLines(chunksOf(response.body))) {
    if (line.type === 'failed') throw new ReportedProblem(reportInDriverWords(input.connectionId, line.report));
    yield line;
  }
}
