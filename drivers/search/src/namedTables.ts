import { DriverError, isDriverError } from '@tabularium/sdk';
import type { NamedTablesFacet } from '@tabularium/sdk';
import type { SearchClient } from './client.ts';
import { CANNOT_LIST } from './keyFindings.ts';
import { countFiltered } from './pages.ts';
import { tableRef } from './tables.ts';
import { faultTexts } from './faultTexts.ts';

/** Collections that the key may search, and whose names it cannot list. */
export function createNamedTables(client: SearchClient): NamedTablesFacet {
  return {
    reason: CANNOT_LIST,
    async find(typed, { signal }) {
      const name = typed.trim();
      if (name === '') {
        throw new DriverError('INVALID_INPUT', 'Enter the name of a collection.', {
          details: { texts: faultTexts('fault.enterCollection') },
        });
      }
      try {
        const rows = await countFiltered(name, undefined, client, signal);
        return { ref: tableRef(name), kind: 'table', count: { rows, exact: true } };
      } catch (error) {
        if (!isDriverError(error) || error.code !== 'ACCESS_REFUSED') throw error;
        // The server answers the same whether the collection is there or not, so that a key finds no names.
        throw new DriverError('ACCESS_REFUSED', `This key may not search in a collection “${name}”.`, {
          cause: error,
          details: {
            ...error.details,
            advice:
              'Check the name. The server gives this answer for a collection that the key does not reach and for one that is not there.',
            texts: faultTexts('fault.mayNotSearch', { name }, 'fault.mayNotSearch.advice'),
          },
        });
      }
    },
  };
}
