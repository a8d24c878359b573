import { platformOf } from '../../package/platforms.ts';

/** The platform of this machine, as manifests name it. */
export function ownPlatform(): string {
  return platformOf(process.platform, process.arch, process.platform === 'linux' ? glibcVersion() : undefined);
}

/** Of this process; undefined where its C library is another, such as musl. */
function glibcVersion(): string | undefined {
  // Otherwise the report looks up the names of open connections.
  Object.assign(process.report, { excludeNetwork: true });
  const { header } = process.report.getReport() as { readonly header: { readonly glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime;
}
