import type { Manifest, WiderGrant } from '@tabularium/sdk/manifest';
import type { PublisherInfo } from '../../../common/drivers.ts';

/** A driver version that stands verified on disk. */
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
  /** What it may be started with beyond the sandbox: what a person has allowed. Absent: nothing. */
  readonly allowedGrants?: readonly WiderGrant[];
}
