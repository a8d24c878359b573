import type { BundledPackage } from './bundledPackage.ts';

/** The file's name, beside the bundle that it speaks of. */
export const NOTICES_FILE = 'THIRD-PARTY-NOTICES.txt';

const RULE = '-'.repeat(80);

/**
 * The licences of everything that a package contains or needs, as text. The same packages give the same text.
 *
 * @param title - the name of the package that contains them
 */
export function thirdPartyNotices(title: string, packages: readonly BundledPackage[]): string {
  if (packages.length === 0) return `${title} contains no software of third parties.\n`;
  const parts = packages.map(({ name, version, license, author, texts }) => {
    const heading = [
      `${name} ${version}`,
      `Licence: ${license ?? 'not stated'}`,
      ...(author === undefined ? [] : [`Author: ${author}`]),
    ];
    const bodies = texts.map(({ file, text }) => `[${file}]\n\n${text}`);
    return [heading.join('\n'), ...bodies].join('\n\n');
  });
  return `${[`${title} contains or needs the following software of third parties.`, ...parts].join(`\n\n${RULE}\n\n`)}\n`;
}
