import type { InstallProgress } from '../common/drivers.ts';
import { Runtime } from '../runtime/runtime.ts';
import { progressStream } from '../common/progressStream.ts';
import type { RunningRuntime, StartRuntime } from './hostServices.ts';

/** The runtime, as commands need it. */
export const startRuntime: StartRuntime = async (options): Promise<RunningRuntime> => {
  const { env } = options;
  const runtime = await Runtime.start(options);
  const { backups, sessions, exports, tokens, secureStore } = runtime;
  const { connectionImport, connectionService, connectionStore, connectionTest } = runtime.services;
  return {
    services: {
      backups,
      connections: {
        list: () => connectionStore.list(),
        create: (input) => connectionService.create(input),
        remove: (id) => connectionService.remove(id),
        secretQuestion: (id) => connectionService.secretQuestion(id),
        confirmSecrets: (id, code) => connectionService.confirmSecrets(id, code),
        export: (ids) => connectionImport.export(ids),
        previewImport: (text) => connectionImport.preview(text),
        import: (choices) => connectionImport.import(choices),
        test: (input, savedAs, signal, code) => connectionTest.run(input, savedAs, signal, code),
      },
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
