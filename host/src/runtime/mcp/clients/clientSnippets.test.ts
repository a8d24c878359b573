import { mkdtemp, readdir, readFile, rm, symlink, writeFile, lstat, chmod, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findClient, MCP_CLIENTS } from './clients.ts';
import type { EntryValues, McpClient, Place } from './clients.ts';
import { planChange, writeChange } from './configFile.ts';
import { lineDiff } from './lineDiff.ts';
import { snippetOf } from './snippet.ts';

const BRIDGE = '/opt/Tabularium/bin/tabularium-mcp.mjs';
/** The entries in YAML. */
const GOOSE = `  tabularium:\n    type: stdio\n    cmd: ${BRIDGE}\n    enabled: true\n    timeout: 300\n`;
const CONTINUE = `  - name: tabularium\n    type: stdio\n    command: ${BRIDGE}\n`;
const values: EntryValues = { bridge: BRIDGE, url: 'http://127.0.0.1:23508/mcp', token: 'tbm_x' };

function client(id: string): McpClient {
  const found = findClient(id);
  if (found === undefined) throw new Error(id);
  return found;
}
const snippet = (id: string, more: Partial<EntryValues> = {}): string => snippetOf(client(id), { ...values, ...more });

describe('the settings for a client', () => {
  it.each(['claude-desktop', 'cursor', 'windsurf', 'gemini-cli', 'kiro', 'lm-studio', 'json'])(
    '%s: a command under mcpServers, and nothing else',
    (id) => {
      expect(JSON.parse(snippet(id))).toEqual({ mcpServers: { tabularium: { command: BRIDGE } } });
    },
  );

  it('the editor with native support: servers, with a type', () => {
    expect(JSON.parse(snippet('vscode'))).toEqual({ servers: { tabularium: { type: 'stdio', command: BRIDGE } } });
  });

  it('the editor with a settings file: context_servers, with the arguments that its dialog requires', () => {
    expect(JSON.parse(snippet('zed'))).toEqual({ context_servers: { tabularium: { command: BRIDGE, args: [] } } });
  });

  it('the assistant configured in YAML: an item of a list', () => {
    expect(snippet('continue')).toBe(`mcpServers:\n  - name: tabularium\n    type: stdio\n    command: "${BRIDGE}"\n`);
  });

  it('the agent with extensions in YAML: a mapping', () => {
    expect(snippet('goose')).toBe(
      `extensions:\n  tabularium:\n    type: stdio\n    cmd: "${BRIDGE}"\n    enabled: true\n    timeout: 300\n`,
    );
  });

  it.each([
    ['claude-code', 'claude'],
    ['codex', 'codex'],
    ['copilot-cli', 'copilot'],
  ])('%s: a command with two dashes', (id, program) => {
    expect(snippet(id)).toBe(`${program} mcp add tabularium -- ${BRIDGE}\n`);
    expect(snippet(id, { bridge: "/it's here/x" })).toBe(`${program} mcp add tabularium -- '/it'\\''s here/x'\n`);
    expect(snippet(id, { home: '/data/tab' })).toBe(
      `${program} mcp add tabularium --env TABULARIUM_HOME=/data/tab -- ${BRIDGE}\n`,
    );
  });

  it('HTTP: address and token', () => {
    const entry = { url: values.url, headers: { Authorization: 'Bearer tbm_x' } };
    expect(JSON.parse(snippet('http'))).toEqual({ mcpServers: { tabularium: entry } });
    expect(JSON.parse(snippet('oauth'))).toEqual({ mcpServers: { tabularium: { type: 'http', url: values.url } } });
    expect(JSON.parse(snippet('streamable-http'))).toEqual({ mcpServers: { tabularium: { type: 'streamable-http', ...entry } } });
  });

  it('names a home only where that is wanted', () => {
    const home = { home: '/data/tab' };
    expect(JSON.parse(snippet('cursor', home))).toEqual({
      mcpServers: { tabularium: { command: BRIDGE, env: { TABULARIUM_HOME: '/data/tab' } } },
    });
    expect(snippet('goose', home)).toContain('    envs:\n      TABULARIUM_HOME: "/data/tab"\n');
  });

  it('has the paths of the files on each platform', () => {
    const fileOf = (id: string, platform: NodeJS.Platform): string | undefined => {
      const place: Place = { platform, userFolder: '/u', env: { APPDATA: '/u/AppData/Roaming' } };
      return client(id).file?.(place);
    };
    expect(fileOf('claude-desktop', 'darwin')).toBe('/u/Library/Application Support/Claude/claude_desktop_config.json');
    expect(fileOf('claude-desktop', 'win32')).toBe('/u/AppData/Roaming/Claude/claude_desktop_config.json');
    expect(fileOf('claude-desktop', 'linux')).toBe('/u/.config/Claude/claude_desktop_config.json');
    expect(fileOf('vscode', 'darwin')).toBe('/u/Library/Application Support/Code/User/mcp.json');
    expect(fileOf('zed', 'darwin')).toBe('/u/.config/zed/settings.json');
    expect(fileOf('goose', 'win32')).toBe('/u/AppData/Roaming/Block/goose/config/config.yaml');
    expect(fileOf('kiro', 'linux')).toBe('/u/.kiro/settings/mcp.json');
    expect(fileOf('lm-studio', 'win32')).toBe('/u/.lmstudio/mcp.json');
    expect(fileOf('json', 'linux')).toBeUndefined();
  });

  it('has ids that are used once', () => {
    expect(new Set(MCP_CLIENTS.map(({ id }) => id)).size).toBe(MCP_CLIENTS.length);
  });
});

