import { spawn } from 'node:child_process';

/** A file, and how many of its tests were left out. */
export interface LeftOut {
  readonly file: string;
  readonly count: number;
  readonly of: number;
}

/** The result of a step. A step without tests of its own counts as one: it holds or it does not. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** A line for each thing that failed, said again at the end of the run: the place in a long output is far up. */
  readonly faults: readonly string[];
  /** A line for each test that failed among the others and passed alone. It waits for a time or shares something: it is to be mended. */
  readonly unsteady?: readonly string[];
  /** The files of which tests did not begin before the deadline. */
  readonly leftOut?: readonly LeftOut[];
}

export interface Step {
  readonly name: string;
  run(): Promise<Outcome>;
}

/** A step that lists what is wrong; an empty list passes. */
export function check(name: string, findFaults: () => readonly string[] | Promise<readonly string[]>): Step {
  return {
    name,
    async run() {
      const faults = await findFaults();
      for (const fault of faults) console.error(fault);
      return faults.length === 0 ? { passed: 1, failed: 0, faults } : { passed: 0, failed: 1, faults };
    },
  };
}

/** Runs a program with the output going where ours goes, and returns its exit code; a signal counts as failure. */
export function exitCodeOf(
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

export function command(name: string, program: string, args: readonly string[], cwd: string): Step {
  return check(name, async () => ((await exitCodeOf(program, args, { cwd })) === 0 ? [] : [`${name} failed.`]));
}

/** Steps that do not need each other: each worker in order, all workers at the same time. Counts as one step that names what failed. */
export function inPool(workers: readonly (readonly Step[])[], print: (line: string) => void): Step {
  return {
    name: workers.map((worker) => worker.map(({ name }) => name).join(', ')).join(' | '),
    async run() {
      return sumOf(await Promise.all(workers.map((worker) => runSteps(worker, print))));
    },
  };
}

function sumOf(outcomes: readonly Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
    faults: outcomes.flatMap(({ faults }) => faults),
    unsteady: outcomes.flatMap(({ unsteady = [] }) => unsteady),
    leftOut: outcomes.flatMap(({ leftOut = [] }) => leftOut),
  };
}

/** Runs all steps, also after one has failed: one run then shows everything there is to mend. */
export async function runSteps(steps: readonly Step[], print: (line: string) => void): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  const summary: string[] = [];
  for (const step of steps) {
    print(`\n── ${step.name}`);
    const started = performance.now();
    let outcome: Outcome;
    try {
      outcome = await step.run();
    } catch (error) {
      print(error instanceof Error ? (error.stack ?? error.message) : String(error));
      outcome = { passed: 0, failed: 1, faults: [`${step.name}: ${error instanceof Error ? error.message : String(error)}`] };
    }
    outcomes.push(outcome);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    summary.push(`${outcome.failed === 0 ? 'ok    ' : 'FAILED'} ${seconds.padStart(6)} s  ${step.name}`);
  }
  print(`\n${summary.join('\n')}\n`);
  return sumOf(outcomes);
}
