import { DriverError } from '@tabularium/sdk';
import type { HttpCapability, HttpRequest, HttpResponse } from '@tabularium/sdk';

/** The answer of a made-up server to one request. */
export interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string;
}

/** An http capability without a server: every request is put to a function. */
export function answering(answer: (request: HttpRequest) => Answer): HttpCapability & { readonly requests: HttpRequest[] } {
  const requests: HttpRequest[] = [];
  return {
    requests,
    async request(request) {
      if (request.signal?.aborted === true) throw new DriverError('CANCELLED');
      requests.push(request);
      return responseOf(answer(request));
    },
  };
}

function responseOf({ status = 200, type = 'application/json; charset=utf-8', body = '' }: Answer): HttpResponse {
  return {
    status,
    headers: { 'content-type': type },
    body: (async function* () {
      // In small pieces, so that nothing relies on where a chunk ends.
      const bytes = new TextEncoder().encode(body);
      for (let from = 0; from < bytes.length; from += 7) yield bytes.subarray(from, from + 7);
    })(),
    text: () => Promise.resolve(body),
    discard: () => Promise.resolve(),
  };
}

export const FORBIDDEN: Answer = {
  status: 401,
  body: '{"message": "Forbidden - a valid `x-typesense-api-key` header must be sent."}',
};

export const json = (value: unknown): Answer => ({ body: JSON.stringify(value) });
