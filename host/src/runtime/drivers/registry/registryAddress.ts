import { visibleText } from '@tabularium/sdk';
import { HostError } from '../../../common/errors.ts';

/** Characters of an address in a message. */
const LONGEST_SHOWN = 200;

/** An address that isn't one of a registry, as a message may have it: without a user, a password, a query or a fragment. */
function shownAddress(text: string): string {
  const end = text.search(/[?#]/);
  const place = end < 0 ? text : `${text.slice(0, end + 1)}•••`;
  const at = text.lastIndexOf('@');
  const scheme = /^[a-z][a-z\d+.-]*:\/{0,2}/i.exec(text)?.[0] ?? '';
  // A password may have any of these signs.
  const shown =
    at < 0
      ? place
      : `${text.includes('://') ? scheme : ''}•••@${at > end ? text.slice(at + 1).replace(/[?#].*/s, '') : place.slice(at + 1)}`;
  return visibleText(shown, 'name', LONGEST_SHOWN);
}

/**
 * @param cause - why it can't be used
 * @param variable - the one of the environment that has the address; default: somebody entered it
 */
export function badRegistryAddress(text: string, cause: unknown, variable?: string): HostError {
  const why = cause instanceof TypeError && !('code' in cause) ? ` ${cause.message}` : '';
  const shown = shownAddress(text);
  if (variable === undefined) {
    return new HostError(
      'INVALID_REQUEST',
      `"${shown}" isn't the address of a registry.${why} Use one such as https://registry.example/.`,
      { cause },
    );
  }
  return new HostError(
    'INVALID_REQUEST',
    `The variable ${variable} has "${shown}", which isn't the address of a registry.${why}`,
    {
      cause,
      details: {
        advice: `Correct ${variable}, or remove it: addresses such as https://registry.example/, with spaces between them. A token is entered with "tabularium drivers registries add URL --token-stdin".`,
      },
    },
  );
}
