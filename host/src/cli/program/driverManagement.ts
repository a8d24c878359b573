import { CONSENT_GRANTS } from '@tabularium/sdk/manifest';
import type { ConsentGrant } from '@tabularium/sdk/manifest';
import type { Command } from 'commander';
import { z } from 'zod';
import { consentGrantSchema } from '../../common/fixedOrigins.ts';
import { driverNetworkSchema, withdrawnGrantsSchema } from '../../common/driversApi.ts';
import { invalidValues } from '../../runtime/errors/invalidValues.ts';
import {
  bundledDriverSchema,
  installedDriverSchema,
  publisherKeySchema,
  publisherSchema,
  registrySchema,
} from '../../common/drivers.ts';
import type { RegistryInfo } from '../../common/drivers.ts';
import { driverId } from '../driverId.ts';
import { understood } from '../ownerApi.ts';
import type { ApiCallOptions, OwnerApi } from '../ownerApi.ts';
import { nameText } from '../output/nameText.ts';
import { textTable } from '../output/table.ts';
import { readSecrets } from '../terminal.ts';
import { UsageError } from '../usageError.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { namedPath } from './namedPath.ts';
import { print, progressNotifier, run, warn } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';
import { updateDrivers, updatesSchema } from './updateDrivers.ts';

const registriesSchema = z.object({ registries: z.array(registrySchema) });
const updateAnswer = new JsonAnswer(updatesSchema);
const versionAnswer = new JsonAnswer(installedDriverSchema);
const idSchema = installedDriverSchema.pick({ id: true });
const idAnswer = new JsonAnswer(idSchema);
const bundleAnswer = new JsonAnswer(bundledDriverSchema);
/** In turn: the list, the publisher that is trusted, the key that is revoked. */
const trustAnswer = new JsonAnswer(
  z.union([z.object({ publishers: z.array(publisherKeySchema) }), publisherSchema, publisherSchema.pick({ fingerprint: true })]),
);
/** `grants`, or `withdrawn` with `--withdraw`. */
const allowAnswer = new JsonAnswer(
  z.union([idSchema.extend({ grants: z.array(consentGrantSchema) }), idSchema.extend(withdrawnGrantsSchema.shape)]),
);
const registriesAnswer = new JsonAnswer(registriesSchema);
const networkAnswer = new JsonAnswer(driverNetworkSchema);

/** Commands for installed drivers, publishers and registries. */
export function addDriverManagement(drivers: Command, context: ProgramContext): void {
  addVersionCommands(drivers, context);
  addSwitches(drivers, context);
  addCarrying(drivers, context);
  addTrust(drivers, context);
  addGrants(drivers, context);
  addRegistries(drivers, context);
}

function addVersionCommands(drivers: Command, context: ProgramContext): void {
  drivers
    .command('update')
    .description('bring a driver, or all of them, to the newest version that can run')
    .argument('[driver]', 'the database type; all when it is left out')
    .addOption(updateAnswer)
    .action(async (driver: string | undefined, options: JsonOption) => {
      const answer = await run(context, updatesSchema, (api, calling) =>
        updateDrivers(api, driver, progressNotifier(context, options), calling),
      );
      if (options.json !== true) {
        if (answer.problem !== undefined) await warn(context, answer.problem);
        for (const { id, message } of answer.failed) await warn(context, `${id}: ${message}`);
        for (const { id, reason } of answer.passedOver) await warn(context, `${id}: ${reason}`);
        for (const { id, openSessions } of answer.updated)
          if (openSessions.length > 0)
            await warn(context, `${id}: ${openSessions.join(', ')} keep the old version until they are opened again.`);
      }
      if (answer.failed.length > 0) context.setExitCode(1);
      await print(context, options, updateAnswer, answer, () =>
        answer.updated.length === 0 && answer.failed.length === 0 && answer.passedOver.length === 0
          ? answer.problem === undefined
            ? 'Everything is up to date.\n'
            : 'No newer version was found.\n'
          : answer.updated.map(({ id, version }) => `${id} ${version}\n`).join(''),
      );
    });

  drivers
    .command('rollback')
    .description('go back to the version used before')
    .argument('<driver>', 'the database type')
    .addOption(versionAnswer)
    .action(async (driver: string, options: JsonOption) => {
      const answer = await run(context, installedDriverSchema, (api, calling) =>
        api.drivers.rollback.mutate({ driver: driverId(driver) }, calling),
      );
      await print(context, options, versionAnswer, answer, () => `${answer.id} ${answer.version}\n`);
    });

  drivers
    .command('pin')
    .description('stay with a version, whatever registries offer')
    .argument('<driver>', 'the database type')
    .argument('[version]', 'default: the one in use')
    .option('--allow-downgrade', 'go back to an older version than the one in use')
    .addOption(versionAnswer)
    .action(async (driver: string, version: string | undefined, options: JsonOption & { readonly allowDowngrade?: true }) => {
      const { allowDowngrade } = options;
      const answer = await run(context, installedDriverSchema, (api, calling) =>
        api.drivers.pin.mutate({ driver: driverId(driver), version, allowDowngrade }, calling),
      );
      await print(context, options, versionAnswer, answer, () => `${answer.id} stays at ${answer.version}\n`);
    });
}

