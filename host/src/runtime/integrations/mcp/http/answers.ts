/** An id as JSON-RPC allows it. */
export type RpcId = string | number;

/** An error of JSON-RPC as an HTTP answer. The id is left out where it is not known; null is no valid id. */
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

/** The protocol library answers with `"id":null` where it does not know the id. The protocol wants it left out. */
export async function withoutNullId(response: Response): Promise<Response> {
  if (response.ok || !(response.headers.get('content-type') ?? '').startsWith('application/json')) return response;
  const text = await response.text();
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return new Response(dropNullId(text), { status: response.status, headers });
}

function dropNullId(text: string): string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return text;
  }
  if (typeof body !== 'object' || body === null || !('id' in body) || body.id !== null) return text;
  const { id: _, ...rest } = body;
  return JSON.stringify(rest);
}
