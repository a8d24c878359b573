import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BILL_OF_MATERIALS_FILE, billOfMaterials } from './billOfMaterials.ts';
import type { BundledPackage } from './bundledPackage.ts';
import { readPackage } from './bundledPackage.ts';
import { NOTICES_FILE, thirdPartyNotices } from './thirdPartyNotices.ts';

/** The files that accompany a bundle: file names relative to the bundle's folder. */
export const NOTICE_FILES: readonly string[] = [NOTICES_FILE, BILL_OF_MATERIALS_FILE];

/**
 * Writes the notices and the bill of materials of a package beside its bundle.
 *
 * @param own - the folder of the package
 * @param folder - where the bundle is, which exists
 */
export async function writeNotices(
  own: string,
  folder: string,
  type: 'application' | 'library',
  packages: readonly BundledPackage[],
): Promise<void> {
  const { name, version, license } = await readPackage(own);
  await writeFile(join(folder, NOTICES_FILE), thirdPartyNotices(`${name}`, packages));
  await writeFile(join(folder, BILL_OF_MATERIALS_FILE), billOfMaterials({ name, version, license }, type, packages));
}
