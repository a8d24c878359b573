import type { Manifest } from '@tabularium/sdk/manifest';
import type { HostSentence } from '../../../common/hostSentences.ts';
import { hostSentence } from '../../../common/hostSentences.ts';
import { hostPlatform } from '../packages/hostPlatform.ts';
import { contractFault } from './contractFault.ts';

/** The contract and the platform that a driver has to fit. */
export interface HostTraits {
  /** Default: the contract of this host. */
  readonly contract?: string | undefined;
  /** Default: the platform of this host. */
  readonly platform?: string | undefined;
}

/**
 * Why a driver cannot run here, by its contract or its platforms; undefined when it can.
 *
 * @param driver - names the driver or its version; the same in every language
 */
export function compatibilityFault(driver: string, manifest: Manifest, host: HostTraits = {}): HostSentence | undefined {
  const fault = contractFault(driver, manifest.sdk, host.contract);
  if (fault !== undefined || manifest.platforms === undefined) return fault;
  const platform = host.platform ?? hostPlatform();
  if (manifest.platforms.includes(platform)) return undefined;
  return hostSentence('platformMissing', { driver, platform, platforms: manifest.platforms.join(', ') });
}