function addSwitches(drivers: Command, context: ProgramContext): void {
  const simple = (
    word: string,
    description: string,
    procedure: 'unpin' | 'enable' | 'disable' | 'remove' | 'forgetFolder',
    said: (driver: string) => string,
  ): void => {
    drivers
      .command(word)
      .description(description)
      .argument('<driver>', 'the database type')
      .addOption(idAnswer)
      .action(async (driver: string, options: JsonOption) => {
        await run(context, z.unknown(), (api, calling) => api.drivers[procedure].mutate({ driver: driverId(driver) }, calling));
        await print(context, options, idAnswer, { id: driver }, () => `${said(driver)}\n`);
      });
  };
  simple('unpin', 'let a driver be updated again', 'unpin', (driver) => `${driver} is updated again.`);
  simple('enable', 'switch a driver on', 'enable', (driver) => `${driver} is enabled.`);
  simple('disable', 'switch a driver off; its open connections are closed', 'disable', (driver) => `${driver} is disabled.`);
  simple('remove', 'remove a driver with all its versions; its connections stay', 'remove', (driver) => `${driver} is removed.`);
  simple('unload', "forget a developer's folder", 'forgetFolder', (driver) => `${driver} is not loaded from a folder any more.`);
}

interface BundleWords extends JsonOption {
  readonly version?: string;
  readonly overwrite?: true;
}

function addCarrying(drivers: Command, context: ProgramContext): void {
  drivers
    .command('bundle')
    .description('write an installed driver to an archive that another machine installs with "install --file"')
    .argument('<driver>', 'the database type')
    .argument('[file]', 'a file, or a folder to put it in', '.')
    .option('--version <version>', 'default: the one in use')
    .option('--overwrite', 'replace the file if it exists')
    .addOption(bundleAnswer)
    .action(async (driver: string, file: string, options: BundleWords) => {
      const { version, overwrite } = options;
      const answer = await run(context, bundledDriverSchema, (api, calling) =>
        api.owner.drivers.bundle.mutate(
          { driver: driverId(driver), version, file: namedPath(context, file), overwrite: overwrite === true },
          calling,
        ),
      );
      await print(context, options, bundleAnswer, answer, () => `${answer.file}\n`);
    });

  drivers
    .command('load')
    .description('load an unsigned driver from a folder of yours, in place of the installed one')
    .argument('<folder>', 'the folder of a driver that has been built')
    .addOption(versionAnswer)
    .action(async (folder: string, options: JsonOption) => {
      const answer = await run(context, installedDriverSchema, (api, calling) =>
        api.drivers.loadFolder.mutate({ folder: namedPath(context, folder) }, calling),
      );
      if (options.json !== true) await warn(context, `${answer.id} is unsigned.`);
      await print(context, options, versionAnswer, answer, () => `${answer.id} ${answer.version}\n`);
    });
}

