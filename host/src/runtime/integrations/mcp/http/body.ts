import type { IncomingMessage } from 'node:http';
import { exceededShape } from '../../../http/jsonShape.ts';
import type { JsonShapeLimits } from '../../../http/jsonShape.ts';

/** A body, or why there is none. */
export type BodyResult =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'tooLarge' | 'notJson' | 'gone' }
  | { readonly kind: 'shape'; readonly exceeded: keyof JsonShapeLimits };

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Reads a JSON body up to a limit of bytes and of its shape. Slow bodies are ended by the server's own time-out. */
export async function readJsonBody(request: IncomingMessage, limit: number): Promise<BodyResult> {
  if (Number(request.headers['content-length']) > limit) return { kind: 'tooLarge' };
  const bytes = await readBytes(request, limit);
  if (typeof bytes === 'string') return { kind: bytes };
  const exceeded = exceededShape(bytes);
  if (exceeded !== undefined) return { kind: 'shape', exceeded };
  try {
    return { kind: 'json', value: JSON.parse(decoder.decode(bytes)) as unknown };
  } catch {
    return { kind: 'notJson' };
  }
}

/** By events and not by iteration: leaving an iteration early destroys the socket, and with it the answer that says why. */
function readBytes(request: IncomingMessage, limit: number): Promise<Buffer | 'tooLarge' | 'gone'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (result: Buffer | 'tooLarge' | 'gone'): void => {
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve(result);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      finish('tooLarge');
      request.resume();
    };
    const onEnd = (): void => finish(Buffer.concat(chunks));
    const onClose = (): void => finish('gone');
    request.on('error', () => undefined);
    request.on('data', onData).on('end', onEnd).on('close', onClose);
    if (request.destroyed) finish('gone');
  });
}
