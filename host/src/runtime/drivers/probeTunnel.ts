import { DriverError } from '@tabularium/sdk';
import type { TestStep } from '../../common/connection.ts';
import { HostError } from '../../common/errors.ts';
import { englishOf, hostSentence } from '../../common/hostSentences.ts';
import { failing } from '../data/testSentence.ts';
import { UnknownHostKeyError } from './tunnels/hostKeys.ts';
import type { Tunnel, TunnelStep } from './broker/tunnel.ts';

const STEPS = [
  { id: 'sshReached', label: 'SSH server' },
  { id: 'sshHostKey', label: 'SSH host key' },
  { id: 'sshSignIn', label: 'SSH sign-in' },
] as const;

/**
 * Opens a tunnel, one step after the other, for Test Connection. A proxy has no steps of its own: it is reached with the server.
 *
 * @returns whether it is open
 * @throws UnknownHostKeyError, which a person has to answer, and DriverError `CANCELLED`
 */
export async function* probeTunnel(tunnel: Tunnel, signal: AbortSignal): AsyncGenerator<TestStep, boolean, undefined> {
  if (tunnel.kind === 'socks') return true;
  const done: (TunnelStep & { readonly milliseconds: number })[] = [];
  let began = performance.now();
  let failure: unknown;
  yield { ...STEPS[0], outcome: 'running', message: '' };
  try {
    await tunnel.ready(signal, (step) => {
      const now = performance.now();
      done.push({ ...step, milliseconds: Math.round(now - began) });
      began = now;
    });
  } catch (error) {
    if (signal.aborted) throw new DriverError('CANCELLED', undefined, { cause: error });
    failure = error ?? new HostError('INTERNAL');
  }
  for (const { id, label } of STEPS) {
    const step = done.find((one) => one.id === id);
    if (step !== undefined) {
      const { sentence, milliseconds } = step;
      yield { id, label, outcome: 'ok', message: englishOf(sentence), sentence, milliseconds };
    } else if (failure === undefined) continue;
    else {
      yield { id, label, outcome: 'failed', ...failing(failure), milliseconds: Math.round(performance.now() - began) };
      if (failure instanceof UnknownHostKeyError) throw failure;
      for (const later of STEPS.slice(STEPS.findIndex((one) => one.id === id) + 1)) {
        const sentence = hostSentence('testSkipped');
        yield { ...later, outcome: 'skipped', message: englishOf(sentence), sentence };
      }
      return false;
    }
  }
  return failure === undefined;
}
