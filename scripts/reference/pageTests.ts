/** They write their page when vitest updates its snapshots, and compare it otherwise. */
export const PAGE_TESTS = ['host/src/cli/program/commandLine.test.ts', 'host/src/runtime/api/owner/procedureReference.test.ts'];

/** The arguments of vitest that compare the pages, or rewrite them. `--update` has its value, or it takes the first file for one. */
export function pageTestArguments(update: boolean): string[] {
  return ['run', ...(update ? ['--update=all'] : []), ...PAGE_TESTS];
}
