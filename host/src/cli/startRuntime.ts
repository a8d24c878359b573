import type { InstallProgress } from '../common/drivers.ts';
import { Runtime } from '../runtime/composition.ts';
import { progressStream } from '../common/progressStream.ts';
import type { RunningRuntime, StartRuntime } from './hostServices.ts';

/** The runtime, as commands need it. */
export const startRuntime: StartRuntime = async (options): Promise<RunningRuntime> => {
  const { env } = options;
  const runtime = await Runtime.start(options);
  const { backups, connections, sessions, exports, tokens, secureStore } = runtime;
  return {
    services: {
      backups,
      connections,
      sessions,
      exports,
      tokens,
      secureStore,
      drivers: {
        catalogue: ({ registry, signal }) =>
          (registry === undefined ? runtime.catalogue : runtime.catalogueOf(registry)).refresh(signal),
        knownCatalogue: () => runtime.catalogue.list(),
        installed: () => runtime.installed.list(),
        install: (driver, { version, prerelease, registry, allowDowngrade, signal }) =>
          progressStream<InstallProgress>(async (tell) => {
            await runtime.installer.install(driver, { version, prerelease, registry, allowDowngrade, signal, onProgress: tell });
          }),
      },
      driverManagement: runtime.driverManagement,
      driverDevelopment: runtime.driverDevelopment,
      mcpUrl: () => runtime.mcpUrl,
      hasVariable: (name) => (env[name] ?? '') !== '',
    },
    handler: runtime.handler,
    offerSample: async (input) => {
      await runtime.offerSample(input);
    },
    startMcp: (port) => runtime.startMcp(port),
    [Symbol.asyncDispose]: () => runtime[Symbol.asyncDispose](),
  };
};
