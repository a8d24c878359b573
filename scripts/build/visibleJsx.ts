import { join } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Compiles all JSX of the window, that of the component library included, to the house's own runtime, which makes hidden characters in text and
 * attributes visible.
 */
export function visibleJsx(root: string): Plugin {
  const folder = join(root, 'host/src/renderer/text');
  const runtimes = new Map([
    ['react/jsx-runtime', join(folder, 'jsxRuntime.ts')],
    ['react/jsx-dev-runtime', join(folder, 'jsxDevRuntime.ts')],
  ]);
  return {
    name: 'visible-jsx',
    enforce: 'pre',
    // The house's runtime itself needs React's.
    resolveId: (source, importer) => (importer?.startsWith(folder) === true ? undefined : runtimes.get(source)),
  };
}
