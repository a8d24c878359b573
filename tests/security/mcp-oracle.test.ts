import { DRIVER_ERRORS, DriverError } from '@tabularium/sdk';
import type { DriverErrorCode } from '@tabularium/sdk';
import { homedir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainManifest } from '../../host/src/common/plainManifest.test-helper.ts';
import { LIBRARY_HOST, McpFixture, READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { modernRequest, rawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';
import { PROMPTS } from '../../host/src/runtime/mcp/server/prompts.ts';
import { RESOURCE_TEMPLATES } from '../../host/src/runtime/mcp/server/resources.ts';
import { TOOLS } from '../../host/src/runtime/mcp/tools/registry.ts';

/** Stands for the word in a call that is made twice, once with a word that is a secret and once with one that is not. */
const WORD = 'WORD';
const SECRETS = ['correct-horse-battery', 'hunter22', 'xyz'];

const SIGNS_IN_ITSELF = plainManifest({
  id: 'library',
  title: 'Library',
  connection: {
    fields: [
      { id: 'host', type: 'text', label: 'Host' },
      { id: 'port', type: 'number', label: 'Port' },
      { id: 'scheme', type: 'select', label: 'Encryption', options: [{ value: 'off', label: 'Off' }] },
      { id: 'key', type: 'secret', label: 'Key' },
    ],
  },
  permissions: {
    socket: {
      endpoint: {
        host: { field: 'host', whenEmpty: 'localhost' },
        port: { field: 'port', whenEmpty: 80 },
        scheme: { field: 'scheme', plainValues: ['off'] },
      },
    },
    secrets: { fields: ['key'], reason: 'The protocol signs in with it.' },
  },
});

interface Call {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

type Schema = Readonly<Record<string, unknown>>;

/** Something that fits a JSON schema as far as that matters here: every string in it is the word. */
function example(schema: Schema): unknown {
  if (Array.isArray(schema['enum'])) return (schema['enum'] as unknown[])[0];
  const [first] = ((schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined) ?? [];
  if (first !== undefined) return example(first);
  switch (schema['type']) {
    case 'string':
      return WORD;
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return [example((schema['items'] as Schema | undefined) ?? {})];
    case 'object':
      return {
        ...Object.fromEntries(
          Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).map(([name, child]) => [name, example(child)]),
        ),
        ...(schema['additionalProperties'] === undefined || schema['additionalProperties'] === false ? {} : { [WORD]: WORD }),
      };
    default:
      return WORD;
  }
}

function toolCalls(): Call[] {
  return TOOLS.flatMap(({ listed: { name, inputSchema } }) => {
    const whole = example(inputSchema) as Record<string, unknown>;
    const real = {
      ...whole,
      ...('connection' in whole ? { connection: READING_ROOM } : {}),
      ...('table' in whole ? { table: 'books' } : {}),
    };
    delete (real as Record<string, unknown>)['namespace'];
    const variants: Record<string, unknown>[] = [
      whole,
      real,
      { ...real, table: WORD },
      { connection: WORD },
      { ...real, statement: `read ${WORD}` },
      { ...real, statement: `${WORD} 1` },
      { ...real, [WORD]: 1 },
      { ...real, filters: [{ column: WORD, operator: 'equals', values: [WORD] }], sorts: [], columns: [WORD] },
      { ...real, columns: { [WORD]: WORD } },
    ];
    return variants.map((args) => ({ method: 'tools/call', params: { name, arguments: args } }));
  });
}

function otherCalls(): Call[] {
  const uris = RESOURCE_TEMPLATES.flatMap(({ uriTemplate }) =>
    [READING_ROOM, WORD].map((connection) =>
      uriTemplate
        .replace('{connection}', connection)
        .replace('{table}', WORD)
        .replace(/\{\?.*\}/, `?namespace=${WORD}&text=${WORD}`),
    ),
  );
  const prompts = PROMPTS.flatMap(({ name, arguments: known = [] }) => {
    const args = Object.fromEntries(known.map((argument) => [argument.name, WORD]));
    return [args, { ...args, connection: READING_ROOM }, { ...args, [WORD]: WORD }].map((given) => ({ name, arguments: given }));
  });
  return [
    { method: 'tools/call', params: { name: WORD, arguments: {} } },
    ...[...uris, `tabularium://${WORD}`, WORD].map((uri) => ({ method: 'resources/read', params: { uri } })),
    ...[...prompts, { name: WORD, arguments: {} }].map((params) => ({ method: 'prompts/get', params })),
    ...['connection', 'table', WORD].map((name) => ({
      method: 'completion/complete',
      params: {
        ref: { type: 'ref/prompt', name: 'explain_table' },
        argument: { name, value: WORD },
        context: { arguments: { connection: WORD } },
      },
    })),
    ...['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'].map((method) => ({
      method,
      params: { cursor: WORD },
    })),
    { method: WORD, params: { [WORD]: WORD } },
  ];
}

/** The session of the library, whose every failure quotes what it was called with, as servers do. */
function quoteEverything({ session }: McpFixture): void {
  const begin = session.begin.bind(session);
  session.begin = async (call, signal) => {
    await begin(call, signal);
    if (session.fault !== undefined) return;
    throw new DriverError('INVALID_INPUT', `The server cannot do ${call}.`);
  };
}

describe('a client that guesses a secret', () => {
  let fixture: McpFixture;
  let port: number;
  let token: string;

  beforeEach(async () => {
    fixture = new McpFixture({ requestsPerMinute: () => 1_000_000 });
    fixture.secrets = SECRETS;
    ({ port } = await fixture.start());
    token = fixture.mint({ scope: 'fullAccess' }).text;
    fixture.setAccess(READING_ROOM, { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' });
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  const send = async ({ method, params }: Call, word: string): Promise<string> => {
    const filled = JSON.parse(JSON.stringify(params).replaceAll(WORD, JSON.stringify(word).slice(1, -1))) as Record<
      string,
      unknown
    >;
    const { status, text } = await rawRequest(port, { token, ...modernRequest(method.replaceAll(WORD, word), filled) });
    return `${status} ${text}`
      .replaceAll(word, WORD)
      .replaceAll(encodeURIComponent(word), WORD)
      .replaceAll(/"(?:milliseconds|answersAfterMilliseconds)\\?":[\d.]+/g, '"milliseconds":0');
  };
  const guesses = [
    ...SECRETS.map((secret) => [secret, secret.replaceAll(/[a-z]/g, 'q')] as const),
    [homedir(), homedir().replaceAll(/[a-z]/g, 'q')] as const,
    [LIBRARY_HOST, LIBRARY_HOST.replaceAll(/[a-z]/g, 'q')] as const,
  ];

  describe.each(guesses)('%s', (right, wrong) => {
    it.each([
      ['answers', () => undefined],
      ['errors of a server that quotes all it was sent', () => quoteEverything(fixture)],
    ])('learns nothing from %s', async (_, prepare) => {
      prepare();
      const calls = [...toolCalls(), ...otherCalls()];
      expect(calls.length).toBeGreaterThan(100);
      for (const call of calls) expect(await send(call, right), JSON.stringify(call)).toBe(await send(call, wrong));
    });
  });

  it.each([
    ["read 'hun' || 'ter22'", "'hun' || 'ter22' gives hunter22."],
    ['read HUNTER22', 'hunter22 is unknown.'],
  ])('learns nothing from %j', async (statement, message) => {
    fixture.session.fault = new DriverError('INVALID_INPUT', message);
    const call = { method: 'tools/call', params: { name: 'execute_query', arguments: { connection: READING_ROOM, statement } } };
    expect(await send(call, 'unused')).toContain(message.replaceAll("'", "'"));
  });

  describe('of a driver that signs in with the secret itself', () => {
    const call = { method: 'tools/call', params: { name: 'list_tables', arguments: { connection: READING_ROOM } } };
    beforeEach(() => {
      fixture.manifest = SIGNS_IN_ITSELF;
    });

    it.each(SECRETS)('learns nothing from an error that holds %s and that it did not send', async (secret) => {
      for (const code of Object.keys(DRIVER_ERRORS) as DriverErrorCode[]) {
        fixture.session.fault = new DriverError(code, `What was computed is ${secret}.`, {
          details: { advice: `Not ${secret}.` },
        });
        expect(await send(call, 'unused')).toContain(`What was computed is ${secret}. Not ${secret}.`);
      }
    });

    it('learns of an opening that failed its code alone, whatever the server says', async () => {
      for (const code of Object.keys(DRIVER_ERRORS) as DriverErrorCode[]) {
        const answers: string[] = [];
        for (const word of [...SECRETS, 'nothing']) {
          fixture.openingFault = new DriverError(code, `There is no ${word}.`, { details: { advice: `Make ${word}.` } });
          answers.push(await send(call, 'unused'));
        }
        expect(answers[0]).toContain(`${code}: The connection`);
        expect(new Set(answers).size, answers[0]).toBe(1);
      }
    });
  });

  it('does not see a secret that the server wrote into an error, however long the call is', async () => {
    fixture.session.fault = new DriverError('SERVER_ERROR', 'The key hunter22 is too old.');
    for (const filters of [[], [{ column: 'title', operator: 'equals', values: ['x'.repeat(90_000)] }]]) {
      const call = {
        method: 'tools/call',
        params: { name: 'count_rows', arguments: { connection: READING_ROOM, table: 'books', filters } },
      };
      expect(await send(call, 'unused')).toContain('The key [hidden] is too old.');
    }
  });
});
