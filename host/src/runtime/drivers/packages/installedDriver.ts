import type { Manifest, ConsentGrant } from '@tabularium/sdk/manifest';
import type { PublisherInfo } from '../../../common/drivers.ts';

/** A driver version that is verified on disk. */
export interface InstalledDriver {
  readonly id: string;
  readonly packageName: string;
  readonly version: string;
  /** The real path of `drivers/<id>/<version>`. */
  readonly folder: string;
  /** The file in `folder` that exports `driver`. */
  readonly entry: string;
  readonly manifest: Manifest;
  readonly publisher: PublisherInfo;
  readonly installedAt: string;
  /** Its permissions beyond the sandbox, which a person has granted. Absent: none. */
  readonly allowedGrants?: readonly ConsentGrant[];
}
