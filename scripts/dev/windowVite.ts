import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import type { Plugin, ViteDevServer } from 'vite';
import { visibleJsx } from '../build/visibleJsx.ts';
import { workFolder } from '../paths.ts';

/** The placeholder in the page for the nonce of the window's transport. */
const NONCE_PLACE = '__CSP_NONCE__';

/** Whether a module exports components and nothing else. React Refresh can replace no other: the page would load again. */
export function exportsComponents(source: string): boolean {
  if (/^export [{*]/m.test(source)) return false;
  const names = [...source.matchAll(/^export (?:async )?(?:function|const|let|class) (\w+)/gm)].map(([, name = '']) => name);
  return names.length > 0 && names.every((name) => /^[A-Z]\w*[a-z]/.test(name));
}

/**
 * Applies a changed string without a reload: the new catalogue replaces the strings in place, and every component that is loaded renders again with
 * its state. The module of the strings accepts the catalogues; they cannot accept themselves, because it imports them.
 */
function hotStrings(rendererFolder: string): Plugin {
  const folder = join(rendererFolder, 'i18n');
  const accepted = ['en', 'de'].map(
    (language) => `import.meta.hot.accept('./${language}/index.ts', (next) => {
  if (next !== undefined && document.documentElement.lang === '${language}') speakWords(next.${language});
});`,
  );
  return {
    name: 'hot-strings',
    apply: 'serve',
    transform: (code, id) => (id === join(folder, 'index.ts') ? [code, ...accepted].join('\n') : undefined),
    hotUpdate({ file, modules }) {
      if (!/^\/\w+\/\w+\.ts$/.test(file.slice(folder.length)) || !file.startsWith(folder)) return undefined;
      const loaded = [...this.environment.moduleGraph.idToModuleMap.values()];
      const components = loaded.filter(
        ({ file: path, isSelfAccepting }) =>
          isSelfAccepting === true && path?.startsWith(rendererFolder) === true && exportsComponents(readFileSync(path, 'utf8')),
      );
      return [...modules, ...components];
    },
  };
}

export interface WindowSource {
  /** The repository. */
  readonly root: string;
  /** Where packages are kept as they were compiled for the page. Default: in the work folder. */
  readonly cacheFolder?: string;
  /** Whether to look through the sources for packages to compile, at the start. Default: true. */
  readonly findPackages?: boolean;
}

export interface WindowViteOptions extends WindowSource {
  /** The path under which the page and its modules are served; begins and ends with a slash. */
  readonly base: string;
  /** Receives `upgrade` events of the hot-reload connection. It never listens. */
  readonly upgrades: Server;
}

/** The Vite server of the window, without a port of its own: the caller passes requests to its middlewares. */
export async function startWindowVite(options: WindowViteOptions): Promise<ViteDevServer> {
  const { root, base, upgrades, cacheFolder = join(workFolder, 'vite'), findPackages = true } = options;
  const [{ createServer }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')]);
  const rendererFolder = join(root, 'host/src/renderer');
  return createServer({
    configFile: false,
    root: rendererFolder,
    base,
    cacheDir: cacheFolder,
    appType: 'custom',
    logLevel: 'warn',
    clearScreen: false,
    plugins: [visibleJsx(root), hotStrings(rendererFolder), react()],
    resolve: { conditions: ['tabularium:source', 'module', 'browser', 'development', 'import', 'default'] },
    html: { cspNonce: NONCE_PLACE },
    // The component library is compiled to the house's JSX runtime as well.
    optimizeDeps: { noDiscovery: !findPackages, rolldownOptions: { plugins: [visibleJsx(root)] } },
    server: {
      middlewareMode: true,
      hmr: { server: upgrades },
      fs: { strict: true, allow: [join(root, 'host/src'), join(root, 'sdk/src'), join(root, 'node_modules'), workFolder] },
    },
  });
}
