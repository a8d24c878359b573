import { DriverError } from '@tabularium/sdk';
import { faultTexts } from '../fault.ts';

/**
 * An answer that is ended because of its size.
 *
 * @param server - host and port: it is the server that sent it
 * @param bytes - of memory that it takes at least
 */
export function largeAnswer(server: string, bytes: number): DriverError {
  const most = Math.floor(bytes / 1024 / 1024);
  return new DriverError('TOO_LARGE', `The answer of ${server} takes more than ${most} MB of memory.`, {
    details: {
      advice: 'Ask for fewer rows or columns, or export the table.',
      texts: faultTexts('link.largeAnswer', { server, most }, 'link.largeAnswer.advice'),
    },
  });
}
