import { join } from 'node:path';
import { visibleText } from '@tabularium/sdk';
import type { Command } from 'commander';
import { z } from 'zod';
import {
  METRICS_TOKEN_FILE,
  readMetricsToken,
  removeMetricsToken,
  writeMetricsToken,
} from '../../runtime/measures/metricsToken.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { print } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';

const metricsAnswer = new JsonAnswer(
  z.object({
    on: z.boolean(),
    /** The file of the token. */
    tokenFile: z.string().nullable(),
  }),
);

/** The metrics are on while the file of their token is there, so that no host needs to run. */
export function addMetricsCommands(program: Command, context: ProgramContext): void {
  const metrics = program.command('metrics').description("the host's own metrics for Prometheus; off by default");
  const say = async (options: JsonOption, tokenFile: string | null): Promise<void> =>
    print(context, options, metricsAnswer, { on: tokenFile !== null, tokenFile }, () =>
      tokenFile === null
        ? 'The metrics are off.\n'
        : `The metrics are on: GET /metrics on the port of the window, with the token in ${visibleText(tokenFile, 'name', 4_096)}.\n`,
    );
  const folder = async (): Promise<string> => (await context.home()).folder;

  metrics
    .command('show', { isDefault: true })
    .description('say whether they are on')
    .addOption(metricsAnswer)
    .action(async (options: JsonOption) => {
      const home = await folder();
      await say(options, (await readMetricsToken(home)) === undefined ? null : join(home, METRICS_TOKEN_FILE));
    });
  metrics
    .command('on')
    .description('switch them on with a new token; one from before is void')
    .addOption(metricsAnswer)
    .action(async (options: JsonOption) => say(options, await writeMetricsToken(await folder())));
  metrics
    .command('off')
    .description('switch them off')
    .addOption(metricsAnswer)
    .action(async (options: JsonOption) => {
      await removeMetricsToken(await folder());
      await say(options, null);
    });
}
