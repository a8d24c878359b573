import type { ConsoleFacet } from '@tabularium/sdk';
import { isDriverError } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import { classifyRequest } from './classify.ts';
import type { ConsoleRequest } from './request.ts';
import { parseRequest } from './request.ts';
import { splitRequests } from './requestText.ts';
import { runRequest } from './run.ts';

/** The console: requests of the server's own interface, one method and path each. */
export function createConsole(client: SearchClient): ConsoleFacet {
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
    async *run(statement, options) {
      yield* runRequest(parseRequest(statement), client, options);
    },
  };
}
