import type { TokenStore } from '../access/tokenStore.ts';
import { isGrantText } from './grantText.ts';
import type { OAuthGrantStore } from './oauthGrantStore.ts';

/** The tokens that a client may present: those that a person created, and those that it got by OAuth. */
export function presentedTokens(tokens: TokenStore, grants: OAuthGrantStore): Pick<TokenStore, 'verify' | 'onRevoked'> {
  return {
    verify: (text) => (isGrantText(text) ? grants.verify(text) : tokens.verify(text)),
    onRevoked: (listener) => tokens.onRevoked(listener),
  };
}
