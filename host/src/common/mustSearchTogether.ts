import { DriverError } from '@tabularium/sdk';
import type { SearchForm, SearchRequest } from '@tabularium/sdk';

/**
 * A driver that searches one table at a time may not know of others in a request, and would leave them out unseen.
 *
 * @throws DriverError `UNSUPPORTED` where the driver or the server searches one table at a time, `INVALID_INPUT` for too many tables
 */
export function mustSearchTogether({ alsoIn = [] }: Pick<SearchRequest, 'alsoIn'>, { mostTables = 1 }: SearchForm): void {
  if (alsoIn.length < mostTables) return;
  if (mostTables === 1) {
    throw new DriverError('UNSUPPORTED', 'This database searches one table at a time.', {
      details: { field: 'alsoIn', advice: 'Leave the other tables out.' },
    });
  }
  throw new DriverError('INVALID_INPUT', `One search looks in at most ${mostTables} tables.`, {
    details: { field: 'alsoIn', advice: 'Leave some of the other tables out.' },
  });
}
