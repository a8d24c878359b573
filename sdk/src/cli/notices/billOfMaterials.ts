/** The file's name, beside the bundle that it speaks of: the ending that tools for CycloneDX look for. */
export const BILL_OF_MATERIALS_FILE = 'sbom.cdx.json';

/** The entry of a package in a bill of materials. */
export interface Component {
  readonly name: string;
  readonly version: string;
  readonly license?: string | undefined;
}

/**
 * A software bill of materials: CycloneDX 1.5 as JSON, the form that `npm sbom` writes. It has neither a date nor a serial number, so that the
 * same packages give the same bytes and a package that is built again is the same package.
 *
 * @param of - the package that contains them
 * @param type - an application runs; a library is imported
 */
export function billOfMaterials(of: Component, type: 'application' | 'library', packages: readonly Component[]): string {
  const references = packages.map(packageUrl);
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { lifecycles: [{ phase: 'build' }], component: component(of, type) },
    components: packages.map((bundled) => component(bundled, 'library')),
    dependencies: [{ ref: packageUrl(of), dependsOn: references }, ...references.map((ref) => ({ ref, dependsOn: [] }))],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The package URL of an npm package. Source: the purl specification, type npm. */
export function packageUrl({ name, version }: Component): string {
  return `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`;
}

function component(described: Component, type: 'application' | 'library'): Record<string, unknown> {
  const { name, version, license } = described;
  const purl = packageUrl(described);
  return { 'bom-ref': purl, type, name, version, purl, ...(license === undefined ? {} : { licenses: [licence(license)] }) };
}

function licence(stated: string): Record<string, unknown> {
  if (/^[A-Za-z0-9.+-]+$/.test(stated)) return { license: { id: stated } };
  return / (?:OR|AND|WITH) /.test(stated) ? { expression: stated } : { license: { name: stated } };
}
