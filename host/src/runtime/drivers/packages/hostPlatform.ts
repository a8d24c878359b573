import { platformOf } from '@tabularium/sdk/package';

let found: string | undefined;

/** The platform of this host, as manifests name it. Found out once: the report that says which C library it has takes a few milliseconds. */
export function hostPlatform(): string {
  return (found ??= platformOf(process.platform, process.arch, process.platform === 'linux' ? glibcVersion() : undefined));
}

/** Of this process; undefined where its C library is another, such as musl. */
function glibcVersion(): string | undefined {
  // Otherwise the report looks up the names of open connections.
  Object.assign(process.report, { excludeNetwork: true });
  const { header } = process.report.getReport() as { readonly header: { readonly glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime;
}
