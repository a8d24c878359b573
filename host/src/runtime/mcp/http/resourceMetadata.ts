import { getOAuthProtectedResourceMetadataUrl } from '@modelcontextprotocol/server';
import type { OAuthProtectedResourceMetadata } from '@modelcontextprotocol/server';
import type { IncomingMessage } from 'node:http';
import { MCP_PATH } from './protocolRequest.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
/** RFC 9728 puts the resource's path behind the well-known one. Some clients ask for the document of the whole origin. */
export const RESOURCE_METADATA_PATHS: readonly string[] = [`${WELL_KNOWN}${MCP_PATH}`, WELL_KNOWN];

/**
 * The origin under which a client reaches the server: an SSH forward has a port of its own, and a client compares addresses by their text.
 *
 * @param request - of a sender that was not refused: its Host is a loopback name and perhaps a port
 */
export function originOfRequest({ headers }: IncomingMessage): string {
  return `http://${(headers.host ?? '').toLowerCase()}`;
}

/** The MCP server as a protected resource: the audience of every token. */
export function resourceOf(request: IncomingMessage): string {
  return `${originOfRequest(request)}${MCP_PATH}`;
}

/** Where a client without a good token reads how to get one. */
export function resourceMetadataUrl(request: IncomingMessage): string {
  return getOAuthProtectedResourceMetadataUrl(new URL(resourceOf(request)));
}

/**
 * The document of RFC 9728.
 *
 * @param issuer - of the server that grants tokens; left out while a person creates every token
 */
export function resourceMetadata(request: IncomingMessage, issuer: string | undefined): OAuthProtectedResourceMetadata {
  return {
    resource: resourceOf(request),
    resource_name: 'Tabularium',
    bearer_methods_supported: ['header'],
    ...(issuer === undefined ? {} : { authorization_servers: [issuer], scopes_supported: ['readOnly'] }),
  };
}
