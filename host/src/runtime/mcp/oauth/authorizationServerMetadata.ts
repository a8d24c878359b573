import type { OAuthMetadata } from '@modelcontextprotocol/server';
import { tokenScopeSchema } from '../../../common/access.ts';

export const SERVER_METADATA_PATH = '/.well-known/oauth-authorization-server';
/** The paths that clients fall back to where they find no metadata. */
export const AUTHORIZE_PATH = '/authorize';
export const WAIT_PATH = '/authorize/wait';
export const WAIT_SCRIPT_PATH = '/authorize/wait.js';
export const WAIT_STATE_PATH = '/authorize/state';
export const TOKEN_PATH = '/token';
export const REGISTER_PATH = '/register';

/** The document of RFC 8414. No address that a client names is ever fetched, so documents in place of a client id are not offered. */
export function authorizationServerMetadata(issuer: string): OAuthMetadata {
  return {
    issuer,
    authorization_endpoint: `${issuer}${AUTHORIZE_PATH}`,
    token_endpoint: `${issuer}${TOKEN_PATH}`,
    registration_endpoint: `${issuer}${REGISTER_PATH}`,
    scopes_supported: [...tokenScopeSchema.options],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: false,
  };
}
