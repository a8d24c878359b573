import { readFileSync } from 'node:fs';
import http from 'node:http';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import type { InputOptions, OutputOptions, Plugin } from 'rolldown';
import { visibleJsx } from './visibleJsx.ts';

/** In the repository the sdk is bundled from its source, so that no build order exists between packages. */
const conditionNames = ['tabularium:source', 'node', 'import', 'default'];

interface BundleOptions {
  readonly root: string;
  readonly input: Readonly<Record<string, string>>;
  readonly outputFolder: string;
  /** Names of packages that stay imports. Node's own modules always do. */
  readonly external: readonly string[];
  readonly format: 'es' | 'cjs';
  readonly extension: '.js' | '.cjs';
  /** One file whatever is imported dynamically; else what is shared or loaded late goes to chunks/. */
  readonly oneFile: boolean;
  /** The oldest engine that has to parse the output; the pinned Node's syntax by default. */
  readonly target?: string;
}

const HTTP = 'node:http';
/** Exports of {@link HTTP} that Node loads an HTTP client of its own for, when they are first read. */
const LATE_EXPORTS: ReadonlySet<string> = new Set(['WebSocket', 'CloseEvent', 'MessageEvent']);

/**
 * Takes `node:http` without {@link LATE_EXPORTS}: when a module imports a built-in one by name, Node reads all its exports, which took 35 ms of
 * processor time at the start of every command. What a package requires isn't read.
 */
const httpWithoutBrowserParts: Plugin = {
  name: 'http-without-browser-parts',
  resolveId: {
    filter: { id: /^node:http$/ },
    handler: (_id, _importer, { kind }) => (kind === 'require-call' ? { id: HTTP, external: true } : `\0${HTTP}`),
  },
  load: {
    filter: { id: /^\0node:http$/ },
    handler() {
      const names = Object.keys(http).filter((name) => !LATE_EXPORTS.has(name));
      return `export const { ${names.join(', ')} } = process.getBuiltinModule('${HTTP}');`;
    },
  },
};

const MISSING = "throw new Error('Not part of this bundle.');";
/** The library asks for it before anything else; only the cipher chacha20-poly1305 uses it, which is not offered. */
const POLY1305 =
  "module.exports = async () => ({ _malloc: () => 0, cwrap: () => () => { throw new Error('Not part of this bundle.'); } });";

/**
 * Takes the native parts of the SSH library for missing, as it does itself where they were not built: Node's own cryptography is used, and no part of
 * the bundle differs between machines. Its WebAssembly looks for a folder of its own, which a bundle of modules has not.
 */
const sshWithoutNativeParts: Plugin = {
  name: 'ssh-without-native-parts',
  resolveId: {
    filter: { id: /^cpu-features$|sshcrypto\.node$|^\.\/crypto\/poly1305\.js$/ },
    handler: (id) => `\0ssh:${id}`,
  },
  load: {
    filter: { id: /^\0ssh:/ },
    handler: (id) => (id.includes('poly1305') ? POLY1305 : MISSING),
  },
  // The folder of a program for PuTTY's agent on Windows, which is not used.
  transform: {
    filter: { id: /[\\/]ssh2[\\/]lib[\\/]agent\.js$/ },
    handler: (code) => `const __dirname = '';\n${code}`,
  },
};

/**
 * Bundles one program with Rolldown.
 *
 * @returns the modules that the output contains: absolute paths, and virtual ones of the bundler
 */
async function bundle(options: BundleOptions): Promise<string[]> {
  const { rolldown } = await import('rolldown');
  const es = options.format === 'es';
  const input: InputOptions = {
    cwd: options.root,
    input: { ...options.input },
    platform: 'node',
    plugins: es ? [httpWithoutBrowserParts, sshWithoutNativeParts] : [],
    external: (id) =>
      (isBuiltin(id) && !(es && id === HTTP)) || options.external.some((name) => id === name || id.startsWith(`${name}/`)),
    // A package that has both forms is taken as modules: what requires its parts by a computed name (UMD) cannot be bundled.
    resolve: { conditionNames, mainFields: ['module', 'main'] },
    ...(options.target === undefined ? {} : { transform: { target: options.target } }),
    logLevel: 'warn',
    checks: { unresolvedImport: true },
    onLog(level, log) {
      throw new Error(`${level} while bundling: ${log.message}`);
    },
  };
  const output: OutputOptions = {
    dir: options.outputFolder,
    format: options.format,
    entryFileNames: `[name]${options.extension}`,
    chunkFileNames: `chunks/[name]-[hash]${options.extension}`,
    ...(options.oneFile ? { codeSplitting: false } : {}),
  };
  const build = await rolldown(input);
  try {
    const { output: chunks } = await build.write(output);
    return chunks.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
  } finally {
    await build.close();
  }
}

