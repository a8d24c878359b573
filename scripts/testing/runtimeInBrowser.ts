import { isBuiltin } from 'node:module';
import type { Plugin } from 'vite';

// Component tests run the host's router in the page, over services in memory. Modules around the router import names of Node that only a
// real host calls. Here each of them can be imported; those few that are called in a page do their work, all others throw.

const PREFIX = '\0runtime-in-browser:';

const DO_THEIR_WORK: Readonly<Record<string, string>> = {
  'node:crypto': 'export const randomUUID = () => globalThis.crypto.randomUUID();',
  'node:os': 'export const devNull = "/dev/null";',
  'node:path': 'export const sep = "/"; export const join = (...parts) => parts.join("/");',
};

const HOST_PACKAGE = /\/runtime\/program\/hostPackage\.ts$/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Gives a page what the host's router imports of Node. */
export function runtimeInBrowser(): Plugin {
  return {
    name: 'runtime-in-browser',
    enforce: 'pre',
    resolveId: (source) => (source.startsWith('node:') && isBuiltin(source) ? PREFIX + source : undefined),
    async load(id) {
      if (HOST_PACKAGE.test(id)) return 'export const hostPackage = () => ({ folder: "/", version: "0.0.0" });';
      if (!id.startsWith(PREFIX)) return undefined;
      const name = id.slice(PREFIX.length);
      const works = DO_THEIR_WORK[name] ?? '';
      const module = (await import(name)) as Readonly<Record<string, unknown>>;
      const others = Object.keys(module).filter((key) => IDENTIFIER.test(key) && !works.includes(`const ${key} `));
      // A function, not an arrow: some of the names are classes that others extend.
      const refuse = `function refuse() { throw new Error("A page has no ${name}."); }`;
      return `${works}\n${refuse}\nexport { ${others.map((key) => `refuse as ${key}`).join(', ')} };`;
    },
  };
}
