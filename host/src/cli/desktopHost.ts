import { z } from 'zod';
import type { FetchHandler } from '../common/fetchHandler.ts';
import type { ConnectedHost } from '../runtime/ownerSocket/connectToHost.ts';
import { OwnerSocket } from '../runtime/ownerSocket/ownerSocket.ts';
import { openHome, resolveHome } from '../runtime/storage/home.ts';
import { hostPackage } from '../runtime/program/hostPackage.ts';
import { openLog } from './openLog.ts';
import { registerAtStart } from '../runtime/urlScheme/registerAtStart.ts';
import { pinnedNode } from '../runtime/program/pinnedNode.ts';
import { APP_URL, windowHandler } from '../web/windowHandler.ts';
import { shownWindowSchema, windowUrlSchema } from '../common/hostWindow.ts';
import { ask, ownerApi } from './ownerApi.ts';
import { urlHandler } from './program/mcp.ts';
import { readSampleFile } from './readSampleFile.ts';
import { documentationFolderOf, rendererFolderOf } from './serve.ts';
import { startRuntime } from './startRuntime.ts';
import { writeJson } from './terminal.ts';
import { takeHomeOrFindHost } from './takeHome.ts';

/** How long the host that runs already may take to answer. */
const ASK_MILLISECONDS = 15_000;

const sendsSignInSchema = z.object({ sends: z.boolean() });

/** The desktop shell, as a host uses it. */
export interface DesktopShell {
  /** Started by an address of our scheme: no person has asked for a window yet. */
  readonly isHidden: () => boolean;
  /** Brings the window to the front, and ends the hidden mode. */
  readonly show: () => void;
}

/** The page that the desktop shell shows. */
export interface DesktopHost extends AsyncDisposable {
  /** The address of the window's page, to its last slash. */
  readonly pageUrl: string;
  /** The address with which the first window comes to that page. */
  readonly firstUrl: string;
  /** Answers what the page asks over the shell's own scheme; absent where another process is the host. */
  readonly handler?: FetchHandler;
  /** Whether a sign-in that the host runs now sends the person to this address. Where another process is the host, it is asked. */
  readonly sendsSignInTo: (address: string) => Promise<boolean>;
  /** Starts the MCP server where it is enabled and does not run. */
  readonly ensureMcp: () => Promise<void>;
}

/**
 * A host as `serve` has it, whose window is this process's own: owns the home, answers commands, serves MCP to clients. Where a host runs
 * already the window is shown on that one, which is hidden no more.
 *
 * @returns undefined where nothing is left to do: an address of our scheme has asked the host that runs for its MCP server, or that host has
 *   brought its own window to the front
 * @throws HostError `HOME_IN_USE` when the owner of the home doesn't respond
 */
export async function startDesktopHost(
  env: NodeJS.ProcessEnv,
  shell: DesktopShell,
  signal: AbortSignal = new AbortController().signal,
): Promise<DesktopHost | undefined> {
  const { folder, version } = hostPackage();
  await using starting = new AsyncDisposableStack();
  const home = await openHome(resolveHome(env, process.platform));
  const { logger, flush } = openLog(home, process.stderr);
  starting.defer(flush);
  const found = await takeHomeOrFindHost(home, { signal, accepts: (lifetime) => lifetime === 'host' });
  if ('host' in found) return await showRunningHost(found.host, shell, home.folder);
  const lock = starting.use(found.lock);
  const runtime = starting.use(await startRuntime({ home, env, logger, node: pinnedNode() }));
  const sample = env['TABULARIUM_SAMPLE_CONNECTION'];
  if (sample !== undefined && sample !== '')
    for (const connection of await readSampleFile(sample)) await runtime.offerSample(connection);
  const handler = await windowHandler(runtime.handler, rendererFolderOf(folder), documentationFolderOf(folder));
  const mcp = (await runtime.startMcp(undefined)) ?? null;
  const ensureMcp = async (): Promise<void> => void (await runtime.startMcp(undefined));
  const owner = runtime.ownerHandler({
    lifetime: 'host',
    newWindowUrl: () => undefined,
    ensureMcp,
    showHidden: () => {
      shell.show();
      return { ui: null, mcp, home: home.folder };
    },
  });
  starting.use(await OwnerSocket.open(lock, { lifetime: 'host', version, logger, handler: owner }));
  notifyReady(mcp, home.folder);
  register(env, home.folder).catch((error: unknown) => logger.error('the address scheme could not be registered', error));
  const running = starting.move();
  return {
    pageUrl: APP_URL,
    firstUrl: APP_URL,
    handler,
    sendsSignInTo: async (address) => runtime.sendsSignInTo(address),
    ensureMcp,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/**
 * On Linux no installer has registered our addresses with the desktop. A host without a window answers them: a start by hand shows its window
 * on that one. On other platforms the installed application answers them.
 */
async function register(env: NodeJS.ProcessEnv, home: string): Promise<void> {
  await registerAtStart({ env, platform: process.platform, handler: { ...urlHandler(home), node: pinnedNode() } });
}

async function showRunningHost(host: ConnectedHost, shell: DesktopShell, home: string): Promise<DesktopHost | undefined> {
  const api = ownerApi(host.handler);
  const calling = (): { readonly signal: AbortSignal } => ({ signal: AbortSignal.timeout(ASK_MILLISECONDS) });
  const ensureMcp = (): Promise<unknown> =>
    ask(api, z.unknown(), (_, options) => api.owner.ensureMcp.mutate(undefined, options), calling());
  if (shell.isHidden()) {
    await ensureMcp();
    return undefined;
  }
  const shown = await ask(
    api,
    shownWindowSchema.nullable(),
    (_, options) => api.owner.showHidden.mutate(undefined, options),
    calling(),
  );
  // It has a shell of its own.
  if (shown?.ui === null) return undefined;
  const firstUrl =
    shown?.ui ?? (await ask(api, windowUrlSchema, (_, options) => api.owner.windowUrl.mutate(undefined, options), calling())).url;
  notifyReady(shown?.mcp ?? null, home);
  return {
    pageUrl: new URL('/', firstUrl).href,
    firstUrl,
    sendsSignInTo: async (address) =>
      (await ask(api, sendsSignInSchema, (_, options) => api.owner.sendsSignInTo.mutate({ address }, options), calling())).sends,
    ensureMcp: async () => void (await ensureMcp()),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** The line that `serve` prints too: who started this waits for it. */
function notifyReady(mcp: string | null, home: string): void {
  void writeJson(process.stdout, `${JSON.stringify({ ready: true, ui: null, mcp, home })}\n`);
}
