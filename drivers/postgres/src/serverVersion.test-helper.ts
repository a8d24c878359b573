import { majorVersion, postgresFolder } from '../../../scripts/postgres/postgresServer.ts';

// `npm run test:long` runs the tests of this driver with older servers too. What those lack is left out here, by its version.

/** The folder of the server that tests start: `npm run test:long` names that of another version. Only tests read the variable. */
export const testedBinaries = process.env['TABULARIUM_TEST_POSTGRES'] ?? postgresFolder();

/** The major version of the server that tests start, such as 18; the newest where this platform has none. */
export const serverVersion = testedBinaries === undefined ? Number.MAX_SAFE_INTEGER : majorVersion(testedBinaries);

/** SQL that needs a server of this major version; empty with an older one. */
export function since(major: number, sql: string): string {
  return serverVersion >= major ? sql : '';
}

const lacking: string[] = [];

/** Statements that need a server of this major version; with an older one they are among {@link lackingStatements}. */
export function statementsSince(major: number, ...statements: readonly string[]): readonly string[] {
  if (serverVersion >= major) return statements;
  lacking.push(...statements);
  return [];
}

/** The statements that were left out because the server is too old. A test has to show that the server rejects each. */
export function lackingStatements(): readonly string[] {
  return lacking;
}