function addTrust(drivers: Command, context: ProgramContext): void {
  drivers
    .command('trust')
    .description('list the publishers whose keys count, trust one by its fingerprint, or revoke one')
    .argument('[fingerprint...]', 'of a key that an installation asked about, or that was revoked')
    .option('--revoke', 'nothing signed by this key is installed or loaded any more')
    .addOption(trustAnswer)
    .action(async (words: readonly string[], options: JsonOption & { readonly revoke?: true }) => {
      const fingerprint = words.join('');
      if (fingerprint === '' && options.revoke === true) throw new UsageError('Name the fingerprint of the key to revoke.');
      if (fingerprint === '') {
        const answer = {
          publishers: await run(context, z.array(publisherKeySchema), (api, calling) =>
            api.drivers.keys.query(undefined, calling),
          ),
        };
        await print(context, options, trustAnswer, answer, () =>
          answer.publishers.length === 0
            ? 'No publisher is trusted yet.\n'
            : textTable(
                [{ title: 'PUBLISHER' }, { title: 'ORIGIN' }, { title: 'STATE' }, { title: 'FINGERPRINT' }],
                answer.publishers.map((key) => [
                  nameText(key.name, key.resembles),
                  key.origin,
                  key.revokedAt === undefined ? 'trusted' : 'revoked',
                  key.fingerprint,
                ]),
              ),
        );
      } else if (options.revoke === true) {
        const keyId = keyOf(fingerprint);
        await run(context, z.unknown(), (api, calling) => api.drivers.revoke.mutate({ keyId }, calling));
        await print(context, options, trustAnswer, { fingerprint: keyId }, () => 'The key is revoked.\n');
      } else {
        const answer = await run(context, publisherSchema, (api, calling) =>
          api.drivers.trust.mutate({ keyId: keyOf(fingerprint) }, calling),
        );
        await print(context, options, trustAnswer, answer, () => `${answer.name} is trusted.\n`);
      }
    });
}

function addGrants(drivers: Command, context: ProgramContext): void {
  drivers
    .command('allow')
    .description('let a driver leave the sandbox as it asked to when it was installed or opened, or take that back')
    .argument('<driver>', 'the database type')
    .argument(
      '[grant...]',
      `what it asked for, each by name: ${CONSENT_GRANTS.join(', ')}, or an address such as https://api.example.com`,
    )
    .option('--withdraw', 'take back all that was allowed; its open connections are closed')
    .addOption(allowAnswer)
    .action(async (driver: string, words: readonly string[], options: JsonOption & { readonly withdraw?: true }) => {
      if ((words.length === 0) === (options.withdraw !== true))
        throw new UsageError('Name what to allow, or take everything back with --withdraw; one of the two.');
      if (options.withdraw === true) {
        const { withdrawn } = await run(context, withdrawnGrantsSchema, (api, calling) =>
          api.drivers.withdrawGrants.mutate({ driver: driverId(driver) }, calling),
        );
        await print(context, options, allowAnswer, { id: driver, withdrawn }, () =>
          withdrawn.length === 0
            ? `${driver} had no permission to take back.\n`
            : `${driver} isn't allowed any more: ${withdrawn.join(', ')}. Its connections are closed.\n`,
        );
        return;
      }
      const grants = words.map(grantOf);
      await run(context, z.unknown(), (api, calling) =>
        api.drivers.allowGrants.mutate({ driver: driverId(driver), grants }, calling),
      );
      await print(context, options, allowAnswer, { id: driver, grants }, () => `${driver} is allowed: ${grants.join(', ')}.\n`);
    });
}

function grantOf(word: string): ConsentGrant {
  const grant = consentGrantSchema.safeParse(word);
  if (grant.success) return grant.data;
  throw new UsageError(`A grant is one of ${CONSENT_GRANTS.join(', ')}, or an address such as https://api.example.com.`);
}

interface RegistryWords extends JsonOption {
  readonly name?: string;
  readonly scope?: readonly string[];
  readonly package?: readonly string[];
  readonly downloadOrigin?: readonly string[];
  readonly catalogueFingerprint?: string;
  readonly tokenStdin?: true;
  readonly forgetToken?: true;
}

