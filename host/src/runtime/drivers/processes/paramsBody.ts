import type { WireBody } from '@tabularium/sdk/protocol';

/** Characters of rows that are encoded together. */
const PIECE = 64 * 1024;
const encoder = new TextEncoder();

/**
 * The parameters of a call as JSON. Those of rows to write are encoded piece by piece while they are sent, and let go of then: a megabyte that lives as long as its
 * call is old when it ends, and V8 frees what is old only when much of it has come together.
 */
export function paramsBody(params: unknown): WireBody {
  const rows = rowsIn(params);
  if (rows === undefined) return encoder.encode(JSON.stringify(params));
  return new RowsBody(JSON.stringify({ ...(params as object), rows: [] }), rows);
}

/** The rows, where they are many. */
function rowsIn(params: unknown): readonly string[] | undefined {
  if (typeof params !== 'object' || params === null || !('rows' in params) || !Array.isArray(params.rows)) return undefined;
  const rows: readonly unknown[] = params.rows;
  let characters = 0;
  for (const row of rows) {
    if (typeof row !== 'string') return undefined;
    characters += row.length;
  }
  return characters > PIECE ? (rows as readonly string[]) : undefined;
}

/** Can be read once. */
class RowsBody implements AsyncIterable<Uint8Array> {
  readonly #others: string;
  #rows: readonly string[] | undefined;

  /** @param others - the parameters with no rows, which are the last of them */
  constructor(others: string, rows: readonly string[]) {
    this.#others = others;
    this.#rows = rows;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    const rows = this.#rows ?? [];
    this.#rows = undefined;
    const end = ']}';
    let text = this.#others.slice(0, -end.length);
    for (const [index, row] of rows.entries()) {
      text += `${index === 0 ? '' : ','}${JSON.stringify(row)}`;
      if (text.length < PIECE) continue;
      yield encoder.encode(text);
      text = '';
    }
    yield encoder.encode(`${text}${end}`);
  }
}
