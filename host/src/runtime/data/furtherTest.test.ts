import { DriverError } from '@tabularium/sdk';
import { describe, expect, it } from 'vitest';
import type { TestStep } from '../../common/connection.ts';
import { furtherOrigin, manifestWith } from '../drivers/broker/credentials/credentials.test-helper.ts';
import { testFurther } from './furtherTest.ts';

const manifest = manifestWith(
  [],
  [furtherOrigin('boards'), furtherOrigin('cloud', [], { origin: 'https://api.example.com', label: 'Cloud API' })],
);

type Answer = 'there' | 'unreachable' | DriverError;

async function steps(
  settings: object,
  answers: Record<string, Answer>,
  signal = new AbortController().signal,
): Promise<TestStep[]> {
  const probe = {
    async *probe(_driver: unknown, _settings: unknown, _secrets: unknown, _signal: AbortSignal, part: string) {
      const answer = answers[part];
      if (answer instanceof Error) throw answer;
      yield { id: 'name', label: 'Name', outcome: 'ok', message: 'Found.' } satisfies TestStep;
      if (answer === 'unreachable')
        yield { id: 'tcp', label: 'TCP', outcome: 'failed', message: 'Nothing is listening there.' } satisfies TestStep;
    },
  };
  const found: TestStep[] = [];
  for await (const step of testFurther(probe, { driver: { manifest }, settings, secrets: {}, signal } as never))
    if (step.outcome !== 'running') found.push(step);
  return found;
}

describe('the test of further origins', () => {
  it('has a step for each, by its label', async () => {
    expect(await steps({ host2: 'boards.example', port2: 5_601, mode: 'tls' }, {})).toMatchObject([
      { id: 'origin-boards', label: 'The boards', outcome: 'ok', message: 'Connected to https://boards.example:5601.' },
      { id: 'origin-cloud', label: 'Cloud API', outcome: 'ok', message: 'Connected to https://api.example.com:443.' },
    ]);
  });

  it('warns where one is not reached, and says so of one that the form leaves empty', async () => {
    expect(await steps({}, { cloud: 'unreachable' })).toMatchObject([
      {
        label: 'The boards',
        outcome: 'skipped',
        message: "The form has no address for it, so the driver can't send requests there.",
      },
      { label: 'Cloud API', outcome: 'warning', message: 'Nothing is listening there.' },
    ]);
    expect(await steps({}, { cloud: new DriverError('CREDENTIALS_MISSING', 'The key is missing.') })).toMatchObject([
      {},
      { label: 'Cloud API', outcome: 'warning', message: expect.stringContaining('The key is missing.') as string },
    ]);
  });

  it('ends when it is cancelled', async () => {
    await expect(steps({}, { cloud: new DriverError('CANCELLED') }, AbortSignal.abort())).rejects.toThrow();
  });
});
