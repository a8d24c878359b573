import { SDK_CONTRACT } from '@tabularium/sdk';
import type { ApplicationInfo, Disk } from '../../common/api.ts';
import type { SecureStore } from '../credentials/secureStore.ts';
import { diskSpace } from '../storage/diskSpace.ts';
import { HOME } from '../storage/home.ts';
import { HOST_PACKAGE } from '../program/hostPackage.ts';
import { McpServer } from '../mcp/mcpServer.ts';
import { ApplicationUpdates } from '../checkup/applicationUpdates.ts';
import { SECURE_STORE } from '../credentials/secureStore.ts';
import { from } from '../container/inject.ts';
import type { Inject } from '../container/inject.ts';

/** The services of {@link Application}. */
export interface ApplicationParts {
  readonly version: string;
  /** The folder of the home. */
  readonly home: string;
  readonly secureStore: Pick<SecureStore, 'state'>;
  readonly server: Pick<McpServer, 'address'>;
  readonly updates: Pick<ApplicationUpdates, 'newer'>;
}

/** The facts about the application. */
export class Application {
  static readonly inject: Inject<typeof Application> = {
    version: from([HOST_PACKAGE], ({ version }) => version),
    home: from([HOME], ({ folder }) => folder),
    secureStore: SECURE_STORE,
    server: McpServer,
    updates: ApplicationUpdates,
  };

  readonly #parts: ApplicationParts;

  constructor(parts: ApplicationParts) {
    this.#parts = parts;
  }

  /** The space on the disk of the home, tried by writing there. */
  disk(signal: AbortSignal): Promise<Disk> {
    return diskSpace(this.#parts.home, signal);
  }

  async info(): Promise<ApplicationInfo> {
    const { version, home, secureStore, server, updates } = this.#parts;
    const newerVersion = updates.newer();
    const mcpUrl = server.address?.url;
    return {
      version,
      home,
      sdkContract: SDK_CONTRACT,
      secureStore: await secureStore.state(),
      ...(mcpUrl === undefined ? {} : { mcpUrl }),
      ...(newerVersion === undefined ? {} : { newerVersion }),
    };
  }
}
