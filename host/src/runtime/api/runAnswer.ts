import { boundedSchema } from '@tabularium/sdk/protocol';
import type { RunLine } from '../../common/console.ts';
import { runStatementSchema } from '../../common/console.ts';
import { errorReport } from '../errors/errorReport.ts';
import { statementIn } from '../errors/statementIn.ts';
import type { ApiContext } from './context.ts';

const encoder = new TextEncoder();

/**
 * The answer to a call of RUN_PATH: JSON lines as they arrive, one more whenever the transport has taken the one before. Giving up the body
 * stops the statement.
 *
 * @param onUnexpected - called with an error after the answer began, which is the answer's last line then
 * @throws the error of the statement before its first line
 */
export async function runAnswer(
  services: Pick<ApiContext, 'statements'>,
  input: unknown,
  signal: AbortSignal,
  onUnexpected: (error: unknown) => void,
): Promise<Response> {
  const stopping = new AbortController();
  const lines = await services.statements.run(
    boundedSchema(runStatementSchema).parse(input),
    AbortSignal.any([signal, stopping.signal]),
  );
  const iterator = lines[Symbol.asyncIterator]();
  // The first line before the head, so that what fails at once has a status of its own.
  const first = await iterator.next();
  let waiting: IteratorResult<RunLine> | undefined = first;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = waiting ?? (await iterator.next());
          waiting = undefined;
          if (next.done === true) controller.close();
          else controller.enqueue(encoder.encode(`${JSON.stringify(next.value)}\n`));
        } catch (error) {
          onUnexpected(error);
          controller.enqueue(
            encoder.encode(`${JSON.stringify({ type: 'failed', report: errorReport(error, statementIn(input)) })}\n`),
          );
          controller.close();
        }
      },
      async cancel() {
        stopping.abort();
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { 'content-type': 'application/jsonl; charset=utf-8' } });
}
