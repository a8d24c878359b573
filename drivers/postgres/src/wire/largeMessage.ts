import { DriverError } from '@tabularium/sdk';
import { faultTexts } from '../fault.ts';

/**
 * A message that is longer than is read.
 *
 * @param server - host and port: it is the server that sent it
 */
export function largeMessage(server: string, size: number, most: number): DriverError {
  return new DriverError(
    'TOO_LARGE',
    `${server} sent a message of ${size.toLocaleString('en')} bytes, and ${most.toLocaleString('en')} are read at most.`,
    {
      details: {
        advice: 'Leave the column with the large value out, or read a part of it, such as substr(data, 1, 1000000).',
        texts: faultTexts('link.largeMessage', { server, size, most }, 'link.largeMessage.advice'),
      },
    },
  );
}
