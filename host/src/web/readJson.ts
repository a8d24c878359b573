import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { HostError } from '../common/errors.ts';
import { BodyTooLarge } from '../runtime/http/fetchAdapter.ts';

const LARGEST_BODY = 4_096;

/**
 * Reads a small JSON body.
 *
 * @throws BodyTooLarge for more than 4 KiB
 * @throws HostError `INVALID_REQUEST` for anything but the schema's
 */
export async function readJson<Value>(request: IncomingMessage, schema: z.ZodType<Value>): Promise<Value> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > LARGEST_BODY) throw new BodyTooLarge();
    chunks.push(chunk);
  }
  try {
    return schema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  } catch (cause) {
    throw new HostError('INVALID_REQUEST', "The request isn't one of a window.", { cause });
  }
}
