import { isInternationalLabel } from './isInternationalLabel.ts';

/** The parts of a fixed address of a public service, or why it isn't one. */
export type PublicAddress =
  { readonly host: string; readonly port: number; readonly problem?: undefined } | { readonly problem: string };

const HTTPS_PORT = 443;
const LONGEST_NAME = 253;
const LONGEST_LABEL = 63;
/** Names with a dot, as a URL writes them, whose last part isn't a number. */
const NAME = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?$/;
/** Ends of names that mean another place in each network, or this computer. */
const LOCAL_ENDS = ['localhost', 'localdomain', 'local', 'internal', 'intranet', 'private', 'corp', 'home', 'lan', 'home.arpa'];
/** Ends of names that no service on the web has: those of other networks, of examples, and of lookups by address. */
const UNUSABLE_ENDS = ['onion', 'arpa', 'alt', 'invalid', 'test', 'i2p'];

/**
 * Reads an address that a manifest fixes for all connections: the origin of a public service, exactly as it is shown to the person who agrees to it.
 * `https` alone, a name that means the same place everywhere, and nothing beside the origin.
 */
export function publicAddress(text: string): PublicAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:')
    return {
      problem: 'A fixed address begins with https://, such as https://api.example.com. Write it so, or take it from form fields.',
    };
  // Also another spelling of the same origin: what is shown, allowed and compared is one text.
  if (url.origin !== text)
    return {
      problem:
        'A fixed address is an origin alone, in lower case, such as https://api.example.com: without user name, path, "/" at its end, query, or the port 443. Remove the rest.',
    };
  const { hostname } = url;
  const isLocal = [...LOCAL_ENDS, ...UNUSABLE_ENDS].some((end) => hostname === end || hostname.endsWith(`.${end}`));
  if (isLocal || hostname.length > LONGEST_NAME || !NAME.test(hostname))
    return {
      problem:
        'A fixed address names a public service, so it needs a full host name: no IP address, and no name of this computer or of a private network. For such a server, take the address from form fields.',
    };
  const wrong = hostname.split('.').find((label) => label.length > LONGEST_LABEL || isInvalidLabel(label));
  if (wrong !== undefined)
    return {
      problem: `A fixed address has a host name that DNS can hold, and "${wrong.slice(0, LONGEST_LABEL)}" is not a part of one: a part has up to 63 characters, and one with "--" in the third place begins with "xn--" and decodes to letters. Correct it.`,
    };
  if (url.port === '0') return { problem: 'A fixed address has a port from 1 to 65535. Correct it, or remove it for 443.' };
  return { host: hostname, port: url.port === '' ? HTTPS_PORT : Number(url.port) };
}

/** Labels with "--" in the third place are reserved, and `xn--` is the one use of them (RFC 5891). */
function isInvalidLabel(label: string): boolean {
  return label.slice(2, 4) === '--' && !(label.startsWith('xn--') && isInternationalLabel(label));
}
