import { registerHooks } from 'node:module';
import type { Builtins } from './builtins.ts';
import type { DriverPlace } from './driverPlace.ts';
import { endsWith, fix, hrefOf, ownString, OwnURL, sliceFrom, startsWith } from './intrinsics.ts';
import type { AllowedName } from './allowedNames.ts';
import { refusal } from './refusal.ts';

/** The scheme of the generated modules. Not `node:`: this program has imported some of Node's under that address. */
const SCHEME = 'tabularium:';
/** A module of Node that no driver can import. Its default export carries the values from this program to the generated modules. */
const CARRIER = 'node:diagnostics_channel';

/**
 * Decides about every import of the process from now on: static, dynamic, from evaluated text, through import.meta.resolve. A driver
 * can import the files of its folder and the modules of Node that stay. No other answer depends on whether a file exists.
 *
 * @param place - where the driver's own modules are
 * @returns takes a random text that can't be guessed, before the driver is loaded; no module can be imported until then
 */
export function installModuleHooks(
  place: DriverPlace,
  allowed: Readonly<Record<string, readonly AllowedName[]>>,
  builtins: Builtins,
): (secret: string) => void {
  // Only generated modules contain it, and a driver cannot read their text.
  let secret: string | undefined;
  const carrier = process.getBuiltinModule(CARRIER);
  const sources = Object.create(null) as Record<string, string>;

  registerHooks({
    resolve(specifier, context) {
      if (secret === undefined) throw refusal('No driver is here yet.');
      if (specifier === secret) return result({ url: CARRIER, format: 'builtin' });
      const name = builtins.named(specifier);
      if (name !== undefined) return result({ url: `${SCHEME}${name}`, format: 'module' });
      const { root } = place;
      const url = fileUrl(specifier, ownString(context, 'parentURL') ?? root);
      if (url === undefined || !startsWith(url, root)) throw refusal(outsideProblem(specifier));
      const format = formatOf(url);
      if (format === undefined) throw refusal(formatProblem(specifier));
      return result({ url, format });
    },
    load(url, context, nextLoad) {
      if (url === CARRIER) return nextLoad(url, context);
      if (startsWith(url, SCHEME)) return result({ format: 'module', source: sources[sliceFrom(url, SCHEME.length)] });
      if (!startsWith(url, place.root)) throw refusal(outsideProblem(url));
      return result({ format: formatOf(url), source: place.source(url) });
    },
  });
  return (unguessable) => {
    if (secret !== undefined) throw new Error('A process takes one driver.');
    secret = `tabularium-${unguessable}`;
    fix(carrier, secret, (name: string) => builtins.exports(name));
    // Made now: later a driver could have a hand in it.
    for (const name of Object.keys(allowed)) sources[name] = sourceOf(secret, name, allowed[name] ?? []);
  };
}

/** The result of a hook, with no prototype through which a driver could add to it. */
function result<T extends object>(members: T): T & { shortCircuit: true } {
  return { __proto__: null, ...members, shortCircuit: true };
}

/** The format of a file by its ending: a driver's folder is read as ES modules, JSON and WebAssembly, and as nothing else. */
function formatOf(url: string): 'module' | 'json' | 'wasm' | undefined {
  if (endsWith(url, '.js') || endsWith(url, '.mjs')) return 'module';
  if (endsWith(url, '.json')) return 'json';
  return endsWith(url, '.wasm') ? 'wasm' : undefined;
}

function outsideProblem(specifier: string): string {
  return `The driver imports "${specifier}", which isn't a file in its folder. Bundle its dependencies into one ES module.`;
}

function formatProblem(specifier: string): string {
  return `The driver imports "${specifier}". Import .js and .mjs (ES modules), .json or .wasm files.`;
}

/** The address of a file that an import names, `..` resolved; undefined for packages and other schemes. No file is asked. */
function fileUrl(specifier: string, parent: string): string | undefined {
  const relative = startsWith(specifier, './') || startsWith(specifier, '../') || startsWith(specifier, '/');
  if (!relative && !startsWith(specifier, 'file:')) return undefined;
  try {
    return hrefOf(new OwnURL(specifier, parent));
  } catch {
    return undefined;
  }
}

/** The text of an ES module that exports what a driver may have of a module of Node. */
function sourceOf(secret: string, module: string, allowed: readonly AllowedName[]): string {
  const lines = allowed.map(({ name }, index) => `const v${index} = values.${name};`);
  const exported = allowed.map(({ name }, index) => `v${index} as ${name}`);
  return [
    `import transport from '${secret}';`,
    `const values = transport['${secret}']('${module}');`,
    ...lines,
    `export { ${exported.join(', ')} };`,
    'export default values;',
  ].join('\n');
}
