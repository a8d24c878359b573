import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { guidePlan } from '../../../tests/fixtures/guide-driver/guideDriver.test-helper.ts';
import { defineDriver } from '../driver.ts';
import { KIT_VERSION, SDK_CONTRACT } from '../version.ts';
import { describeDriverConformance } from './describeConformance.ts';
import { ConformanceError } from './plan.ts';
import type { ConformancePlan } from './plan.ts';
import { runConformance } from './report.ts';
import type { CheckResult, ConformanceReport } from './conformanceReport.ts';

const guide = guidePlan();
const folder = mkdtempSync(join(tmpdir(), 'report-'));
afterAll(() => {
  guide.remove();
  rmSync(folder, { recursive: true });
});

/** The guide's driver, with totals that are wrong, a console that the plan says nothing of, and a name that breaks a list. */
function faulty(): ConformancePlan {
  const { id, connect } = guide.driver.definition;
  const driver = defineDriver({
    id,
    async connect(...parameters) {
      const session = await connect(...parameters);
      const console = {
        split: () => [],
        classify: async () => ({ effect: 'read' as const, tables: [], summary: 'x' }),
        run: async function* () {},
      };
      return {
        ...session,
        console,
        countRows: async () => ({ rows: 99, exact: true }),
        ping: async () => {
          throw new TypeError('first line\nsecond line');
        },
      };
    },
  });
  return { ...guide, driver };
}

describe('a conformance report', () => {
  it('says that a driver keeps its contract, and what it has no facet for', async () => {
    const seen: [CheckResult, number, number][] = [];
    const { report, markdown } = await runConformance(guide, { onResult: (...result) => seen.push(result) });
    expect(report).toMatchObject({
      reportVersion: 1,
      kit: KIT_VERSION,
      contract: SDK_CONTRACT,
      driver: { id: 'notes', contract: SDK_CONTRACT, title: 'notes' },
      score: 100,
      counts: { broken: 0, untried: 0 },
    });
    expect(report.counts.kept + report.counts.absent).toBe(report.checks.length);
    expect(report.checks.filter(({ outcome }) => outcome === 'absent').map(({ area }) => area)).toEqual(
      expect.arrayContaining(['console', 'edits', 'export', 'metrics']),
    );
    expect(seen.at(-1)?.slice(1)).toEqual([report.checks.length, report.checks.length]);
    expect(markdown).toMatch(/^# Conformance of notes: 100 of 100\n/);
    expect(markdown).toMatch(/## edits\n\nThe driver has no such facet\./);
    expect(markdown).not.toMatch(/What keeps it from 100/);
  });

  it('says what is broken and what was not tried, and never 100 then', async () => {
    const files = { json: join(folder, 'made/report.json'), markdown: join(folder, 'made/report.md') };
    const { report, markdown } = await runConformance(faulty(), { title: 'faulty', files });
    const { kept, broken, untried } = report.counts;
    expect(broken).toBeGreaterThan(2);
    expect(report.score).toBe(Math.floor((100 * kept) / (kept + broken + untried)));
    expect(report.checks).toContainEqual({
      area: 'console',
      rule: 'the plan says what is known of its language',
      outcome: 'untried',
      message: 'The session has a console, and the plan says nothing of its statements.',
    });
    expect(report.checks).toContainEqual(
      expect.objectContaining({ area: 'core', rule: 'counts, totals and the end agree', table: 'shopping', outcome: 'broken' }),
    );
    expect(markdown).toMatch(/## What keeps it from 100\n\n- ✗ /);
    expect(markdown).toMatch(/✗ .*ping threw TypeError: first line second line instead of a DriverError\./);
    expect(readFileSync(files.markdown, 'utf8')).toBe(markdown);
    expect(JSON.parse(readFileSync(files.json, 'utf8'))).toEqual(report);
  });

  it('has its contract in the number of its kit', () => {
    expect(KIT_VERSION).toMatch(/^\d+\.\d+\.[1-9]\d*$/);
    expect(SDK_CONTRACT.startsWith(`${KIT_VERSION.split('.').slice(0, 2).join('.')}.`)).toBe(true);
  });
});

describe('describeDriverConformance', () => {
  it('makes a test of each check, lets no fault pass, and writes the report when all are done', async () => {
    const tests: [string, () => Promise<void>][] = [];
    let done: (() => Promise<void>) | undefined;
    const json = join(folder, 'described.json');
    const runner = {
      describe: (_name: string, define: () => void) => define(),
      it: (name: string, run: () => Promise<void>) => tests.push([name, run]),
      afterAll: (run: () => Promise<void>) => (done = run),
    };
    describeDriverConformance('faulty', faulty(), runner, { report: { json } });
    const failed: string[] = [];
    for (const [name, run] of tests) {
      await run().catch((error: unknown) => {
        expect(error).toBeInstanceOf(ConformanceError);
        failed.push(name);
      });
    }
    await done?.();
    const report = JSON.parse(readFileSync(json, 'utf8')) as ConformanceReport;
    expect(report.driver.title).toBe('faulty');
    expect(report.counts.broken).toBe(failed.length);
    expect(failed).toContain('shopping: counts, totals and the end agree');
    expect(report.checks.length).toBe(tests.length);
  });

  it('asks for afterAll when a report is wanted', () => {
    const runner = { describe: (_name: string, define: () => void) => define(), it: () => undefined };
    expect(() => describeDriverConformance('x', guide, runner, { report: { json: 'x.json' } })).toThrow(/hand over afterAll/);
  });
});
