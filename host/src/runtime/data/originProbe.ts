import type { SettingsValues, TestStep } from '../../common/connection.ts';
import type { SealedSecrets } from '../credentials/sealedSecrets.ts';
import type { InstalledDriver } from '../drivers/packages/installedDriver.ts';

/** Reaches a server step by step, before any driver talks to it. After a failed step the rest is reported as skipped. */
export interface OriginProbe {
  /** @param part - of a further node, its place from 0; of a further origin, its id; the first node without it */
  probe(
    driver: InstalledDriver,
    settings: SettingsValues,
    secrets: SealedSecrets,
    signal: AbortSignal,
    part?: number | string,
  ): AsyncIterable<TestStep>;
}
