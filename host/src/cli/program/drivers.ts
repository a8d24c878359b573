import type { Command } from 'commander';
import { furtherOriginLines } from '../output/furtherOriginLines.ts';
import { HostError } from '../../common/errors.ts';
import { z } from 'zod';
import { driverFormSchema, installProgressSchema, installedDriverSchema } from '../../common/drivers.ts';
import { describeFormOptions } from '../formOptions.ts';
import type { OwnerApi } from '../ownerApi.ts';
import { nameText } from '../output/nameText.ts';
import { textTable } from '../output/table.ts';
import { UsageError } from '../usageError.ts';
import { addDriverManagement } from './driverManagement.ts';
import { listDrivers, listedDriversSchema, offeredDriversSchema, searchDrivers } from './driverLists.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { namedPath } from './namedPath.ts';
import { follow, print, progressNotifier, run, warn } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';

const listAnswer = new JsonAnswer(listedDriversSchema);
const searchAnswer = new JsonAnswer(offeredDriversSchema);
const [, , , , installedStep] = installProgressSchema.options;
const downloadedSchema = installedStep.omit({ step: true }).extend({ id: installedDriverSchema.shape.id });
/** The second one with `--file`. */
const installAnswer = new JsonAnswer(z.union([downloadedSchema, installedDriverSchema]));
const optionsAnswer = new JsonAnswer(z.object({ options: z.array(z.object({ flags: z.string(), description: z.string() })) }));

interface RegistryOption extends JsonOption {
  readonly registry?: string;
}

interface InstallWords extends RegistryOption {
  readonly version?: string;
  readonly prerelease?: true;
  readonly file?: string;
  readonly allowDowngrade?: true;
}

const REGISTRY = '--registry <url>';
const REGISTRY_HELP = 'ask this registry, and no other';

export function addDriverCommands(program: Command, context: ProgramContext): void {
  const drivers = program.command('drivers').description('the drivers of database types');

  drivers
    .command('list')
    .description('list the drivers that are installed')
    .addOption(listAnswer)
    .action(async (options: JsonOption) => {
      const answer = await run(context, listedDriversSchema, listDrivers);
      if (options.json !== true) {
        for (const { id, fault } of answer.drivers) if (fault !== undefined) await warn(context, `${id}: ${fault}`);
        for (const { problem } of answer.catalogues) if (problem !== undefined) await warn(context, problem);
      }
      await print(context, options, listAnswer, answer, () =>
        answer.drivers.length === 0
          ? 'No driver is installed. Connecting installs the one it needs.\n'
          : textTable(
              [{ title: 'ID' }, { title: 'VERSION' }, { title: 'IN USE' }, { title: 'PUBLISHER' }, { title: 'INSTALLED' }],
              answer.drivers.map((driver) => [
                driver.id,
                driver.version,
                inUse(driver),
                nameText(driver.publisher.name, driver.resembles),
                driver.installedAt,
              ]),
            ),
      );
    });

  drivers
    .command('search')
    .description('list the drivers that the registries offer')
    .argument('[text...]', 'words that must occur in name, description or category')
    .option(REGISTRY, REGISTRY_HELP)
    .addOption(searchAnswer)
    .action(async (text: readonly string[], options: RegistryOption) => {
      const answer = await run(context, offeredDriversSchema, (api, calling) =>
        searchDrivers(api, text.join(' '), options.registry, calling),
      );
      if (options.json !== true) {
        if (answer.problem !== undefined) await warn(context, answer.problem);
        for (const { id, reason } of answer.drivers) if (reason !== undefined) await warn(context, `${id}: ${reason}`);
      }
      await print(context, options, searchAnswer, answer, () =>
        textTable(
          [{ title: 'ID' }, { title: 'NAME' }, { title: 'VERSION' }, { title: 'STATE' }, { title: 'WHAT IT IS' }],
          answer.drivers.map((driver) => [
            driver.id,
            nameText(driver.title, driver.resembles?.packageName),
            driver.availableVersion ?? driver.installedVersion ?? '',
            driver.state,
            driver.tagline,
          ]),
        ),
      );
    });

  drivers
    .command('install')
    .description('download, verify and install a driver, or install one from a file')
    .argument('[driver]', 'the database type, such as "tabularium drivers search" lists it')
    .option('--version <version>', 'this version instead of the newest that can run')
    .option('--prerelease', 'take a pre-release where it is newer')
    .option('--file <file>', 'install this archive (.tgz), with the same checks')
    .option('--allow-downgrade', 'go back to an older version than the one in use')
    .option(REGISTRY, REGISTRY_HELP)
    .addOption(installAnswer)
    .action(async (driver: string | undefined, options: InstallWords) => {
      const { version, prerelease, registry, file, allowDowngrade } = options;
      if ((driver === undefined) === (file === undefined))
        throw new UsageError('Name a driver, or a file with --file; one of the two.');
      for (const [option, value] of Object.entries({ version, prerelease, registry }))
        if (file !== undefined && value !== undefined)
          throw new UsageError(`--${option} chooses what a registry offers. Leave it out with --file, which holds one version.`);
      const answer =
        file === undefined
          ? await install(context, options, { driver: driver ?? '', version, prerelease, registry, allowDowngrade })
          : await run(context, installedDriverSchema, (api, calling) =>
              api.drivers.installFile.mutate({ file: namedPath(context, file), allowDowngrade }, calling),
            );
      await print(context, options, installAnswer, answer, () => `${answer.id} ${answer.version}\n`);
    });

  drivers
    .command('options')
    .description('show what "connections add" takes for a database type')
    .argument('<driver>', 'the database type')
    .addOption(optionsAnswer)
    .action(async (driver: string, options: JsonOption) => {
      const { manifest } = await run(context, driverFormSchema, (api, calling) =>
        api.owner.drivers.form.mutate({ driver }, calling),
      );
      const described = describeFormOptions(manifest);
      await print(
        context,
        options,
        optionsAnswer,
        { options: described },
        () =>
          described.map(({ flags, description }) => `  ${flags.padEnd(40)} ${description}\n`).join('') +
          furtherOriginLines(manifest),
      );
    });

  addDriverManagement(drivers, context);
}

async function install(
  context: ProgramContext,
  options: JsonOption,
  wanted: Parameters<OwnerApi['owner']['drivers']['install']['mutate']>[0],
): Promise<z.output<typeof downloadedSchema>> {
  const last = await run(context, installProgressSchema.optional(), async (api, calling) =>
    follow(await api.owner.drivers.install.mutate(wanted, calling), installProgressSchema, progressNotifier(context, options)),
  );
  if (last?.step !== 'installed') throw new HostError('INTERNAL', 'The installation ended without a result.');
  return { id: wanted.driver, version: last.version, milliseconds: last.milliseconds, publisher: last.publisher };
}

function inUse(driver: { readonly current: boolean; readonly pinned: boolean; readonly disabled: boolean }): string {
  if (!driver.current) return '';
  return ['yes', ...(driver.pinned ? ['pinned'] : []), ...(driver.disabled ? ['disabled'] : [])].join(', ');
}
