import { createServer } from 'node:net';
import { HostError } from '../../../common/errors.ts';
import type { Inject } from '../../container/inject.ts';
import type { InstalledDriver } from '../packages/installedDriver.ts';
import type { ProcessLimits } from './processLimits.ts';

/** The address of every inspector: no other machine reaches it. */
export const INSPECTOR_HOST = '127.0.0.1';
/** A breakpoint holds a process for as long as its author looks at it. */
const DAY = 24 * 60 * 60_000;

/** A version as `DeveloperFolders` names it: of a folder, with a mark of its content. */
const FROM_FOLDER = /\+folder\.[0-9a-f]+$/;

/**
 * The drivers whose processes run with Node's inspector, so that their authors can set breakpoints. Only a build that an author's tool has just
 * loaded from a folder can be one of them. An installed driver never is, whatever its id.
 */
export class Inspection {
  static readonly inject: Inject<typeof Inspection> = [];

  /** The port that an author asked for, by the version of the build. */
  readonly #ports = new Map<string, number>();

  /** Inspects one build from now on. @returns ends it */
  begin(driver: string, version: string, port: number): () => void {
    const key = keyOf(driver, version);
    this.#ports.set(key, port);
    return () => void this.#ports.delete(key);
  }

  /** Whether processes of the driver are to be inspected. */
  covers(driver: Pick<InstalledDriver, 'id' | 'version' | 'publisher'>): boolean {
    return isFromFolder(driver) && this.#ports.has(keyOf(driver.id, driver.version));
  }

  /**
   * The port for the inspector of a new process: the one that was asked for, or a free one while that is taken.
   *
   * @returns undefined for a driver that isn't inspected
   */
  async portFor(driver: Pick<InstalledDriver, 'id' | 'version' | 'publisher'>): Promise<number | undefined> {
    const wanted = isFromFolder(driver) ? this.#ports.get(keyOf(driver.id, driver.version)) : undefined;
    if (wanted === undefined) return undefined;
    const port = (await freePort(wanted)) ?? (await freePort(0));
    if (port !== undefined) return port;
    throw new HostError('INTERNAL', `No port of ${INSPECTOR_HOST} is free for the inspector of the driver "${driver.id}".`);
  }
}

/** The limits of a process that a debugger may stop: those that measure its patience don't apply; those of its memory do. */
export function inspectedLimits(limits: ProcessLimits): ProcessLimits {
  return {
    ...limits,
    ready: DAY,
    call: DAY,
    loopSilence: DAY,
    cancelGrace: DAY,
    sessionCancelGrace: DAY,
    idleProcessor: { ...limits.idleProcessor, window: DAY },
  };
}

function isFromFolder({ version, publisher }: Pick<InstalledDriver, 'version' | 'publisher'>): boolean {
  return publisher.origin === 'developerFolder' && FROM_FOLDER.test(version);
}

function keyOf(driver: string, version: string): string {
  return `${driver}@${version}`;
}

/** @param port - 0 for any @returns undefined when it is taken */
async function freePort(port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    return await new Promise<number | undefined>((resolve) => {
      server.once('error', () => resolve(undefined));
      server.listen(port, INSPECTOR_HOST, () => {
        const address = server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : undefined);
      });
    });
  } finally {
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  }
}
