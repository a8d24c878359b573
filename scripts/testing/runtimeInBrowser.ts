import type { Plugin } from 'vite';

// Component tests run the host's router in the page, over services in memory. The router itself needs nothing of Node; what reports its errors
// imports these few names, which only a real host ever calls.

const REFUSE = 'const refuse = () => { throw new Error("A page has no files."); };';

const MODULES: Readonly<Record<string, string>> = {
  'node:fs': `${REFUSE} export { refuse as closeSync, refuse as existsSync, refuse as openSync, refuse as readFileSync, refuse as statfsSync };`,
  'node:os': 'export const devNull = "/dev/null";',
  'node:path': `${REFUSE} export const sep = "/"; export { refuse as dirname, refuse as join };`,
  'node:crypto': 'export const randomUUID = () => globalThis.crypto.randomUUID();',
};

const HOST_PACKAGE = /\/runtime\/program\/hostPackage\.ts$/;

/** Gives a page what the host's router imports of Node. */
export function runtimeInBrowser(): Plugin {
  return {
    name: 'runtime-in-browser',
    enforce: 'pre',
    resolveId: (source) => (source in MODULES ? `\0runtime-in-browser:${source}` : undefined),
    load(id) {
      if (HOST_PACKAGE.test(id)) return 'export const hostPackage = () => ({ folder: "/", version: "0.0.0" });';
      return MODULES[id.replace('\0runtime-in-browser:', '')];
    },
  };
}
