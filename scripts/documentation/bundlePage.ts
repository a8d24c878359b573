import { join } from 'node:path';

/** The scripts of the site, by their names in it. The first runs before a page is drawn, as a module would not. */
const SCRIPTS = [
  { name: 'colors', format: 'iife' },
  { name: 'site', format: 'es' },
] as const;

/** Bundles the scripts of the site. @returns the modules of packages that they contain: their own are of no package of npm */
export async function bundlePage(root: string, outputFolder: string): Promise<readonly string[]> {
  const { rolldown } = await import('rolldown');
  const modules: string[] = [];
  for (const { name, format } of SCRIPTS) {
    const build = await rolldown({
      cwd: root,
      input: { [name]: join(root, 'scripts/documentation/page', `${name}.ts`) },
      platform: 'browser',
      transform: { target: 'es2024' },
      logLevel: 'warn',
      onLog(level, log) {
        throw new Error(`${level} while bundling: ${log.message}`);
      },
    });
    try {
      const options = { dir: outputFolder, format, entryFileNames: '[name].js', codeSplitting: false, minify: true } as const;
      const { output } = await build.write(options);
      modules.push(...output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : [])));
    } finally {
      await build.close();
    }
  }
  return modules.filter((id) => id.split(/[\\/]/).includes('node_modules'));
}