function addRegistries(drivers: Command, context: ProgramContext): void {
  const registries = drivers.command('registries').description('the registries that drivers come from');
  const printed = (answer: { readonly registries: readonly RegistryInfo[] }): string =>
    textTable(
      [
        { title: 'ADDRESS' },
        { title: 'NAME' },
        { title: 'SCOPES' },
        { title: 'TOKEN' },
        { title: 'FROM' },
        { title: 'CATALOGUE' },
      ],
      answer.registries.map(({ url, name, scopes, hasCredential, from, catalogue }) => [
        url,
        name,
        scopes.join(' '),
        hasCredential ? 'yes' : '',
        from,
        catalogue.fingerprint === undefined ? catalogue.state : `${catalogue.state}, ${catalogue.fingerprint}`,
      ]),
    );

  registries
    .command('list')
    .description('list them in the order in which they are asked')
    .addOption(registriesAnswer)
    .action(async (options: JsonOption) => {
      const answer = await run(context, registriesSchema, listRegistries);
      if (options.json !== true)
        for (const { catalogue } of answer.registries)
          if (catalogue.problem !== undefined) await warn(context, catalogue.problem);
      await print(context, options, registriesAnswer, answer, () => printed(answer));
    });

  registries
    .command('add')
    .description('add a registry, or change the one at this address')
    .argument('<url>', 'its address')
    .option('--name <name>', 'how it is shown')
    .option('--scope <scope...>', 'ask it for packages of these scopes only')
    .option('--package <package...>', 'packages to look for, where it has no search')
    .option('--download-origin <origin...>', 'archives may come from these origins too, such as https://cdn.example')
    .option('--catalogue-fingerprint <fingerprint>', 'trust its signed catalogue only if it has this fingerprint')
    .option('--token-stdin', "read a token from standard input; kept in the operating system's secure store")
    .option('--forget-token', 'forget its token')
    .addOption(registriesAnswer)
    .action(async (url: string, options: RegistryWords) => {
      const token =
        options.tokenStdin === true
          ? (await readSecrets(context.terminal, ['token'], context.signal))[0]
          : options.forgetToken === true
            ? ''
            : undefined;
      const answer = await run(context, registriesSchema, async (api, calling) => {
        await api.drivers.saveRegistry.mutate(
          {
            url,
            name: options.name,
            scopes: [...(options.scope ?? [])],
            packages: [...(options.package ?? [])],
            ...(options.downloadOrigin === undefined ? {} : { downloadOrigins: [...options.downloadOrigin] }),
            ...(options.catalogueFingerprint === undefined ? {} : { catalogueFingerprint: options.catalogueFingerprint }),
            token,
          },
          calling,
        );
        return listRegistries(api, calling);
      });
      await print(context, options, registriesAnswer, answer, () => printed(answer));
    });

  registries
    .command('remove')
    .description('forget a registry and its token')
    .argument('<url>', 'its address')
    .addOption(registriesAnswer)
    .action(async (url: string, options: JsonOption) => {
      const answer = await run(context, registriesSchema, async (api, calling) => {
        await api.drivers.removeRegistry.mutate({ url }, calling);
        return listRegistries(api, calling);
      });
      await print(context, options, registriesAnswer, answer, () => printed(answer));
    });

  drivers
    .command('network')
    .description('show or set how registries are reached')
    .option('--offline', 'ask no registry')
    .option('--no-offline', 'ask registries again')
    .option('--proxy <url>', 'go through this proxy; empty: what the environment says')
    .option('--ca-file <file>', 'further certificate authorities (PEM); empty: none')
    .addOption(networkAnswer)
    .action(async (options: JsonOption & { readonly offline?: boolean; readonly proxy?: string; readonly caFile?: string }) => {
      const { offline, proxy, caFile } = options;
      const certificateAuthorityFile = caFile === undefined || caFile === '' ? caFile : namedPath(context, caFile);
      const answer = await run(context, driverNetworkSchema, (api, calling) =>
        changeNetwork(api, { offline, proxy, certificateAuthorityFile }, calling),
      );
      await print(
        context,
        options,
        networkAnswer,
        answer,
        () =>
          `offline: ${answer.offline ? 'yes' : 'no'}\nproxy: ${answer.proxy || 'as the environment says'}\ncertificate authorities: ${answer.certificateAuthorityFile || 'those of this computer'}\n`,
      );
    });
}

async function listRegistries(api: OwnerApi, options: ApiCallOptions): Promise<unknown> {
  return { registries: await api.drivers.registries.query(undefined, options) };
}

/** Options that are left out keep their values. */
async function changeNetwork(
  api: OwnerApi,
  change: Readonly<Record<string, boolean | string | undefined>>,
  options: ApiCallOptions,
): Promise<z.output<typeof driverNetworkSchema>> {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const before = understood(driverNetworkSchema, await api.drivers.network.query(undefined, options));
  const network = checked(driverNetworkSchema, { ...before, ...given });
  if (Object.keys(given).length > 0) await api.drivers.setNetwork.mutate(network, options);
  return network;
}

const fingerprintSchema = z.object({
  fingerprint: z
    .string()
    .transform((text) => text.replaceAll(/\s/g, '').toLowerCase())
    .refine((text) => /^[0-9a-f]{64}$/.test(text), 'A fingerprint has 64 hexadecimal digits.'),
});

/** @throws HostError `INVALID_REQUEST` */
function keyOf(fingerprint: string): string {
  return checked(fingerprintSchema, { fingerprint }).fingerprint;
}

/** @throws HostError `INVALID_REQUEST` */
function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidValues(result.error);
}
