import { readFile } from 'node:fs/promises';
import { WIDER_GRANTS } from '@tabularium/sdk/manifest';
import type { WiderGrant } from '@tabularium/sdk/manifest';
import { z } from 'zod';
import type { PublisherOrigin } from '../../../common/drivers.ts';
import { HostError } from '../../../common/errors.ts';
import { normaliseRegistryUrl } from '../trust/registrySource.ts';
import { from } from '../../container/inject.ts';
import type { Inject } from '../../container/inject.ts';
import { token } from '../../container/inject.ts';

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
  /** What drivers may be given beyond the sandbox, where a person allows it: those of the list, all, or nothing. */
  widerGrants: z.union([z.boolean(), z.array(z.enum(WIDER_GRANTS))]).optional(),
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
 * @returns undefined when there is no such file
 * @throws HostError `POLICY_FORBIDS`
 */
export async function readPolicy(file: string): Promise<Policy | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
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
  const why = cause instanceof z.ZodError ? ` ${z.prettifyError(cause)}` : '';
  return new HostError('POLICY_FORBIDS', `The policy file ${file} is invalid, so drivers are disabled.${why}`, { cause });
}

/** What the administrator allows. Asked anew each time, so that a changed file counts at once. */
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
    if (drivers?.includes(id) === false)
      throw new HostError('POLICY_FORBIDS', `The administrator of this computer has disabled the driver "${id}".`);
  }

  /** @throws HostError `POLICY_FORBIDS` */
  async assertPublisher(keyId: string, origin: PublisherOrigin, name: string): Promise<void> {
    const { publishers } = await this.current();
    if (publishers === undefined || publishers.some((allowed) => allowed === keyId || allowed === origin)) return;
    throw new HostError('POLICY_FORBIDS', `The administrator of this computer has disabled drivers by "${name}".`);
  }

  /** @throws HostError `POLICY_FORBIDS` */
  async assertRegistry(url: string): Promise<void> {
    const { registries } = await this.current();
    if (registries?.includes(url) === false)
      throw new HostError('POLICY_FORBIDS', `The administrator of this computer has disabled the registry ${url}.`);
  }

  /** @throws HostError `POLICY_FORBIDS` */
  async assertDeveloperFolders(): Promise<void> {
    if (!(await this.current()).developerFolders)
      throw new HostError('POLICY_FORBIDS', 'The administrator of this computer has disabled unsigned drivers from folders.');
  }

  /** @throws HostError `POLICY_FORBIDS` */
  async assertGrants(id: string, grants: readonly WiderGrant[]): Promise<void> {
    const { widerGrants = true } = await this.current();
    const refused = grants.filter((grant) => widerGrants === false || (widerGrants !== true && !widerGrants.includes(grant)));
    if (refused.length === 0) return;
    throw new HostError(
      'POLICY_FORBIDS',
      `The administrator of this computer has disabled the permission that the driver "${id}" needs (${refused.join(', ')}).`,
    );
  }

  /**
   * Called where the kernel does not confine drivers.
   *
   * @param reason - why not, in one sentence
   * @throws HostError `POLICY_FORBIDS`
   */
  async assertKernelWall(reason: string): Promise<void> {
    if ((await this.current()).requireKernelWall !== true) return;
    throw new HostError(
      'POLICY_FORBIDS',
      `The administrator of this computer allows drivers only inside the kernel sandbox, and this computer has none. ${reason}`,
    );
  }

  /** What it says, in sentences for people. */
  async sentences(): Promise<readonly string[]> {
    let policy: Policy;
    try {
      policy = await this.current();
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
    const said: string[] = [];
    if (policy.offline) said.push("Registries aren't used: this computer works offline.");
    if (policy.registries !== undefined) said.push(`Allowed registries: ${policy.registries.join(', ') || 'none'}.`);
    if (policy.drivers !== undefined) said.push(`Allowed drivers: ${policy.drivers.join(', ') || 'none'}.`);
    if (policy.publishers !== undefined) said.push(`Drivers of ${policy.publishers.length} publishers are allowed, no others.`);
    if (policy.widerGrants === false) said.push("Drivers can't leave the sandbox.");
    else if (Array.isArray(policy.widerGrants))
      said.push(`You can grant drivers outside the sandbox: ${policy.widerGrants.join(', ') || 'nothing'}.`);
    if (policy.requireKernelWall === true) said.push('Drivers run only inside the kernel sandbox.');
    if (!policy.developerFolders) said.push('Unsigned drivers from folders are not allowed.');
    return said;
  }
}