/** The npm packages that npm installs beside the packed host: they stay imports. Everything else, the sdk too, is inlined. */
function runtimeDependencies(root: string): string[] {
  const json = JSON.parse(readFileSync(join(root, 'host/package.json'), 'utf8')) as { dependencies: Record<string, string> };
  return Object.keys(json.dependencies);
}

/** The command and the desktop shell: two entries that share the runtime's chunks. */
export function bundleHost(root: string, input: Record<string, string>, outputFolder: string): Promise<string[]> {
  const external = ['electron', ...runtimeDependencies(root)];
  return bundle({ root, input, outputFolder, external, format: 'es', extension: '.js', oneFile: false });
}

/** A program in one file without any package: a driver. */
export function bundleAlone(root: string, input: Record<string, string>, outputFolder: string): Promise<string[]> {
  return bundle({ root, input, outputFolder, external: [], format: 'es', extension: '.js', oneFile: true });
}

/**
 * The bridge: one file as well, and it runs on the Node of the client that starts it. As CommonJS, because it has to be there at once: a module that
 * imports Node's own modules by name has Node read all that they export, also what they load late. Measured on Node 26 for the modules of
 * the bridge: 180 ms so, 40 ms by require.
 */
export function bundleBridge(root: string, input: Record<string, string>, outputFolder: string): Promise<string[]> {
  return bundle({ root, input, outputFolder, external: [], format: 'cjs', extension: '.cjs', oneFile: true, target: 'node20' });
}

/** The program of driver processes and its launcher: CommonJS for the same reason as the bridge, but always on the pinned Node. */
export function bundleDriverProgram(root: string, input: Record<string, string>, outputFolder: string): Promise<string[]> {
  return bundle({ root, input, outputFolder, external: [], format: 'cjs', extension: '.cjs', oneFile: true });
}

/** A sandboxed preload is loaded as CommonJS, whatever package.json says: hence .cjs. */
export function bundlePreload(root: string, input: Record<string, string>, outputFolder: string): Promise<string[]> {
  return bundle({ root, input, outputFolder, external: ['electron'], format: 'cjs', extension: '.cjs', oneFile: true });
}

/** The window. @returns as {@link bundle} */
export async function bundleRenderer(root: string, outputFolder: string): Promise<string[]> {
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')]);
  // vite leaves a NODE_ENV that is set alone, and a test runner sets it to "test": the window would be React's development build. To define
  // it for the bundle is not enough: JSX would still be compiled for development, and React's production build has no such function.
  const modules = new Set<string>();
  const environment = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await build({
      configFile: false,
      root: join(root, 'host/src/renderer'),
      base: './',
      logLevel: 'error',
      mode: 'production',
      plugins: [
        visibleJsx(root),
        react(),
        {
          name: 'modules-of-the-window',
          // Styles and icons belong to packages as well; they are modules until they are assets.
          generateBundle(_options, output) {
            for (const chunk of Object.values(output))
              if (chunk.type === 'chunk') chunk.moduleIds.forEach((id) => modules.add(id));
          },
        },
      ],
      resolve: { conditions: ['tabularium:source', 'module', 'browser', 'production', 'import', 'default'] },
      build: {
        outDir: outputFolder,
        emptyOutDir: true,
        // The Content-Security-Policy of the window allows neither inline scripts nor data: URLs in scripts and fonts.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        reportCompressedSize: false,
        target: 'es2024',
      },
    });
  } finally {
    if (environment === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = environment;
  }
  return [...modules];
}
