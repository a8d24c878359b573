import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../paths.ts';

/** The options that `npm start` and `npm run dev` share, as their help prints them. */
export const OPTIONS_HELP = `  --no-open          open nothing
  --version VERSION  the version that the sandbox search server speaks as (26.0, 27.1, 28.0, 29.0, 30.0)
  --port N           the window's port; any free one by default
  --mcp-port N       the preferred port of the MCP server
  --local DIR        where the registry and the sample keep what they need (default: .local in the repository)`;

export interface StartArguments {
  readonly open: boolean;
  readonly version: string;
  readonly port: number | undefined;
  readonly mcpPort: number | undefined;
  readonly local: string;
  readonly help: boolean;
}

function readPort(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new Error(`--${name}: ${text} isn't a port.`);
  return Number(text);
}

/**
 * @param args - without the program: `process.argv.slice(2)`
 * @throws Error with a sentence for arguments that are not understood
 */
export function readStartArguments(args: readonly string[]): StartArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'no-open': { type: 'boolean', default: false },
      version: { type: 'string', default: '29.0' },
      port: { type: 'string' },
      'mcp-port': { type: 'string' },
      local: { type: 'string', default: join(root, '.local') },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    open: !values['no-open'],
    version: values.version,
    port: readPort('port', values.port),
    mcpPort: readPort('mcp-port', values['mcp-port']),
    local: values.local,
    help: values.help,
  };
}
