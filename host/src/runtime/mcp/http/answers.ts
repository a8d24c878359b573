import { wholeStart } from '@tabularium/sdk';
/** Characters of each text in an error that the protocol library made. */
const LONGEST_WORDS = 600;

/** An id as JSON-RPC allows it. */
export type RpcId = string | number;

/** An error of JSON-RPC as an HTTP answer. The id is left out where it is not known; null isn't a valid id. */
export function errorAnswer(
  status: number,
  code: number,
  message: string,
  options: { readonly id?: RpcId | undefined; readonly data?: unknown; readonly headers?: Record<string, string> } = {},
): Response {
  const { id, data, headers } = options;
  return Response.json(
    {
      jsonrpc: '2.0',
      ...(id === undefined ? {} : { id }),
      error: { code, message, ...(data === undefined ? {} : { data }) },
    },
    { status, headers: { 'cache-control': 'no-store', ...headers } },
  );
}

/**
 * The protocol library answers some requests with `"id":null`, also where the id is known. The protocol requires the id, or none where it is
 * not known. The library's errors also repeat what was sent: a body of a megabyte would be answered with two.
 */
export async function withRightId(response: Response, id: RpcId | undefined): Promise<Response> {
  if (response.ok || !(response.headers.get('content-type') ?? '').startsWith('application/json')) return response;
  const text = await response.text();
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return new Response(readableError(text, id), { status: response.status, headers });
}

function readableError(text: string, id: RpcId | undefined): string {
  const body: unknown = JSON.parse(text, (_key, value: unknown) => (typeof value === 'string' ? cutWords(value) : value));
  if (typeof body !== 'object' || body === null) return text;
  if (!('id' in body)) return JSON.stringify(body);
  // A long id is the caller's own, and must come back as it was.
  if (body.id !== null) return JSON.stringify(id === undefined ? body : { ...body, id });
  const { id: _, ...rest } = body;
  return JSON.stringify(id === undefined ? rest : { ...rest, id });
}

/** The library quotes what the caller sent, however long. */
function cutWords(text: string): string {
  return text.length <= LONGEST_WORDS ? text : `${wholeStart(text, LONGEST_WORDS)}…`;
}
