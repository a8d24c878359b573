import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { BridgeCheck } from '../../../common/connectClients.ts';
import { englishOf, hostSentence } from '../../../common/hostSentences.ts';
import type { HostSentence } from '../../../common/hostSentences.ts';

/** The bridge may have to start the application, which may take 10 s. */
const CHECK_MILLISECONDS = 30_000;
/** Environment variables that clients pass to the programs that they start. */
const HANDED_ON = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'APPDATA', 'USERPROFILE', 'SYSTEMROOT', 'TEMP'];
/** Variables that locate the home, and those that an opener needs. */
const NEEDED = [
  'TABULARIUM_HOME',
  'XDG_DATA_HOME',
  'XDG_CONFIG_HOME',
  'XDG_RUNTIME_DIR',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'DBUS_SESSION_BUS_ADDRESS',
];

const answerSchema = z.object({
  id: z.number().optional(),
  result: z.object({ tools: z.array(z.object({ name: z.string() })).optional() }).optional(),
  error: z.object({ message: z.string(), data: z.object({ layer: z.string() }).partial().optional() }).optional(),
});

/** Runs the bridge as a client would, up to the list of its tools. */
export async function checkBridge(
  bridge: string,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<BridgeCheck> {
  const began = performance.now();
  const handed = Object.fromEntries(
    [...HANDED_ON, ...NEEDED].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
  // Windows starts an .exe alone; what npm installs there are scripts, for which clients put a shell in front.
  const shell = process.platform === 'win32' && !bridge.toLowerCase().endsWith('.exe');
  const child = spawn(shell ? `"${bridge}"` : bridge, [], { env: handed, stdio: ['pipe', 'pipe', 'pipe'], shell });
  const ended = Promise.withResolvers<BridgeCheck>();
  const stderr: string[] = [];
  const stop = AbortSignal.any([signal, AbortSignal.timeout(CHECK_MILLISECONDS)]);
  const fail = (sentence: HostSentence, layer = 'launch'): void =>
    ended.resolve({ ok: false, layer, message: englishOf(sentence), origin: { sentence } });
  const onAbort = (): void => fail(hostSentence('bridgeSilent', { seconds: CHECK_MILLISECONDS / 1_000 }));
  stop.addEventListener('abort', onAbort, { once: true });
  child.once('error', (error) => fail(hostSentence('bridgeNotStarted', { bridge, reason: error.message })));
  child.once('close', () => {
    const message = stderr.join(' ');
    fail(message === '' ? hostSentence('bridgeEnded') : hostSentence('bridgeReported', { message }));
  });
  child.stdin.on('error', () => undefined);
  createInterface({ input: child.stderr }).on('line', (line) => stderr.push(line));
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = answerSchema.safeParse(toJson(line));
    if (!answer.success) return fail(hostSentence('bridgeOtherOutput'));
    const { id, result, error } = answer.data;
    if (error !== undefined)
      return fail(hostSentence('bridgeReported', { message: error.message }), error.data?.layer ?? 'server');
    if (id === 1) {
      send({ method: 'notifications/initialized' });
      send({ id: 2, method: 'tools/list' });
    } else if (id === 2) {
      const tools = (result?.tools ?? []).map(({ name }) => name);
      ended.resolve({ ok: true, tools, milliseconds: Math.round(performance.now() - began) });
    }
  });
  const clientInfo = { name: 'tabularium-check', version: '1' };
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
  try {
    return await ended.promise;
  } finally {
    stop.removeEventListener('abort', onAbort);
    child.stdin.end();
    child.kill();
  }
}

function toJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
