import type { FakeContext } from '../testing/fakeContext.test-helper.ts';

/** Clients to connect, in memory. */
export function fakeClientConnector(): FakeContext['clientConnector'] {
  const text = '{\n  "mcpServers": { "tabularium": { "command": "/opt/tabularium-mcp" } }\n}\n';
  let written = false;
  return {
    list: () => [
      { id: 'queue', title: 'Desk client', format: 'json', transport: 'stdio', text, file: '/home/ada/queue.json' },
      { id: 'line', title: 'Command line', format: 'command', transport: 'stdio', text: 'line mcp add\n' },
    ],
    plan: async () => ({ file: '/home/ada/queue.json', diff: written ? '' : '+ "tabularium"\n' }),
    write: async () => {
      written = true;
      return { file: '/home/ada/queue.json', backup: '/home/ada/queue.json.before' };
    },
    check: async () => ({ ok: true, tools: ['list_connections', 'list_tables'], milliseconds: 90 }),
  };
}
