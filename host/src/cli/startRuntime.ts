import { Runtime } from '../runtime/runtime.ts';
import type { RunningRuntime, StartRuntime } from './runningRuntime.ts';

/** The runtime, as commands need it. */
export const startRuntime: StartRuntime = async (options): Promise<RunningRuntime> => {
  const runtime = await Runtime.start(options);
  return {
    handler: runtime.handler,
    ownerHandler: (shell) => runtime.ownerHandler(shell),
    offerSample: async (input) => void (await runtime.offerSample(input)),
    startMcp: (port) => runtime.startMcp(port),
    sendsSignInTo: (address) => runtime.sendsSignInTo(address),
    [Symbol.asyncDispose]: () => runtime[Symbol.asyncDispose](),
  };
};