describe("writing it into the client's file", () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tabularium-snippets-'));
    file = join(folder, 'deep', 'settings');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function change(id: string, before: string | undefined): Promise<{ after: string; backup: string | undefined }> {
    if (before !== undefined) {
      file = join(folder, 'settings');
      await writeFile(file, before);
    }
    const planned = await planChange(client(id), values, file);
    expect(planned.before).toBe(before);
    const backup = await writeChange(planned);
    const after = await readFile(file, 'utf8');
    expect(after).toBe(planned.after);
    if (backup !== undefined) expect(await readFile(backup, 'utf8')).toBe(before);
    return { after, backup };
  }

  it('makes a file where there is none, for its owner alone', async () => {
    const { after, backup } = await change('cursor', undefined);
    expect(JSON.parse(after)).toEqual({ mcpServers: { tabularium: { command: BRIDGE } } });
    expect(backup).toBeUndefined();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('says which file could not be written, and what to do', async () => {
    await writeFile(join(folder, 'plain'), '');
    const planned = await planChange(client('cursor'), values, join(folder, 'plain', 'settings'));
    await expect(writeChange(planned)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringMatching(/plain.settings cannot be written \(/) as string,
      details: { advice: expect.stringContaining('name another file with --file') as string },
    });
  });

  it('keeps everything else of JSON, its indentation and the mode, and what was there beside it', async () => {
    const before = '{\n    "theme": "dark",\n    "mcpServers": {\n        "other": { "command": "x" }\n    }\n}\n';
    const { after, backup } = await change('cursor', before);
    expect(JSON.parse(after)).toEqual({
      theme: 'dark',
      mcpServers: { other: { command: 'x' }, tabularium: { command: BRIDGE } },
    });
    expect(after).toContain('\n    "theme"');
    expect(backup).toMatch(/settings\.before-tabularium-/);
    await chmod(file, 0o640);
    await writeChange(await planChange(client('cursor'), { ...values, bridge: '/new' }, file));
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect((await readdir(folder)).filter((name) => name.includes('.before-'))).toHaveLength(2);
  });

  it('writes through a link and leaves the link', async () => {
    await writeFile(join(folder, 'real'), '{}');
    await symlink(join(folder, 'real'), join(folder, 'link'));
    await writeChange(await planChange(client('cursor'), values, join(folder, 'link')));
    expect((await lstat(join(folder, 'link'))).isSymbolicLink()).toBe(true);
    expect(await readFile(join(folder, 'real'), 'utf8')).toContain(BRIDGE);
  });

  it.each([
    ['cursor', '{"mcpServers": }', "isn't valid JSON"],
    ['cursor', '{"mcpServers": {}', "isn't valid JSON"],
    ['cursor', '[]', 'holds no settings'],
    ['zed', '{"context_servers":[]}', 'is not a mapping'],
    ['goose', 'extensions: [1]\n', 'is not a mapping'],
    ['goose', 'extensions: {a: 1\n', "isn't valid YAML"],
    ['goose', '- a list\n', 'holds no settings'],
    ['goose', 'a: 1\n---\nb: 2\n', 'holds several documents'],
    ['continue', 'mcpServers:\n  tabularium: {}\n', 'is not a list'],
  ])('rather than lose something of the file of %s, refuses %s', async (id, before, why) => {
    file = join(folder, 'settings');
    await writeFile(file, before);
    await expect(planChange(client(id), values, file)).rejects.toThrow(why);
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('does not write over what has changed meanwhile', async () => {
    file = join(folder, 'settings');
    await writeFile(file, '{}');
    const planned = await planChange(client('cursor'), values, file);
    await writeFile(file, '{"new":1}');
    await expect(writeChange(planned)).rejects.toThrow('was changed in the meantime');
    expect(await readFile(file, 'utf8')).toBe('{"new":1}');
  });

  it.each<[string, string, string, string]>([
    [
      'vscode',
      'notices, commas at the end and tabs',
      '// mine\n{\n\t"servers": {\n\t\t// the first\n\t\t"other": {\n\t\t\t"command": "x", // x\n\t\t},\n\t},\n\t"inputs": [], // none\n}\n',
      `// mine\n{\n\t"servers": {\n\t\t// the first\n\t\t"other": {\n\t\t\t"command": "x", // x\n\t\t},\n\t\t"tabularium": {\n\t\t\t"type": "stdio",\n\t\t\t"command": "${BRIDGE}"\n\t\t},\n\t},\n\t"inputs": [], // none\n}\n`,
    ],
    [
      'zed',
      'a notice where nothing else is, and the line ends of Windows',
      '{\r\n  // Zed settings\r\n  "theme": "One"\r\n}\r\n',
      `{\r\n  // Zed settings\r\n  "theme": "One",\r\n  "context_servers": {\r\n    "tabularium": {\r\n      "command": "${BRIDGE}",\r\n      "args": []\r\n    }\r\n  }\r\n}\r\n`,
    ],
    [
      'zed',
      'an entry of ours that is older',
      '{\n  "context_servers": {\n    "tabularium": { "command": "/old", "args": [] }, // ours\n    "b": {}\n  }\n}\n',
      `{\n  "context_servers": {\n    "tabularium": {\n      "command": "${BRIDGE}",\n      "args": []\n    }, // ours\n    "b": {}\n  }\n}\n`,
    ],
    [
      'cursor',
      'a mark of the order of bytes',
      '\u{FEFF}{}\n',
      `\u{FEFF}{\n  "mcpServers": {\n    "tabularium": {\n      "command": "${BRIDGE}"\n    }\n  }\n}\n`,
    ],
    [
      'goose',
      'notices, and no end of the last line',
      '# mine\nmodel: x # best',
      `# mine\nmodel: x # best\nextensions:\n${GOOSE}`,
    ],
    [
      'goose',
      'an indentation of its own, quotes and long lines',
      `extensions:\n    git:\n        cmd: 'y'\n        description: ${'long '.repeat(30)}end\nlast: "1"\n`,
      `extensions:\n    git:\n        cmd: 'y'\n        description: ${'long '.repeat(30)}end\n${GOOSE.replaceAll('  ', '    ')}last: "1"\n`,
    ],
    ['goose', 'an empty mapping in its line', 'extensions: {}\n', `extensions:\n${GOOSE}`],
    [
      'goose',
      'a mapping in its line',
      'extensions: { a: 1 }\n',
      `extensions: { a: 1, tabularium: { type: stdio, cmd: ${BRIDGE}, enabled: true, timeout: 300 } }\n`,
    ],
    [
      'goose',
      'an entry of ours that is older',
      'extensions:\n  tabularium:\n    cmd: x\n  b:\n    cmd: y\n',
      `extensions:\n${GOOSE}  b:\n    cmd: y\n`,
    ],
    ['goose', 'nothing but a notice', '# mine\n', `# mine\n\nextensions:\n${GOOSE}`],
    [
      'continue',
      'a list at the margin',
      'mcpServers:\n- name: a\n  command: b\nmodels: []\n',
      `mcpServers:\n- name: a\n  command: b\n${CONTINUE.replaceAll(/^ {2}/gm, '')}models: []\n`,
    ],
    [
      'continue',
      'a notice in the list',
      'mcpServers:\n  # these\n  - name: a\n',
      `mcpServers:\n  # these\n  - name: a\n${CONTINUE}`,
    ],
    ['continue', 'a key without a value', 'mcpServers:\nmodels: []\n', `mcpServers:\n${CONTINUE}models: []\n`],
    [
      'continue',
      'an entry of ours that is older',
      'mcpServers:\r\n  - name: tabularium\r\n    command: x\r\n',
      `mcpServers:\n${CONTINUE}`.replaceAll('\n', '\r\n'),
    ],
  ])('puts the entry into the file of %s and keeps all else: %s', async (id, _what, before, expected) => {
    const { after } = await change(id, before);
    expect(after).toBe(expected);
    // Once is enough.
    expect((await planChange(client(id), values, file)).after).toBe(after);
  });
});

describe('lineDiff', () => {
  it('shows what comes and what goes, with a little around', () => {
    expect(lineDiff('a\nb\nc\nd\ne\nf\n', 'a\nb\nc\nX\nY\ne\nf\n')).toBe('  b\n  c\n- d\n+ X\n+ Y\n  e\n  f\n');
    expect(lineDiff('', 'a\n')).toBe('+ a\n');
    expect(lineDiff('a\n', 'a\n')).toBe('');
    expect(lineDiff('a\na\n', 'a\n')).toBe('  a\n- a\n');
  });
});
