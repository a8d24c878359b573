import { createHash, randomBytes } from 'node:crypto';
import { request as send } from 'node:http';
import { afterEach, beforeEach, expect } from 'vitest';
import { z } from 'zod';
import type { ConsentAnswer } from '../../host/src/common/integrations.ts';
import { McpFixture, READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { modernRequest, rawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';
import type { RawAnswer, RawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';

export const REDIRECT = 'http://127.0.0.1:33418/callback';
export const ALLOW: ConsentAnswer = { allow: true, scope: 'readOnly', connections: [READING_ROOM], days: 30 };
export const tokensSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  scope: z.string(),
  expires_in: z.number(),
});

export interface Flow {
  readonly client: string;
  readonly verifier: string;
  readonly parameters: Record<string, string>;
}

export const refused = (error: string, status = 400) => ({ status, json: { error } });

interface State {
  fixture: McpFixture;
  port: number;
  closeWindow: () => void;
}

/** Begins each test with a server on which OAuth is on, and an open window. */
export function useSignIn() {
  const state = {} as State;

  beforeEach(async () => {
    state.fixture = new McpFixture({ allowedOrigins: () => ['https://listed.example'] });
    state.fixture.oauthEnabled = true;
    ({ port: state.port } = await state.fixture.start());
    state.closeWindow = openWindow();
  });
  afterEach(async () => {
    state.closeWindow();
    await state.fixture[Symbol.asyncDispose]();
  });

  function openWindow(): () => void {
    const closing = new AbortController();
    const questions = state.fixture.consents.watch(closing.signal);
    void (async () => {
      // Asks for the next state as a window does.
      while ((await questions.next()).done !== true) continue;
    })();
    return () => closing.abort();
  }

  const get = (path: string, headers: RawRequest['headers'] = {}): Promise<RawAnswer> =>
    rawText({ method: 'GET', path, headers: { accept: 'text/html', 'content-type': undefined, ...headers } });

  /** For pages and scripts: the helper of the protocol reads JSON. */
  async function rawText(request: RawRequest): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      const headers = Object.fromEntries(Object.entries(request.headers ?? {}).filter(([, value]) => value !== undefined));
      const sent = send(
        {
          host: '127.0.0.1',
          port: state.port,
          method: request.method ?? 'GET',
          path: request.path ?? '/',
          headers,
          agent: false,
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => (text += part));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: undefined }),
          );
        },
      );
      sent.on('error', reject);
      sent.end(typeof request.body === 'string' ? request.body : undefined);
    });
  }

  const register = (metadata: Record<string, unknown> = {}): Promise<RawAnswer> =>
    rawRequest(state.port, {
      path: '/register',
      body: { redirect_uris: [REDIRECT], client_name: 'A careful client', ...metadata },
    });

  async function newClient(metadata: Record<string, unknown> = {}): Promise<string> {
    const answer = await register(metadata);
    expect(answer.status, answer.text).toBe(201);
    return z.object({ client_id: z.string() }).parse(answer.json).client_id;
  }

  async function newFlow(changes: Record<string, string | undefined> = {}, client?: string): Promise<Flow> {
    const verifier = randomBytes(32).toString('base64url');
    const id = client ?? (await newClient());
    const parameters: Record<string, string | undefined> = {
      response_type: 'code',
      client_id: id,
      redirect_uri: REDIRECT,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'state & more',
      resource: state.fixture.address.url,
      ...changes,
    };
    const given = Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
    return { client: id, verifier, parameters: Object.fromEntries(given) };
  }

  const authorize = (parameters: Record<string, string>, headers?: RawRequest['headers']): Promise<RawAnswer> =>
    get(`/authorize?${new URLSearchParams(parameters)}`, headers);

  /** The address of the page that waits. */
  async function ask(flow: Flow): Promise<string> {
    const answer = await authorize(flow.parameters);
    expect(answer.status, answer.text).toBe(303);
    return String(answer.headers.location);
  }

  /** Leads through the browser and the window. @returns the parameters with which the client is called back */
  async function signIn(flow: Flow, answer: ConsentAnswer = ALLOW): Promise<URLSearchParams> {
    const wait = await ask(flow);
    const [pending] = state.fixture.consents.pending();
    expect(state.fixture.consents.answer(String(pending?.id), answer)).toBe(true);
    const back = await get(wait);
    expect(back.status).toBe(303);
    return new URL(String(back.headers.location)).searchParams;
  }

  const token = (parameters: Record<string, string | undefined>, headers: RawRequest['headers'] = {}): Promise<RawAnswer> =>
    rawRequest(state.port, {
      path: '/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(
        Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      ).toString(),
    });

  const redeem = (flow: Flow, code: string, changes: Record<string, string | undefined> = {}): Promise<RawAnswer> =>
    token({
      grant_type: 'authorization_code',
      code,
      client_id: flow.client,
      redirect_uri: flow.parameters['redirect_uri'],
      code_verifier: flow.verifier,
      resource: state.fixture.address.url,
      ...changes,
    });

  const refresh = (flow: Flow, text: string, changes: Record<string, string> = {}): Promise<RawAnswer> =>
    token({ grant_type: 'refresh_token', refresh_token: text, client_id: flow.client, ...changes });

  async function granted(flow: Flow, answer: ConsentAnswer = ALLOW) {
    const code = String((await signIn(flow, answer)).get('code'));
    const redeemed = await redeem(flow, code);
    expect(redeemed.status, redeemed.text).toBe(200);
    const { access_token: access, refresh_token: refreshing } = tokensSchema.parse(redeemed.json);
    return { access, refreshing, code };
  }

  const call = (access: string, name = 'list_connections', args: Record<string, unknown> = {}): Promise<RawAnswer> =>
    rawRequest(state.port, { ...modernRequest('tools/call', { name, arguments: args }), token: access });

  return {
    state,
    openWindow,
    get,
    rawText,
    register,
    newClient,
    newFlow,
    authorize,
    ask,
    signIn,
    redeem,
    refresh,
    granted,
    call,
  };
}
