import { visibleText } from '@tabularium/sdk';
import { z } from 'zod';
import { isLoopbackRedirect } from './redirectUri.ts';

/** Characters of a client's name that people are shown. */
const LONGEST_NAME = 60;
const MOST_REDIRECTS = 10;

/** The metadata that is read (RFC 7591). Everything else, addresses of logos and policies above all, is neither stored nor fetched. */
const metadataSchema = z.object({
  redirect_uris: z.array(z.string().max(2_000)).min(1).max(50),
  client_name: z.string().max(10_000).optional(),
  grant_types: z.array(z.string().max(100)).max(20).optional(),
  response_types: z.array(z.string().max(100)).max(20).optional(),
});

/** A client as it is registered. */
export interface ClientRegistration {
  /** With marks in place of hidden characters. */
  readonly name: string;
  readonly redirects: readonly string[];
}

/** The error of RFC 7591, and why. */
export interface RegistrationProblem {
  readonly error: 'invalid_client_metadata' | 'invalid_redirect_uri';
  readonly description: string;
}

/** Reads a client's metadata. Of its redirects, those of this machine are registered; there must be one. */
export function readRegistration(body: unknown): ClientRegistration | RegistrationProblem {
  const read = metadataSchema.safeParse(body);
  if (!read.success) {
    const redirects = read.error.issues.some(({ path }) => path[0] === 'redirect_uris');
    return {
      error: redirects ? 'invalid_redirect_uri' : 'invalid_client_metadata',
      description: redirects ? 'redirect_uris must be a list of 1 to 50 addresses' : 'The metadata of the client is not valid',
    };
  }
  const { redirect_uris: uris, client_name: name, grant_types: grants, response_types: responses } = read.data;
  if (grants !== undefined && !grants.includes('authorization_code')) {
    return { error: 'invalid_client_metadata', description: 'grant_types must hold authorization_code' };
  }
  if (responses !== undefined && !responses.includes('code')) {
    return { error: 'invalid_client_metadata', description: 'response_types must hold code' };
  }
  const redirects = [...new Set(uris.filter(isLoopbackRedirect))];
  if (redirects.length === 0 || redirects.length > MOST_REDIRECTS) {
    return {
      error: 'invalid_redirect_uri',
      description: `redirect_uris must hold 1 to ${MOST_REDIRECTS} addresses of this machine: http, 127.0.0.1, [::1] or localhost, no query`,
    };
  }
  return { name: shownName(name), redirects };
}

/** Never a reserved name, such as that of the bridge's token. */
function shownName(name: string | undefined): string {
  const shown = visibleText((name ?? '').trim(), 'name', LONGEST_NAME)
    .slice(0, 80)
    .toWellFormed()
    .trim();
  return shown.replace(/^_+/, '') === '' ? 'OAuth client' : shown.replace(/^__+/, '_');
}
