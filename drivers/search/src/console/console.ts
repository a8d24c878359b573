import type { ConsoleFacet } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import { untilCancelled } from '../rowEvents.ts';
import { Schemas } from '../schemas.ts';
import { classifyRequest } from './classify.ts';
import { completeRequest } from './complete.ts';
import { exampleRequests } from './examples.ts';
import { KnownNames } from './names.ts';
import { parseRequest } from './request.ts';
import { versionNumber } from '../versions.ts';
import { splitRequests } from './requestText.ts';
import { describeRequest, runRequest } from './run.ts';

/** The console: requests of the server's own interface, one method and path each. */
export function createConsole(client: SearchClient, schemas = new Schemas(client), version?: string): ConsoleFacet {
  const number = versionNumber(version);
  const names = new KnownNames(client, schemas);
  return {
    split: splitRequests,
    // Text that isn't a request is rejected here too, so that no one has to approve a request that would not be sent.
    classify: async (statement, { signal }) => classifyRequest(parseRequest(statement), client, signal),
    describeRequest: (statement) => describeRequest(parseRequest(statement)),
    complete: (text, offset, { signal }) => completeRequest(text, offset, names.with(signal), number),
    examples: ({ signal }) => exampleRequests(names.with(signal)),
    async *run(statement, options) {
      yield* untilCancelled(runRequest(parseRequest(statement), client, options, version), options.signal);
    },
  };
}
