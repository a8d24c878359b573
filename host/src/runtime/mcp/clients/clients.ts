import { join } from 'node:path';

/** How the configuration of a client is written. */
export type ClientFormat = 'json' | 'yaml' | 'command';

/** A client whose configuration we know, or a family of them. */
export interface McpClient {
  readonly id: string;
  readonly title: string;
  readonly format: ClientFormat;
  readonly transport: 'stdio' | 'http';
  /** The client's program, which takes `mcp add NAME --env NAME=VALUE -- COMMAND`; absent for a file. */
  readonly program?: string;
  /** The top-level key of the servers; absent for a command. */
  readonly key?: string;
  /** Where its configuration lies; undefined where that differs from installation to installation. */
  readonly file?: (place: Place) => string;
  /** Whether it gets its token by signing in, so that the entry has none. */
  readonly signsIn?: true;
  /** The entry under the server's name. */
  readonly entry: (values: EntryValues) => Readonly<Record<string, unknown>>;
}

/** A user's folders. */
export interface Place {
  readonly platform: NodeJS.Platform;
  readonly userFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface EntryValues {
  /** The absolute path of the bridge. */
  readonly bridge: string;
  /** A home that is not the usual one. */
  readonly home?: string | undefined;
  /** The address of the MCP server, for clients that speak HTTP. */
  readonly url: string;
  readonly token: string;
}

/** The name under which clients know the server. */
export const SERVER_NAME = 'tabularium';

const environment = ({ home }: EntryValues): object => (home === undefined ? {} : { env: { TABULARIUM_HOME: home } });
const plain = (values: EntryValues) => ({ command: values.bridge, ...environment(values) });
const http = (type: string | undefined) => (values: EntryValues) => ({
  ...(type === undefined ? {} : { type }),
  url: values.url,
  headers: { Authorization: `Bearer ${values.token}` },
});

function roaming({ env, userFolder }: Place): string {
  return env['APPDATA'] ?? join(userFolder, 'AppData', 'Roaming');
}

/** Where applications keep their settings on each platform. */
function settings(place: Place, names: { readonly darwin: string; readonly win32: string; readonly linux: string }): string {
  switch (place.platform) {
    case 'darwin':
      return join(place.userFolder, 'Library', 'Application Support', names.darwin);
    case 'win32':
      return join(roaming(place), names.win32);
    default: {
      const chosen = place.env['XDG_CONFIG_HOME'];
      return join(chosen?.startsWith('/') === true ? chosen : join(place.userFolder, '.config'), names.linux);
    }
  }
}

const same = (name: string) => ({ darwin: name, win32: name, linux: name });

export const MCP_CLIENTS: readonly McpClient[] = [
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    format: 'json',
    transport: 'stdio',
    key: 'mcpServers',
    file: (place) => join(settings(place, same('Claude')), 'claude_desktop_config.json'),
    entry: plain,
  },
  {
    id: 'cursor',
    title: 'Cursor',
    format: 'json',
    transport: 'stdio',
    key: 'mcpServers',
    file: ({ userFolder }) => join(userFolder, '.cursor', 'mcp.json'),
    entry: plain,
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    format: 'json',
    transport: 'stdio',
    key: 'mcpServers',
    file: ({ userFolder }) => join(userFolder, '.codeium', 'windsurf', 'mcp_config.json'),
    entry: plain,
  },
  {
    id: 'gemini-cli',
    title: 'Gemini CLI',
    format: 'json',
    transport: 'stdio',
    key: 'mcpServers',
    file: ({ userFolder }) => join(userFolder, '.gemini', 'settings.json'),
    entry: plain,
  },
  {
    id: 'kiro',
    title: 'Kiro',
    format: 'json',
    transport: 'stdio',
    key: 'mcpServers',
    file: ({ userFolder }) => join(userFolder, '.kiro', 'settings', 'mcp.json'),
    entry: plain,
  },
  {
    id: 'lm-studio',
    title: 'LM Studio (0.3.17 or newer)',
    format: 'json',
    transport: 'stdio',
    key: 'mcpServers',
    file: ({ userFolder }) => join(userFolder, '.lmstudio', 'mcp.json'),
    entry: plain,
  },
  { id: 'json', title: 'Any client configured in JSON', format: 'json', transport: 'stdio', key: 'mcpServers', entry: plain },
  {
    id: 'vscode',
    title: 'Visual Studio Code (1.99 or newer)',
    format: 'json',
    transport: 'stdio',
    key: 'servers',
    file: (place) => join(settings(place, same('Code')), 'User', 'mcp.json'),
    entry: (values) => ({ type: 'stdio', ...plain(values) }),
  },
  {
    id: 'zed',
    title: 'Zed',
    format: 'json',
    transport: 'stdio',
    key: 'context_servers',
    file: (place) =>
      place.platform === 'win32'
        ? join(roaming(place), 'Zed', 'settings.json')
        : join(settings({ ...place, platform: 'linux' }, same('zed')), 'settings.json'),
    // The file can do without the arguments; the dialog cannot.
    entry: ({ bridge, ...values }) => ({ command: bridge, args: [], ...environment({ bridge, ...values }) }),
  },
  {
    id: 'continue',
    title: 'Continue',
    format: 'yaml',
    transport: 'stdio',
    key: 'mcpServers',
    file: ({ userFolder }) => join(userFolder, '.continue', 'config.yaml'),
    entry: (values) => ({ name: SERVER_NAME, type: 'stdio', ...plain(values) }),
  },
  {
    id: 'goose',
    title: 'Goose',
    format: 'yaml',
    transport: 'stdio',
    key: 'extensions',
    file: (place) =>
      place.platform === 'win32'
        ? join(roaming(place), 'Block', 'goose', 'config', 'config.yaml')
        : join(settings({ ...place, platform: 'linux' }, same('goose')), 'config.yaml'),
    entry: ({ bridge, home }) => ({
      type: 'stdio',
      cmd: bridge,
      enabled: true,
      timeout: 300,
      ...(home === undefined ? {} : { envs: { TABULARIUM_HOME: home } }),
    }),
  },
  {
    id: 'claude-code',
    title: 'Claude Code',
    format: 'command',
    transport: 'stdio',
    program: 'claude',
    entry: plain,
  },
  // Its file is TOML, which no library changes without losing comments; its command writes it.
  { id: 'codex', title: 'Codex', format: 'command', transport: 'stdio', program: 'codex', entry: plain },
  {
    id: 'copilot-cli',
    title: 'GitHub Copilot CLI',
    format: 'command',
    transport: 'stdio',
    program: 'copilot',
    entry: plain,
  },
  { id: 'http', title: 'Any client, over HTTP', format: 'json', transport: 'http', key: 'mcpServers', entry: http(undefined) },
  {
    id: 'streamable-http',
    title: 'Any client, over HTTP, with its type',
    format: 'json',
    transport: 'http',
    key: 'mcpServers',
    entry: http('streamable-http'),
  },
  {
    id: 'oauth',
    title: 'Any client, over HTTP, that signs in with OAuth',
    format: 'json',
    transport: 'http',
    key: 'mcpServers',
    signsIn: true,
    entry: ({ url }) => ({ type: 'http', url }),
  },
];

export function findClient(id: string): McpClient | undefined {
  return MCP_CLIENTS.find((client) => client.id === id);
}
