import { describe, expect, it } from 'vitest';
import { check, command, inPool, runSteps } from './steps.ts';

describe('runSteps', () => {
  it('runs what follows a failure, and sums up', async () => {
    const lines: string[] = [];
    const steps = [
      check('holds', () => []),
      check('does not hold', () => ['a reason']),
      {
        name: 'throws',
        run: (): Promise<never> => Promise.reject(new Error('broken')),
      },
      {
        name: 'has tests',
        run: async () => ({
          passed: 7,
          failed: 2,
          faults: ['one.test.ts › holds: it does not'],
          leftOut: [{ file: 'two.test.ts', count: 3, of: 4 }],
        }),
      },
      command('a program that fails', process.execPath, ['--eval', 'process.exit(3)'], import.meta.dirname),
      command('a program that ends well', process.execPath, ['--eval', ''], import.meta.dirname),
    ];
    expect(await runSteps(steps, (line) => lines.push(line))).toEqual({
      passed: 9,
      failed: 5,
      faults: ['a reason', 'throws: broken', 'one.test.ts › holds: it does not', 'a program that fails failed.'],
      unsteady: [],
      leftOut: [{ file: 'two.test.ts', count: 3, of: 4 }],
    });
    const summary = lines.at(-1) ?? '';
    expect(summary.match(/^FAILED .*$/gm)).toHaveLength(4);
    expect(summary).toMatch(/^ok {4} +\d+\.\d s {2}a program that ends well$/m);
    expect(lines.join('\n')).toContain('Error: broken');
  });
});

describe('inPool', () => {
  it('runs the workers at the same time, each in its order, and sums up', async () => {
    const began: string[] = [];
    const both = Promise.withResolvers<void>();
    const met = (name: string) =>
      check(name, async () => {
        began.push(name);
        if (began.includes('left') && began.includes('right')) both.resolve();
        // Would wait for ever if one worker waited for the other.
        await both.promise;
        return name === 'right' ? ['a reason'] : [];
      });
    const after = check('after left', () => {
      began.push('after left');
      return [];
    });
    const step = inPool([[met('left'), after], [met('right')]], () => undefined);
    expect(step.name).toBe('left, after left | right');
    expect(await step.run()).toEqual({ passed: 2, failed: 1, faults: ['a reason'], unsteady: [], leftOut: [] });
    expect(began).toEqual(['left', 'right', 'after left']);
  });
});
