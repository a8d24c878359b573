import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/**
 * How commands speak to the host that owns a home: HTTP/1.1 over the local socket.
 *
 * - `POST /hello` with a challenge: the host proves that it knows the endpoint's key;
 * - `POST /command` with the key and `{command, arguments}`: lines of JSON, any number of `{event}`, then one `{result}` or `{error}`.
 */
export const COMMAND_PROTOCOL = 1;

export const CHALLENGE_HEADER = 'tabularium-challenge';
export const LARGEST_COMMAND_BYTES = 4 * 1024 * 1024;

export const helloSchema = z.object({ protocol: z.number().int(), proof: z.string(), version: z.string() });
export type Hello = z.output<typeof helloSchema>;

export const commandSchema = z.object({ command: z.string().min(1).max(80), arguments: z.unknown() });
export type CommandRequest = z.output<typeof commandSchema>;

/** The codes stay text here: a host may be newer than the command. */
export const reportSchema = z.object({
  code: z.string(),
  message: z.string(),
  advice: z.string(),
  retryable: z.boolean(),
  details: z.record(z.string(), z.string()),
});
export type CommandErrorReport = z.output<typeof reportSchema>;

export const lineSchema = z.union([
  z.strictObject({ event: z.unknown() }),
  z.strictObject({ result: z.unknown() }),
  z.strictObject({ error: reportSchema }),
]);

export function proofOf(key: string, challenge: string): string {
  return createHmac('sha256', key).update(`tabularium host ${challenge}`).digest('hex');
}

/** Compares in a time that says nothing of where two texts differ. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** An error that a host reported to a command. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly report: CommandErrorReport;

  constructor(report: CommandErrorReport) {
    super(report.message);
    this.report = report;
  }
}
