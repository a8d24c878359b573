import { PROMPTS } from '../../host/src/runtime/mcp/server/prompts.ts';
import { RESOURCE_TEMPLATES } from '../../host/src/runtime/mcp/server/resources.ts';
import { READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { modernRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';
import type { RawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';
import { TOOLS } from '../../host/src/runtime/mcp/tools/registry.ts';
import { exampleOf, hostileVariants } from './hostileInputs.ts';

/** Every method of the MCP server, each tool and prompt separately, with hostile values of `size` characters in each of its parts. */
export function* mcpFuzz(size: number): Generator<{ readonly name: string; readonly request: RawRequest }> {
  const bases: readonly (readonly [method: string, params: Readonly<Record<string, unknown>>, fuzzed: string])[] = [
    ...TOOLS.map(({ listed: { name, inputSchema } }) => {
      const example = exampleOf(inputSchema) as Record<string, unknown>;
      const args = { ...example, connection: READING_ROOM, ...('table' in example ? { table: 'books' } : {}) };
      return ['tools/call', { name, arguments: args }, 'arguments'] as const;
    }),
    ...PROMPTS.map(({ name, arguments: known = [] }) => {
      const args = Object.fromEntries(
        known.map((argument) => [argument.name, argument.name === 'connection' ? READING_ROOM : 'books']),
      );
      return ['prompts/get', { name, arguments: args }, 'arguments'] as const;
    }),
    ['tools/call', { name: 'x' }, 'name'],
    ['prompts/get', { name: 'x' }, 'name'],
    ...['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'].map(
      (method) => [method, { cursor: 'x' }, 'cursor'] as const,
    ),
    ...RESOURCE_TEMPLATES.map(({ uriTemplate }) => ['resources/read', { uri: uriTemplate }, 'uri'] as const),
    [
      'completion/complete',
      {
        ref: { type: 'ref/prompt', name: 'explain_table' },
        argument: { name: 'table', value: 'b' },
        context: { arguments: { connection: READING_ROOM } },
      },
      'argument',
    ],
  ];
  for (const [method, params, fuzzed] of bases) {
    for (const { name, json } of hostileVariants(params[fuzzed], size)) {
      const { headers, body } = modernRequest(method, { ...params, [fuzzed]: 0 });
      const text = JSON.stringify(body).replace(`"${fuzzed}":0`, () => `"${fuzzed}":${json}`);
      // The header names the tool or resource; where that is fuzzed, the two disagree, which must be answered as well.
      yield { name: `${method} ${JSON.stringify(params['name'])}: ${name}`, request: { headers: headers ?? {}, body: text } };
    }
  }
}
