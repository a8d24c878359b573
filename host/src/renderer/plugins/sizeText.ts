import type { DriverDetails } from '../../common/drivers.ts';
import { strings } from '../i18n/index.ts';

/** The size of a driver. Before the download it is a number of the registry's, which nothing has checked yet. */
export function sizeText(bytes: number, { sizeClaimed }: Pick<DriverDetails, 'sizeClaimed'>): string {
  return sizeClaimed === undefined
    ? strings.plugins.bytes(bytes)
    : strings.plugins.claimedSize(bytes, sizeClaimed.withPlatformFiles);
}
