import { SERVER_NAME } from './clients.ts';
import type { EntryValues, McpClient } from './clients.ts';
import { yamlBlock } from './yamlBlock.ts';
import { typedWord } from '../../../common/typedWord.ts';

/** The text that a person puts into the client's configuration, or runs. */
export function snippetOf(client: McpClient, values: EntryValues): string {
  const entry = client.entry(values);
  switch (client.format) {
    case 'json':
      return `${JSON.stringify({ [client.key ?? '']: { [SERVER_NAME]: entry } }, null, 2)}\n`;
    case 'yaml':
      return `${client.key ?? ''}:\n${yamlBlock(client.id, entry)}`;
    case 'command': {
      const home = values.home === undefined ? [] : ['--env', typedWord(`TABULARIUM_HOME=${values.home}`)];
      // After the two dashes nothing is taken for one of the client's own options.
      return `${[client.program ?? '', 'mcp', 'add', SERVER_NAME, ...home, '--', typedWord(values.bridge)].join(' ')}\n`;
    }
  }
}
