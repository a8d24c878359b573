import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error -- the package has no types
import UntypedProvider from 'oidc-provider';

/** The parts of the package that this helper uses. */
interface Oidc {
  readonly Grant: {
    new (options: { accountId: string; clientId: string }): {
      addOIDCScope: (scope: string) => void;
      save: () => Promise<string>;
    };
    find: (id: string) => Promise<{ destroy: () => Promise<void> } | undefined>;
  };
  readonly AccessToken: { find: (token: string) => Promise<{ readonly isValid: boolean } | undefined>; revokeByGrantId: Revoke };
  readonly RefreshToken: { revokeByGrantId: Revoke };
  readonly callback: () => (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly interactionFinished: (request: IncomingMessage, response: ServerResponse, result: object) => Promise<void>;
  readonly on: (event: string, listener: () => void) => void;
}
type Revoke = (grantId: string) => Promise<void>;
const Provider = UntypedProvider as new (issuer: string, configuration: object) => Oidc;

const CLIENT = 'tabularium';
/** The name of the person's account. */
const ACCOUNT = 'ada@example.org';

/** `oidc-provider`, a certified authorization server. Its page asks a person who is in no hurry: they press "Allow" or "Deny". */
export interface IdentityProvider extends AsyncDisposable {
  readonly origin: string;
  /** Seconds that the codes for devices are good for, from the next one on. */
  deviceSeconds: number;
  /** How many refresh tokens it has revoked because a client asked for that. */
  readonly revoked: () => number;
  /** Whether it gave this access token and takes it still. */
  accepts(accessToken: string): Promise<boolean>;
  /** Ends every sign-in, as an administrator does. */
  endSignIns(): Promise<void>;
  /** Ends the access tokens alone. */
  endAccessTokens(): Promise<void>;
  /** Closes its port; `listen` opens it again. */
  stop(): Promise<void>;
  listen(): Promise<void>;
}

const listening = async (server: Server, port: number): Promise<number> => {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

const closed = async (server: Server): Promise<void> => {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
};

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const server = createServer();
  const port = await listening(server, 0);
  const origin = `http://127.0.0.1:${port}`;
  const grants: string[] = [];
  let revoked = 0;
  const own = { deviceSeconds: 600 };
  const oidc = new Provider(origin, {
    clients: [
      {
        client_id: CLIENT,
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        redirect_uris: ['http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      },
    ],
    cookies: { keys: ['a key of a test'] },
    claims: { profile: ['preferred_username'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, deviceFlow: { enabled: true }, revocation: { enabled: true } },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, preferred_username: ACCOUNT }),
    }),
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    pkce: { required: () => true },
    ttl: {
      AccessToken: 3_600,
      DeviceCode: () => own.deviceSeconds,
      Grant: 86_400,
      IdToken: 3_600,
      Interaction: 600,
      RefreshToken: 86_400,
      Session: 86_400,
    },
  });
  oidc.on('grant.revoked', () => (revoked += 1));
  const answer = oidc.callback();
  const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') {
      response
        .setHeader('content-type', 'text/html; charset=utf-8')
        .end(
          '<!doctype html><html lang="en"><title>Sign in</title><h1>Example provider</h1><p>Tabularium asks for your tables.</p>' +
            '<form method="post"><button name="answer" value="allow">Allow</button> <button name="answer" value="deny">Deny</button></form></html>',
        );
      return;
    }
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (new URLSearchParams(body).get('answer') !== 'allow') {
      const error = { error: 'access_denied', error_description: 'The <b>person</b> said no.' };
      return oidc.interactionFinished(request, response, error);
    }
    const grant = new oidc.Grant({ accountId: 'ada', clientId: CLIENT });
    grant.addOIDCScope('openid profile offline_access');
    const grantId = await grant.save();
    grants.push(grantId);
    return oidc.interactionFinished(request, response, { login: { accountId: 'ada', remember: false }, consent: { grantId } });
  };
  server.on('request', (request, response) => {
    const answered = request.url?.startsWith('/interaction/') === true ? interact(request, response) : answer(request, response);
    answered.catch(() => response.destroy());
  });
  return Object.assign(own, {
    origin,
    revoked: () => revoked,
    accepts: async (token: string) => (await oidc.AccessToken.find(token))?.isValid === true,
    endAccessTokens: async () => {
      for (const grant of grants) await oidc.AccessToken.revokeByGrantId(grant);
    },
    endSignIns: async () => {
      for (const grant of grants.splice(0)) {
        await oidc.AccessToken.revokeByGrantId(grant);
        await oidc.RefreshToken.revokeByGrantId(grant);
        await (await oidc.Grant.find(grant))?.destroy();
      }
    },
    stop: () => closed(server),
    listen: async () => void (server.listening || (await listening(server, port))),
    [Symbol.asyncDispose]: () => closed(server),
  });
}

/** A server that answers holders of an access token alone; for them it asks the sample server with the sample server's key. */
export async function startGuardedServer(
  provider: Pick<IdentityProvider, 'accepts'>,
  sandbox: { readonly port: number; readonly apiKey: string },
): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer((request, response) => {
    const forward = async (): Promise<void> => {
      const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
      if (!(await provider.accepts(token))) {
        response.writeHead(401, { 'content-type': 'application/json' }).end('{"message":"Sign in first."}');
        return;
      }
      const { authorization: _token, host: _host, ...headers } = request.headers;
      const sent = send(
        {
          ...{ host: '127.0.0.1', port: sandbox.port, method: request.method, path: request.url },
          headers: { ...headers, 'x-typesense-api-key': sandbox.apiKey },
        },
        (from) => {
          response.writeHead(from.statusCode ?? 502, from.headers);
          from.pipe(response);
        },
      );
      sent.on('error', () => response.destroy());
      request.pipe(sent);
    };
    forward().catch(() => response.destroy());
  });
  const port = await listening(server, 0);
  return { port, [Symbol.asyncDispose]: () => closed(server) };
}
