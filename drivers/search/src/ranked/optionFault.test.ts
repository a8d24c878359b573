import { DriverError } from '@tabularium/sdk';
import { expect, it } from 'vitest';
import { withOption } from './optionFault.ts';

it('names the time limit of a search where the server gave up', () => {
  const error = new DriverError('TIMEOUT', 'The server answered 408 to POST /multi_search: Request Timeout.', {
    details: { status: '408', serverMessage: 'Request Timeout' },
  });
  expect(withOption(error, { search_cutoff_ms: 1 })).toMatchObject({
    code: 'TIMEOUT',
    message: 'The server stopped the search after 1 ms, as “Stop after milliseconds” says, and had found nothing yet.',
    details: { field: 'search_cutoff_ms', advice: 'Give “Stop after milliseconds” a larger number.' },
  });
  expect(withOption(error, {})).toBe(error);
});
