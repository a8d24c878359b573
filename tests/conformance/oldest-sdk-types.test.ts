import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root, workFolder } from '../../scripts/paths.ts';

// The types of the oldest SDK that is supported, from its package, against today's: what a driver gives must still be what a host takes, and
// what a host gives what a driver takes. A member that becomes required, a value that is no longer known, a type that becomes narrower are
// breaking changes, and are found here before anybody's driver meets them.

const run = promisify(execFile);
let folder: string;

/** The compiler's messages about a file that sees both SDKs. */
async function compiled(text: string): Promise<string> {
  const config = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      composite: false,
      incremental: false,
      noEmit: true,
      noUnusedLocals: false,
      rootDir: root,
      types: ['node'],
    },
    files: ['check.ts'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(
    join(folder, 'check.ts'),
    `import type * as Old from './old/dist/index.d.ts';\nimport type * as Now from '@tabularium/sdk';\n${text}`,
  );
  return run(process.execPath, [join(root, 'node_modules/@typescript/native/bin/tsc'), '--project', folder]).then(
    () => '',
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

beforeAll(async () => {
  mkdirSync(workFolder, { recursive: true });
  // Below the repository, so that the types of Node are found.
  folder = mkdtempSync(join(workFolder, 'oldest-sdk-'));
  mkdirSync(join(folder, 'old'));
  await run('tar', ['-xzf', join(root, 'tests/fixtures/sdk-1.0.0.tgz'), '-C', join(folder, 'old'), '--strip-components=1']);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Types that a driver makes and a host takes. */
const GIVEN = [
  'Driver',
  'Session',
  'TableDescription',
  'TableSummary',
  'Page',
  'RowCount',
  'Finding',
  'Statement',
  'StatementClassification',
  'ResultEvent',
  'CompletionList',
  'PreparedChange',
  'ChangeOutcome',
  'ExportEvent',
  'ExportSplice',
  'TableOperation',
  'PlannedOperation',
  'OperationResult',
  'Principal',
  'PrincipalField',
  'CreatedPrincipal',
  'MetricsReading',
  'DriverErrorCode',
  'DriverErrorDetails',
  'HttpRequest',
];
/** Types that a host makes and a driver takes. */
const TAKEN = [
  'Settings',
  'DriverContext',
  'CallOptions',
  'PageRequest',
  'Filter',
  'RunOptions',
  'RowChange',
  'ExportRequest',
  'SpliceSummary',
  'PrincipalInput',
  'HttpResponse',
  'TableRef',
  'RowKey',
  'Cell',
];

/**
 * A driver is asked with the operators that its manifest offers only, so an operator that came later changes nothing for it. Everything else of a filter
 * is compared as it is.
 */
const OFFERED = `
  type Asked<T> = T extends { readonly filter: Now.Filter }
    ? Omit<T, 'filter'> & { readonly filter: Asked<Now.Filter> }
    : T extends Now.Filter
      ? Omit<T, 'conditions'> & {
          readonly conditions: readonly (Omit<Now.FilterCondition, 'operator'> & {
            readonly operator: Now.FilterOperator & Old.FilterOperator;
          })[];
        }
      : T;
  export const operators = (value: Old.FilterOperator): Now.FilterOperator => value;`;

describe('the types of SDK 1.0.0', () => {
  it('are given and taken as they were', async () => {
    const lines = [
      ...GIVEN.map((name) => `export const given${name} = (value: Old.${name}): Now.${name} => value;`),
      ...TAKEN.map((name) => `export const taken${name} = (value: Asked<Now.${name}>): Old.${name} => value;`),
      OFFERED,
    ];
    expect(await compiled(lines.join('\n'))).toBe('');
  });

  it('are distinguished from breaking changes', async () => {
    const output = await compiled(`
      export const narrower = (value: Old.Session): Now.Session & { readonly added: string } => value;
      export const wider = (value: Now.PageRequest | { readonly added: string }): Old.PageRequest => value;
    `);
    expect(output).toMatch(/check\.ts\(4,[\s\S]*Property 'added' is missing/);
    expect(output).toMatch(/check\.ts\(5,/);
  });
});
