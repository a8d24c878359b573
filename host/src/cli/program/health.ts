import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import { HOST_STATUSES, hostHealthSchema } from '../../common/hostHealth.ts';
import { connectToHost } from '../../runtime/ownerSocket/connectToHost.ts';
import { readEndpoint } from '../../runtime/ownerSocket/endpoint.ts';
import { ask, ownerApi } from '../ownerApi.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { print, wholeNumber } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';

const statusSchema = z.enum([...HOST_STATUSES, 'stopped', 'silent']);
type Status = z.output<typeof statusSchema>;
const healthAnswer = new JsonAnswer(z.object({ status: statusSchema }));

/** A host that works answers within this. Milliseconds. */
const PATIENCE_MILLISECONDS = 5_000;
const LOOK_AGAIN_MILLISECONDS = 200;
const LONGEST_WAIT_SECONDS = 600;

const TEXTS: Readonly<Record<Status, string>> = {
  starting: 'The host is starting.',
  ready: 'The host is ready.',
  stopping: 'The host is stopping.',
  stopped: 'No host is running in this data directory.',
  silent: `The host did not answer within ${PATIENCE_MILLISECONDS / 1_000} seconds.`,
};

interface HealthWords extends JsonOption {
  readonly wait?: number;
}

/** The command for units and containers. It starts no runtime of its own, which every other command does where no host runs. */
export function addHealthCommand(program: Command, context: ProgramContext): void {
  program
    .command('health')
    .description('say whether the host of this data directory can be used; exit code 1 when it cannot')
    .option('--wait <seconds>', 'wait until it can', wholeNumber('--wait', 0, LONGEST_WAIT_SECONDS))
    .addOption(healthAnswer)
    .action(async (options: HealthWords) => {
      const deadline = performance.now() + (options.wait ?? 0) * 1_000;
      let status = await statusOf(context);
      while (status !== 'ready' && performance.now() < deadline) {
        await delay(LOOK_AGAIN_MILLISECONDS, undefined, { signal: context.signal });
        status = await statusOf(context);
      }
      if (status !== 'ready') context.setExitCode(1);
      await print(context, options, healthAnswer, { status }, () => `${TEXTS[status]}\n`);
    });
}

async function statusOf(context: ProgramContext): Promise<Status> {
  const late = AbortSignal.timeout(PATIENCE_MILLISECONDS);
  const signal = AbortSignal.any([context.signal, late]);
  try {
    const endpoint = await readEndpoint(await context.home());
    // A command that runs the runtime itself ends soon.
    if (endpoint?.lifetime !== 'host') return 'stopped';
    const host = await connectToHost(endpoint, signal);
    if (host === undefined) return 'stopped';
    const api = ownerApi(host.handler);
    return (await ask(api, hostHealthSchema, () => api.owner.health.query(undefined, { signal }), { signal })).status;
  } catch (error) {
    context.signal.throwIfAborted();
    if (late.aborted) return 'silent';
    throw error;
  }
}
