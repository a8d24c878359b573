import { isDriverError } from '@tabularium/sdk';
import type { ImportFacet, ImportSplice, ImportTarget } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import type { CollectionSchema } from '../schema.ts';
import type { Schemas } from '../schemas.ts';
import { requestLine, serverError, serverWords } from '../serverErrors.ts';
import { collectionName } from '../tables.ts';
import { documentProblem } from './checkDocument.ts';
import { importModes, importPath } from './modes.ts';
import { createTables } from './newCollection.ts';
import { WRITTEN_LINE, lineOutcome } from './outcomes.ts';

/** The server's own type for lines of JSON; it reads the body the same with any. */
const HEADERS = { 'content-type': 'text/plain' } as const;

/** Documents by the server's own import. */
export function createImport(client: SearchClient, schemas: Schemas): ImportFacet {
  const spliceOf = (target: ImportTarget): ImportSplice => ({
    request: { method: 'POST', path: importPath(collectionName(target.table), target.mode), headers: HEADERS },
    written: WRITTEN_LINE,
  });
  return {
    async form(table, { signal }) {
      const collection = collectionName(table);
      await schemaUnlessRefused(collection, schemas, signal);
      return { modes: importModes(collection), language: 'http', key: ['id'] };
    },
    async check({ table, mode }, rows, { signal }) {
      importPath(collectionName(table), mode);
      const schema = await schemaUnlessRefused(collectionName(table), schemas, signal);
      return rows.flatMap((row, index) => {
        const problem = documentProblem(row, mode, schema);
        return problem === undefined ? [] : [{ index, ...problem }];
      });
    },
    // Asked before each part of a file: whether the collection is there, the answer to the part says.
    async splice(target, { signal }) {
      signal.throwIfAborted();
      return spliceOf(target);
    },
    judge({ request }, { status, lines }) {
      const line = requestLine(request.method, request.path);
      if (status >= 300) throw serverError(status, serverWords(lines.join('\n')), line);
      return lines.map((answer) => lineOutcome(answer, line));
    },
    async *write(target, rows, { signal }) {
      const { request } = spliceOf(target);
      signal.throwIfAborted();
      const response = await client.send({ ...request, body: rows.join('\n'), repeatable: false, signal });
      const line = requestLine(request.method, request.path);
      const decoder = new TextDecoder();
      let open = '';
      for await (const chunk of response.body) {
        const lines = (open + decoder.decode(chunk, { stream: true })).split('\n');
        open = lines.pop() ?? '';
        for (const answer of lines) if (answer !== '') yield lineOutcome(answer, line);
      }
      signal.throwIfAborted();
      if (open !== '') yield lineOutcome(open, line);
    },
    tables: createTables(client, schemas),
  };
}

/** undefined where the key may write documents and not read schemas. */
async function schemaUnlessRefused(
  collection: string,
  schemas: Schemas,
  signal: AbortSignal,
): Promise<CollectionSchema | undefined> {
  try {
    return await schemas.current(collection, signal);
  } catch (error) {
    if (isDriverError(error) && error.code === 'ACCESS_REFUSED') return undefined;
    throw error;
  }
}
