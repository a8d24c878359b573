import { copyFile, mkdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HostError } from '../../../common/errors.ts';
import { SERVER_NAME } from './clients.ts';
import type { EntryValues, McpClient } from './clients.ts';
import { yamlBlock } from './yamlBlock.ts';

/** What writing an entry would change. */
export interface ConfigChange {
  readonly file: string;
  /** Absent: there is no file yet. */
  readonly before: string | undefined;
  readonly after: string;
}

/**
 * Looks what a client's file would be with our entry. Nothing is written.
 *
 * @throws HostError `INVALID_REQUEST` where the file cannot be changed without losing something of it
 */
export async function planChange(client: McpClient, values: EntryValues, file: string): Promise<ConfigChange> {
  const before = await readIfThere(file);
  const { key = '' } = client;
  const entry = client.entry(values);
  const after = client.format === 'yaml' ? withYaml(before ?? '', client, key, entry, file) : withJson(before, key, entry, file);
  return { file, before, after };
}

/** Writes the change, and keeps what was there beside it. Returns the backup's name. */
export async function writeChange({ file, before, after }: ConfigChange): Promise<string | undefined> {
  // A file that is a link (as in a folder of settings under version control) stays one.
  const real = before === undefined ? file : await realpath(file);
  if ((await readIfThere(real)) !== before) throw refused(file, 'was changed meanwhile', 'Look at it again, and try once more.');
  await mkdir(dirname(real), { recursive: true });
  let backup: string | undefined;
  let mode = 0o600;
  if (before !== undefined) {
    backup = `${real}.before-tabularium-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    await copyFile(real, backup);
    mode = (await stat(real)).mode & 0o777;
  }
  const staged = `${real}.${process.pid}.new`;
  await writeFile(staged, after, { mode, flag: 'wx' });
  await rename(staged, real);
  return backup;
}

function withJson(before: string | undefined, key: string, entry: unknown, file: string): string {
  if (before === undefined || before.trim() === '') return `${JSON.stringify({ [key]: { [SERVER_NAME]: entry } }, null, 2)}\n`;
  let settings: unknown;
  try {
    settings = JSON.parse(before.replace(/^\uFEFF/, ''));
  } catch {
    throw refused(file, 'has comments, or is no JSON, and would lose them', 'Put the entry in by hand.');
  }
  if (!isRecord(settings)) throw refused(file, 'holds no settings', 'Put the entry in by hand.');
  const servers = settings[key] ?? {};
  if (!isRecord(servers)) throw refused(file, `has a "${key}" that is not a mapping`, 'Put the entry in by hand.');
  const indent = /\n([ \t]+)"/.exec(before)?.[1] ?? 2;
  return `${JSON.stringify({ ...settings, [key]: { ...servers, [SERVER_NAME]: entry } }, null, indent)}\n`;
}

/** By text, so that comments and order stay. */
function withYaml(
  before: string,
  client: McpClient,
  key: string,
  entry: Readonly<Record<string, unknown>>,
  file: string,
): string {
  const block = yamlBlock(client.id, entry);
  const ours = new RegExp(`^\\s*(?:${SERVER_NAME}:|- name: ["']?${SERVER_NAME}["']?)\\s*$`, 'm');
  if (ours.test(before)) throw refused(file, 'has an entry of this name already', 'Change it by hand.');
  const line = new RegExp(`^${key}:[ \\t]*(.*)$`, 'm').exec(before);
  const ended = before === '' || before.endsWith('\n') ? before : `${before}\n`;
  if (line === null) return `${ended}${key}:\n${block}`;
  const rest = (line[1] ?? '').replace(/#.*$/, '').trim();
  if (rest !== '' && rest !== '[]' && rest !== '{}') {
    throw refused(file, `has "${key}" in one line`, 'Put the entry in by hand.');
  }
  const start = line.index;
  const after = ended.slice(start + line[0].length).replace(/^\n/, '');
  const indented = block.replaceAll(/^ {2}/gm, ' '.repeat(indentOfEntries(after)));
  return `${ended.slice(0, start)}${key}:\n${indented}${after}`;
}

/** Entries of one list or mapping are indented alike; those of a list may stand at the margin. */
function indentOfEntries(afterKey: string): number {
  const first = /^( *)([^\s#].*)$/m.exec(afterKey);
  const indent = first?.[1]?.length ?? 0;
  if (indent > 0) return indent;
  return first?.[2]?.startsWith('- ') === true ? 0 : 2;
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
    throw error;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refused(file: string, what: string, advice: string): HostError {
  return new HostError('INVALID_REQUEST', `${file} ${what}.`, { details: { advice } });
}
