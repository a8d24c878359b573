import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { SDK_CONTRACT } from '@tabularium/sdk';
import { conformanceChecks } from '@tabularium/sdk/testing';
import { root, workFolder } from '../../scripts/paths.ts';
import { orchardDriver } from './faulty/orchard/driver.ts';
import { orchardPlan } from './faulty/orchard/plan.ts';

const page = (path: string): string => readFileSync(join(root, 'docs', path), 'utf8');
const minorOf = (version: string): string => version.split('.').slice(0, 2).join('.');

describe('docs/reference/conformance.md', () => {
  it('names every check, in its area, and no other', () => {
    const plan = orchardPlan(orchardDriver());
    const ofThePlan = new Set(plan.tables.flatMap(({ filters = [] }) => filters.map(({ name }) => name)));
    const checks = conformanceChecks(plan).filter(({ rule }) => !ofThePlan.has(rule));
    const wanted = new Set(checks.map(({ area, rule }) => `${area}: ${rule.replace(/ \((?:empty|drop)\)$/, '')}`));
    const section = page('reference/conformance.md').split('## What is checked')[1]?.split('\n## ')[0] ?? '';
    const named = [...section.matchAll(/\*\*`?(\w+)`?\*\*\n\n((?:- .*\n)+)/g)].flatMap(([, area = '', list = '']) =>
      list
        .trim()
        .split('\n')
        .map((line) => `${area.replace('Core', 'core')}: ${line.slice(2)}`),
    );
    expect(named.sort()).toEqual([...wanted].sort());
  });

  it('shows code that compiles', async () => {
    const samples = [...page('reference/conformance.md').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
    expect(samples.length).toBe(2);
    mkdirSync(workFolder, { recursive: true });
    const folder = mkdtempSync(join(workFolder, 'documents-'));
    try {
      const options = { composite: false, incremental: false, noEmit: true, rootDir: root, types: ['node'] };
      const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions: options, files: ['check.ts'] };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
      const code = [
        "import { afterAll, describe, it } from 'vitest';",
        "import { describeDriverConformance, runConformance } from '@tabularium/sdk/testing';",
        "import type { ConformancePlan } from '@tabularium/sdk/testing';",
        'declare const plan: ConformancePlan;',
        ...samples.map((sample, index) => `export async function sample${index}(): Promise<void> {\n${sample}}`),
      ];
      writeFileSync(join(folder, 'check.ts'), code.join('\n'));
      const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
      await promisify(execFile)(process.execPath, [compiler, '--project', folder]).catch((error: unknown) => {
        expect((error as { stdout: string }).stdout).toBe('');
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('docs/reference/contract-versions.md', () => {
  const rows = [...page('reference/contract-versions.md').matchAll(/^\| (\d+\.\d+) +\| `@tabularium\/sdk` (\d+\.\d+) +\|.*$/gm)];

  it('begins with the contract of this host, and each is of its SDK', () => {
    expect(rows[0]?.[1]).toBe(minorOf(SDK_CONTRACT));
    for (const [, contract, sdk] of rows) expect(sdk).toBe(contract);
    const { version } = JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8')) as { version: string };
    expect(minorOf(version)).toBe(minorOf(SDK_CONTRACT));
  });

  it('has the driver of every older contract that it calls supported', () => {
    for (const [row] of rows.slice(1)) {
      const [, file = 'nothing'] = /`(tests\/fixtures\/[\w.-]+\.tgz)`/.exec(row) ?? [];
      expect(existsSync(join(root, file)), row).toBe(true);
    }
  });

  it('has a section of the migration for every step', () => {
    const guide = page('guide/migrate-a-driver.md');
    const steps = rows.slice(1).map(([, older], index) => `## ${older ?? ''} to ${rows[index]?.[1] ?? ''}`);
    expect(steps.length).toBeGreaterThan(0);
    for (const step of steps) expect(guide).toContain(step);
  });
});
