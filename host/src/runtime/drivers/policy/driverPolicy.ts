import type { ConsentGrant } from '@tabularium/sdk/manifest';
import { z } from 'zod';
import { consentGrantSchema } from '../../../common/fixedOrigins.ts';
import type { PublisherOrigin } from '../../../common/drivers.ts';
import { HostError } from '../../../common/errors.ts';
import type { HostSentence } from '../../../common/hostSentences.ts';
import { hostSentence } from '../../../common/hostSentences.ts';
import { normaliseRegistryUrl } from '../trust/registrySource.ts';
import { from } from '../../container/inject.ts';
import type { Inject } from '../../container/inject.ts';
import { token } from '../../container/inject.ts';
import { readRegularText } from '../../storage/regularFile.ts';

/** Where the administrator's policy is, or would be. */
export const POLICY_FILE = token<string>('POLICY_FILE');

const fingerprint = z
  .string()
  .transform((text) => text.replaceAll(' ', '').toLowerCase())
  .pipe(z.string().regex(/^[0-9a-f]{64}$/));

/** The administrator's policy. What is left out is allowed. */
export const policySchema = z.strictObject({
  formatVersion: z.literal(1),
  /** Addresses of the registries that may be asked. */
  registries: z.array(z.url({ protocol: /^https?$/ }).transform(normaliseRegistryUrl)).optional(),
  /** Fingerprints of keys, and `firstParty`, `localRegistry` for those. */
  publishers: z.array(z.union([z.enum(['firstParty', 'localRegistry']), fingerprint])).optional(),
  /** Ids of database types. */
  drivers: z.array(z.string()).optional(),
  /** No registry is asked at all. */
  offline: z.boolean().default(false),
  /** Unsigned drivers from folders. */
  developerFolders: z.boolean().default(true),
  /**
   * Permissions of drivers beyond the sandbox, and fixed addresses of theirs such as `https://api.example.com`, where a person grants them: those of
   * the list, all, or nothing.
   */
  widerGrants: z.union([z.boolean(), z.array(consentGrantSchema)]).optional(),
  /** Drivers run only where the kernel confines their processes too. */
  requireKernelWall: z.boolean().optional(),
});
export type Policy = z.output<typeof policySchema>;

const ALL_ALLOWED: Policy = { formatVersion: 1, offline: false, developerFolders: true };

/** Where the administrator of this computer may put a policy. People without administrator's rights cannot write there. */
export function systemPolicyFile(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return `${env['ProgramData'] ?? 'C:\\ProgramData'}\\Tabularium\\policy.json`;
  if (platform === 'darwin') return '/Library/Application Support/Tabularium/policy.json';
  return '/etc/tabularium/policy.json';
}

/**
 * Reads a policy file. One that is there and cannot be understood forbids everything: a typing error must not open what was closed.
 *
 * @returns undefined when the file doesn't exist
 * @throws HostError `POLICY_FORBIDS`
 */
export async function readPolicy(file: string): Promise<Policy | undefined> {
  let text: string;
  try {
    text = await readRegularText(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
    throw broken(file, error);
  }
  try {
    return policySchema.parse(JSON.parse(text));
  } catch (error) {
    throw broken(file, error);
  }
}

function broken(file: string, cause: unknown): HostError {
  const advice = cause instanceof z.ZodError ? z.prettifyError(cause) : undefined;
  const sentence = hostSentence('policyInvalid', { file });
  return new HostError('POLICY_FORBIDS', sentence, { cause, ...(advice === undefined ? {} : { details: { advice } }) });
}

/** The administrator's rules. The file is read each time, so that a changed file counts at once. */
export class DriverPolicy {
  static readonly inject: Inject<typeof DriverPolicy> = [from([POLICY_FILE], (file) => () => readPolicy(file))];

  readonly #read: () => Promise<Policy | undefined>;

  constructor(read: () => Promise<Policy | undefined> = async () => undefined) {
    this.#read = read;
  }

  async current(): Promise<Policy> {
    return (await this.#read()) ?? ALL_ALLOWED;
  }

  /** @throws HostError `POLICY_FORBIDS` */
  async assertDriver(id: string): Promise<void> {
    const { drivers } = await this.current();
    if (drivers?.includes(id) === false) throw new HostError('POLICY_FORBIDS', hostSentence('policyDriver', { driver: id }));
  }

  /** @throws HostError `POLICY_FORBIDS` */
  async assertPublisher(keyId: string, origin: PublisherOrigin, name: string): Promise<void> {
    const { publishers } = await this.current();
    if (publishers === undefined || publishers.some((allowed) => allowed === keyId || allowed === origin)) return;
    throw new HostError('POLICY_FORBIDS', hostSentence('policyPublisher', { publisher: name }));
  }

  /** @throws HostError `POLICY_FORBIDS` */
  async assertRegistry(url: string): Promise<void> {
    const { registries } = await this.current();
    if (registries?.includes(url) === false)
      throw new HostError('POLICY_FORBIDS', hostSentence('policyRegistry', { registry: url }));
  }

  /** @throws HostError `POLICY_FORBIDS` */
  async assertDeveloperFolders(): Promise<void> {
    if (!(await this.current()).developerFolders) throw new HostError('POLICY_FORBIDS', hostSentence('policyFolders'));
  }

  /** @throws HostError `POLICY_FORBIDS` */
  async assertGrants(id: string, grants: readonly ConsentGrant[]): Promise<void> {
    const { widerGrants = true } = await this.current();
    const refused = grants.filter((grant) => widerGrants === false || (widerGrants !== true && !widerGrants.includes(grant)));
    if (refused.length === 0) return;
    throw new HostError('POLICY_FORBIDS', hostSentence('policyGrants', { driver: id, grants: refused.join(', ') }));
  }

  /**
   * Called where the kernel does not confine drivers.
   *
   * @param reason - why not
   * @throws HostError `POLICY_FORBIDS`
   */
  async assertKernelWall(reason: HostSentence): Promise<void> {
    if ((await this.current()).requireKernelWall !== true) return;
    throw new HostError('POLICY_FORBIDS', hostSentence('policyKernelRequired', { reason }));
  }

  /** The rules as sentences for people. */
  async sentences(): Promise<readonly HostSentence[]> {
    let policy: Policy;
    try {
      policy = await this.current();
    } catch (error) {
      if (error instanceof HostError && error.sentence !== undefined) return [error.sentence];
      throw error;
    }
    const said: HostSentence[] = [];
    if (policy.offline) said.push(hostSentence('policyOffline'));
    if (policy.registries !== undefined)
      said.push(
        policy.registries.length === 0
          ? hostSentence('policyNoRegistries')
          : hostSentence('policyRegistries', { registries: policy.registries.join(', ') }),
      );
    if (policy.drivers !== undefined)
      said.push(
        policy.drivers.length === 0
          ? hostSentence('policyNoDrivers')
          : hostSentence('policyDrivers', { drivers: policy.drivers.join(', ') }),
      );
    if (policy.publishers !== undefined) said.push(hostSentence('policyPublishers', { count: policy.publishers.length }));
    const allowed = policy.widerGrants;
    if (allowed === false || (Array.isArray(allowed) && allowed.length === 0)) said.push(hostSentence('policyNoGrants'));
    else if (Array.isArray(allowed)) said.push(hostSentence('policyGrantsAllowed', { grants: allowed.join(', ') }));
    if (policy.requireKernelWall === true) said.push(hostSentence('policyKernelSandbox'));
    if (!policy.developerFolders) said.push(hostSentence('policyNoFolders'));
    return said;
  }
}
