import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DESKTOP_ENTRY_NAME, desktopEntry, execArguments, SCHEME_TYPE } from './desktopEntry.ts';
import type { UrlHandler } from './desktopEntry.ts';
import { z } from 'zod';
import type { Shape } from '../../common/shape.ts';
import { userFolder } from '../storage/userFolder.ts';
import { withoutUrlHandler } from './withoutUrlHandler.ts';

/** How long a tool of the desktop may take. */
const TOOL_MILLISECONDS = 10_000;

export interface RegisterOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  readonly handler: UrlHandler;
  /** Whether an entry of the same name that an installed package brings does the same: the program is packaged, and the home is the usual one. */
  readonly packageSuffices?: boolean;
}

/** `unsupported`: the platform learns of the scheme from the installed application; or this Linux has no xdg-utils, and so no opener. */
export const registrationSchema = z.object({
  state: z.enum(['registered', 'unchanged', 'unsupported']),
  /** The user's desktop entry, on Linux; absent where that of an installed package is in use. */
  file: z.string().optional(),
});
export type Registration = Shape<typeof registrationSchema>;

/** Registers the program for the addresses of our scheme with a Linux desktop. The user's own settings alone are touched. */
export async function registerUrlScheme({
  env,
  platform,
  handler,
  packageSuffices = false,
}: RegisterOptions): Promise<Registration> {
  if (platform !== 'linux' || !(await succeeds(env, 'xdg-mime', ['--version']))) return { state: 'unsupported' };
  const folder = applicationsFolder(env);
  const file = join(folder, DESKTOP_ENTRY_NAME);
  const entry = desktopEntry(handler);
  const isDefault = (await output(env, 'xdg-mime', ['query', 'default', SCHEME_TYPE]))?.trim() === DESKTOP_ENTRY_NAME;
  const present = await readFile(file, 'utf8').catch(() => undefined);
  if (isDefault && present === entry) return { state: 'unchanged', file };
  // A package leaves nothing in a user's settings, so that its removal takes all away.
  if (isDefault && present === undefined && packageSuffices) return { state: 'unchanged' };
  await mkdir(folder, { recursive: true });
  const staged = `${file}.${process.pid}.new`;
  try {
    await writeFile(staged, entry, { mode: 0o644 });
    await rename(staged, file);
  } finally {
    await rm(staged, { force: true });
  }
  // It keeps its settings in a folder that it does not create.
  await mkdir(configFolder(env), { recursive: true });
  await succeeds(env, 'xdg-mime', ['default', DESKTOP_ENTRY_NAME, SCHEME_TYPE]);
  // Where it is missing nothing has a cache that would have to know.
  await succeeds(env, 'update-desktop-database', ['-q', folder]);
  return { state: 'registered', file };
}

/** Whether the user's desktop entry, of whichever installation, starts a host in this data directory. */
export async function isRegisteredFor(env: NodeJS.ProcessEnv, home: string): Promise<boolean> {
  const entry = await readFile(join(applicationsFolder(env), DESKTOP_ENTRY_NAME), 'utf8').catch(() => '');
  return entry.includes(execArguments(home));
}

/** Takes the entry away, and its place among the user's default applications: no tool of the desktop does that. */
export async function unregisterUrlScheme({
  env,
  platform,
}: Omit<RegisterOptions, 'handler' | 'packageSuffices'>): Promise<Registration> {
  if (platform !== 'linux') return { state: 'unsupported' };
  const file = join(applicationsFolder(env), DESKTOP_ENTRY_NAME);
  await rm(file, { force: true });
  for (const folder of [configFolder(env), applicationsFolder(env)]) await leaveDefaults(join(folder, 'mimeapps.list'));
  await succeeds(env, 'update-desktop-database', ['-q', applicationsFolder(env)]);
  return { state: 'unchanged', file };
}

async function leaveDefaults(file: string): Promise<void> {
  const list = await readFile(file, 'utf8').catch(() => undefined);
  if (list === undefined) return;
  const others = withoutUrlHandler(list);
  if (others === list) return;
  // A link to a file elsewhere stays one.
  const place = await realpath(file);
  const staged = `${place}.${process.pid}.new`;
  try {
    const { mode } = await stat(place);
    await writeFile(staged, others, { mode });
    await chmod(staged, mode);
    await rename(staged, place);
  } finally {
    await rm(staged, { force: true });
  }
}

function applicationsFolder(env: NodeJS.ProcessEnv): string {
  return join(baseFolder(env, 'XDG_DATA_HOME', join('.local', 'share')), 'applications');
}

function configFolder(env: NodeJS.ProcessEnv): string {
  return baseFolder(env, 'XDG_CONFIG_HOME', '.config');
}

/** A relative folder is to be ignored, says the specification. */
function baseFolder(env: NodeJS.ProcessEnv, variable: string, usual: string): string {
  const chosen = env[variable];
  return chosen?.startsWith('/') === true ? chosen : join(userFolder(env), usual);
}

async function succeeds(env: NodeJS.ProcessEnv, program: string, args: readonly string[]): Promise<boolean> {
  return (await output(env, program, args)) !== undefined;
}

function output(env: NodeJS.ProcessEnv, program: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, [...args], { env, timeout: TOOL_MILLISECONDS, encoding: 'utf8' }, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    );
  });
}
