/** The name that `tabularium-driver pack` and npm give to the archive of a package. */
export function packedArchiveName(name: string, version: string): string {
  return `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`;
}
