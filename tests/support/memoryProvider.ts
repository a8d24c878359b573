/** Stores a client's sign-in in memory. Its shape is that of both official clients. */
export class MemoryProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: { client_name: string; redirect_uris: string[]; token_endpoint_auth_method: string };
  readonly begun = Promise.withResolvers<string>();
  #client: unknown;
  #tokens: unknown;
  #verifier = '';
  #discovery: unknown;

  constructor(name: string, redirectUrl: string) {
    this.redirectUrl = redirectUrl;
    this.clientMetadata = { client_name: name, redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' };
  }

  state = (): string => 'its own state';
  // The clients check what they are given.
  clientInformation = (): never => this.#client as never;
  saveClientInformation = (client: unknown): void => void (this.#client = client);
  tokens = (): never => this.#tokens as never;
  saveTokens = (tokens: unknown): void => void (this.#tokens = tokens);
  codeVerifier = (): string => this.#verifier;
  saveCodeVerifier = (verifier: string): void => void (this.#verifier = verifier);
  discoveryState = (): never => this.#discovery as never;
  saveDiscoveryState = (state: unknown): void => void (this.#discovery = state);
  redirectToAuthorization = (url: URL): void => this.begun.resolve(url.href);
}
