import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { hostKeyQuestionSchema } from '../../common/hostKeyQuestion.ts';

/**
 * How programs of a home's owner speak to its host: HTTP/1.1 over the local socket.
 *
 * - `POST /hello` with a challenge: the host proves that it has the endpoint's key;
 * - everything below `/api/` with the key: the API, whose answer begins with `102 Processing` before anything runs.
 */
export const OWNER_PROTOCOL = 2;

export const CHALLENGE_HEADER = 'tabularium-challenge';
export const LARGEST_BODY_BYTES = 4 * 1024 * 1024;
/** Where the API is. The host in it is not asked for: the socket has one host. */
export const OWNER_ORIGIN = 'http://tabularium';

export const helloSchema = z.object({ protocol: z.number().int(), proof: z.string(), version: z.string() });
export type Hello = z.output<typeof helloSchema>;

/** The codes stay text here, and the details what they are: a host may be newer than the command. */
export const reportSchema = z.object({
  code: z.string(),
  message: z.string(),
  advice: z.string(),
  retryable: z.boolean(),
  details: z.looseObject({ advice: z.string().optional() }),
  place: z.object({ line: z.number().int(), column: z.number().int() }).optional().catch(undefined),
  hostKeyQuestion: hostKeyQuestionSchema.optional().catch(undefined),
});
export type ReceivedReport = z.output<typeof reportSchema>;

export function proofOf(key: string, challenge: string): string {
  return createHmac('sha256', key).update(`tabularium host ${challenge}`).digest('hex');
}

/** Compares in a time that says nothing of where two texts differ. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** An error that a host reported. */
export class ReportedError extends Error {
  override readonly name = 'ReportedError';
  readonly report: ReceivedReport;

  constructor(report: ReceivedReport) {
    super(report.message);
    this.report = report;
  }
}
