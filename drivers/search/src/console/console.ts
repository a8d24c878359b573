import type { ConsoleFacet } from '@tabularium/sdk';
import { isDriverError } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import { Schemas } from '../schemas.ts';
import { classifyRequest } from './classify.ts';
import { completeRequest } from './complete.ts';
import { KnownNames } from './names.ts';
import type { ConsoleRequest } from './request.ts';
import { parseRequest } from './request.ts';
import { splitRequests } from './requestText.ts';
import { runRequest } from './run.ts';

/** The console: requests of the server's own interface, one method and path each. */
export function createConsole(client: SearchClient, schemas = new Schemas(client)): ConsoleFacet {
  const names = new KnownNames(client, schemas);
  return {
    split: splitRequests,
    async classify(statement, { signal }) {
      let request: ConsoleRequest;
      try {
        request = parseRequest(statement);
      } catch (error) {
        // Running it will be refused; until then nobody may take it for harmless.
        if (isDriverError(error)) return { effect: 'write', tables: [], summary: 'Text that is no request' };
        throw error;
      }
      return classifyRequest(request, client, signal);
    },
    complete: (text, offset, { signal }) => completeRequest(text, offset, names.with(signal)),
    async *run(statement, options) {
      yield* runRequest(parseRequest(statement), client, options);
    },
  };
}
