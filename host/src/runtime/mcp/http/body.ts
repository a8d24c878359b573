import type { IncomingMessage } from 'node:http';
import { inexactNumber } from '../../http/inexactNumber.ts';
import { exceededShape } from '../../http/jsonShape.ts';
import type { JsonShapeLimits } from '../../http/jsonShape.ts';
import type { BodyShare } from './bodyBudget.ts';

/** A body, or why there is none. */
export type BodyResult =
  | {
      readonly kind: 'json';
      readonly value: unknown;
      /** A number of it that the value does not hold digit for digit. */ readonly inexact?: string | undefined;
    }
  | { readonly kind: 'tooLarge' | 'full' | 'notJson' | 'gone' }
  | { readonly kind: 'shape'; readonly exceeded: keyof JsonShapeLimits };

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a JSON body up to a limit of bytes and of its shape. Slow bodies are ended by the server's own time-out. What is read is taken from
 * the share: a length that is announced at once, other bytes as they arrive.
 */
export async function readJsonBody(request: IncomingMessage, limit: number, share?: BodyShare): Promise<BodyResult> {
  const announced = Number(request.headers['content-length']);
  if (announced > limit) return { kind: 'tooLarge' };
  if (announced > 0 && share?.take(announced) === false) return { kind: 'full' };
  const bytes = await readBytes(request, limit, announced > 0 ? undefined : share);
  if (typeof bytes === 'string') return { kind: bytes };
  const exceeded = exceededShape(bytes);
  if (exceeded !== undefined) return { kind: 'shape', exceeded };
  try {
    return { kind: 'json', value: JSON.parse(decoder.decode(bytes)) as unknown, inexact: await inexactNumber(bytes) };
  } catch {
    return { kind: 'notJson' };
  }
}

type NoBytes = 'tooLarge' | 'full' | 'gone';

/** By events and not by iteration: leaving an iteration early destroys the socket, and with it the answer that says why. */
export function readBytes(request: IncomingMessage, limit: number, share: BodyShare | undefined): Promise<Buffer | NoBytes> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (result: Buffer | NoBytes): void => {
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve(result);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      const fits = size <= limit;
      if (fits && (share?.take(chunk.length) ?? true)) {
        chunks.push(chunk);
        return;
      }
      finish(fits ? 'full' : 'tooLarge');
      request.resume();
    };
    const onEnd = (): void => finish(Buffer.concat(chunks));
    const onClose = (): void => finish('gone');
    request.on('error', () => undefined);
    request.on('data', onData).on('end', onEnd).on('close', onClose);
    if (request.destroyed) finish('gone');
  });
}
