import { describe, expect, it } from 'vitest';
import { usageAnswer } from './usage.ts';

describe('the command line of the bridge', () => {
  it('begins the protocol without options', () => {
    expect(usageAnswer([])).toBeUndefined();
    expect(usageAnswer(['word'])).toBeUndefined();
  });

  it.each(['--help', '-h'])('shows its usage on standard output for %s', (word) => {
    expect(usageAnswer([word])).toMatchObject({
      to: 'stdout',
      exitCode: 0,
      text: expect.stringContaining('Usage: tabularium-mcp') as string,
    });
  });

  it.each(['--version', '--token=MARKED', '-x'])('refuses %s, and writes nothing where the protocol goes', (word) => {
    const answer = usageAnswer([word]);
    expect(answer).toMatchObject({ to: 'stderr', exitCode: 2 });
    expect(answer?.text).not.toContain('MARKED');
  });
});
