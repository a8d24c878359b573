import { DriverError } from '@tabularium/sdk';

const LONGEST_PATH = 16_384;
/** Printable ASCII without the backslash, which some servers read as a slash, and without `#`. */
const PATH = /^\/[\x21\x22\x24-\x5b\x5d-\x7e]*$/;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]{1,60}$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers that frame the message, choose the server or belong to one hop: the host's alone. */
const HOST_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'http2-settings',
]);

/**
 * Refuses what could be read as another server's address, or be changed on the way. `..` stays as it is: nothing here takes it for a way up.
 *
 * @throws DriverError `PERMISSION_DENIED`
 */
export function checkPath(path: string): void {
  if (path.length > LONGEST_PATH) throw denied(`a path of ${path.length} characters; ${LONGEST_PATH} are allowed`);
  const [beforeQuery = ''] = path.split('?', 1);
  if (!PATH.test(path) || beforeQuery.includes('//')) {
    throw denied(
      'a path that is not one of a single server: it must begin with one "/" and hold printable ASCII without "\\", "#" and "//"',
    );
  }
}

/**
 * Refuses a path that a proxy could read as one outside of the prefix: it may decode and resolve `..` before it chooses where a request goes.
 * Without a prefix there is nothing to leave.
 *
 * @throws DriverError `PERMISSION_DENIED`
 */
export function checkWithinPrefix(path: string, pathPrefix: string): void {
  if (pathPrefix === '') return;
  let depth = 0;
  for (const segment of decoded(path.split('?', 1)[0] ?? '').split(/[/\\]/)) {
    if (segment === '..') depth -= 1;
    else if (segment !== '' && segment !== '.') depth += 1;
    if (depth < 0) throw denied('a path that leads out of the path prefix of the connection');
  }
}

/** Percent-decoded until nothing is left to decode. Byte by byte: a path may hold sequences that aren't UTF-8. */
function decoded(text: string): string {
  const once = text.replaceAll(/%([0-9a-f]{2})/gi, (_sequence, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return once === text ? text : decoded(once);
}

/**
 * @returns the headers by lower-case name
 * @throws DriverError `PERMISSION_DENIED`
 */
export function checkHeaders(
  headers: Readonly<Record<string, string>>,
  credentialHeaders: ReadonlySet<string>,
): Map<string, string> {
  const checked = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (!HEADER_NAME.test(name)) throw denied('a header whose name is not valid');
    if (!HEADER_VALUE.test(value)) throw denied(`the header ${lower} with a value that is not valid`);
    if (credentialHeaders.has(lower)) throw denied(`the header ${lower}, which holds a credential and is added by the host`);
    if (HOST_HEADERS.has(lower)) throw denied(`the header ${lower}, which belongs to the host`);
    if (checked.has(lower)) throw denied(`the header ${lower} twice`);
    checked.set(lower, value);
  }
  return checked;
}

function denied(what: string): DriverError {
  return new DriverError('PERMISSION_DENIED', `The driver asked for ${what}. Nothing was sent.`);
}
