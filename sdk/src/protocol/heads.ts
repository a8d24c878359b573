import { z } from 'zod';
import { boundedSchema } from './boundedSchema.ts';
import { deferredSchema } from './deferredSchema.ts';
import { WireViolation } from './frame.ts';
import { WIRE_LIMITS } from './limits.ts';

/** How a body follows: not at all, whole in the same frame, or in `data` frames up to `end`. */
const bodyKind = z.enum(['none', 'whole', 'stream']);

export const requestHeadSchema = z.object({
  method: z.string().min(1).max(60),
  /** The session that the request belongs to, numbered by the host. */
  session: z.number().int().min(0).max(0xffff_ffff).optional(),
  body: bodyKind,
  params: z.unknown().optional(),
});
export type RequestHead = z.output<typeof requestHeadSchema>;

export const answerHeadSchema = deferredSchema(() => z.object({ body: bodyKind, result: z.unknown().optional() }));
export type AnswerHead = z.output<typeof answerHeadSchema>;

export const creditHeadSchema = deferredSchema(() => z.object({ bytes: z.number().int().min(1).max(WIRE_LIMITS.window) }));

/** The first frame of a driver's process, as every version of the wire can read it. */
export const readyHeadSchema = deferredSchema(() => z.object({ wire: z.number().int().min(0).max(1_000_000) }));

/** The rest of that frame, once the version is known to be ours. */
export const readyDetailsSchema = deferredSchema(() =>
  z.object({
    wire: z.number().int(),
    /** The contract that the driver was built with. Absent when it could not be loaded. */
    contract: z.string().max(40).optional(),
    driver: z.string().max(100).optional(),
    /** Why there is nothing to serve. */
    problem: z.string().max(4_000).optional(),
  }),
);
/** The first message of a driver's process when it has loaded its driver, or failed to. */
export type ReadyDetails = z.output<typeof readyDetailsSchema>;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

export const NO_BYTES: Uint8Array = new Uint8Array(0);

export function encodeHead(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value));
}

/** @throws WireViolation */
export function parseHead<T>(bytes: Uint8Array, schema: z.ZodType<T>, what: string): T {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch {
    throw new WireViolation(`the head of ${what} isn't valid JSON`);
  }
  const result = boundedSchema(schema).safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw new WireViolation(`the head of ${what} is not valid (${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''})`);
  }
  return result.data;
}
