import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { importProblem } from '@tabularium/sdk/protocol';
import { create, defineProperty, endsWith, startsWith } from './intrinsics.ts';
import type { AllowedName } from './allowedNames.ts';
import { refusal } from './refusal.ts';
import { REPLACED_EXPORTS } from './replacedExports.ts';

type Exports = Record<string, unknown>;

export interface BuiltinsOptions {
  readonly allowed: Readonly<Record<string, readonly AllowedName[]>>;
  readonly console: object;
  readonly process: object;
  readonly performance: object;
  /** Whether native code may be loaded. */
  readonly addons: boolean;
  /** Why a module that other drivers have is missing, by its name without `node:`. The object has no prototype. */
  readonly missing: Readonly<Record<string, string>>;
}

/**
 * Node's modules, cut to what a driver may have of them. They are made when they are first imported, when the driver may have replaced every
 * method of the language; so nothing here calls one by its name on a prototype.
 */
export class Builtins {
  readonly #options: BuiltinsOptions;
  readonly #real: (name: string) => unknown;
  readonly #dlopen: NodeJS.Process['dlopen'];
  /** From every specifier of Node's modules to the name without `node:`. */
  readonly #specifiers = create(null) as Record<string, string>;
  readonly #made = create(null) as Record<string, Exports>;

  constructor(options: BuiltinsOptions) {
    this.#options = options;
    this.#real = process.getBuiltinModule.bind(process);
    this.#dlopen = process.dlopen.bind(process);
    for (const name of builtinModules) {
      const plain = name.startsWith('node:') ? name.slice('node:'.length) : name;
      this.#specifiers[name] = plain;
      this.#specifiers[`node:${plain}`] = plain;
    }
    this.#made['process'] = options.process as Exports;
    this.#made['console'] = options.console as Exports;
    this.#made['perf_hooks'] = { performance: options.performance };
    this.#made['module'] = {
      createRequire: () => this.require,
      isBuiltin: (specifier: unknown) => this.#find(specifier) !== undefined,
      builtinModules: Object.keys(options.allowed),
    };
  }

  #find(specifier: unknown): string | undefined {
    const name = typeof specifier === 'string' ? this.#specifiers[specifier] : undefined;
    return name !== undefined && this.#options.allowed[name] !== undefined ? name : undefined;
  }

  /** The module that an import names, without `node:`; undefined for any other specifier. @throws when a driver may not have it */
  named(specifier: string): string | undefined {
    const name = this.#find(specifier);
    if (name === undefined && (this.#specifiers[specifier] !== undefined || startsWith(specifier, 'node:'))) {
      throw refusal(this.#options.missing[this.#specifiers[specifier] ?? ''] ?? importProblem(specifier));
    }
    return name;
  }

  /** The exports of a module. @param name - as `named` gives it */
  exports(name: string): Exports {
    return (this.#made[name] ??= this.#pick(name, this.#real(`node:${name}`) as Exports));
  }

  #pick(name: string, real: Exports): Exports {
    // A module that is itself a function (EventEmitter, Stream, assert) stays one; all that it exports is on the list.
    if (typeof real === 'function') return real;
    const allowed = this.#options.allowed[name] ?? [];
    const picked: Exports = {};
    for (let index = 0; index < allowed.length; index += 1) {
      const entry = allowed[index] as AllowedName;
      const value = this.#value(name, entry, real);
      if (value !== undefined) {
        defineProperty(picked, entry.name, { value, writable: true, enumerable: true, configurable: true });
      }
    }
    return picked;
  }

  #value(module: string, { name, replaced }: AllowedName, real: Exports): unknown {
    if (replaced) return REPLACED_EXPORTS[module]?.[name];
    // The promises of fs and dns are modules of their own, and cut like them.
    const own = `${module}/promises`;
    if (name === 'promises' && this.#options.allowed[own] !== undefined) return this.exports(own);
    return real[name];
  }

  /** The `require` of bundled CommonJS libraries. It reads no file, so a driver can't find out with it which files exist. */
  readonly require = (specifier: unknown): unknown => {
    if (typeof specifier !== 'string') throw refusal('require takes the name of a module.');
    const name = this.named(specifier);
    if (name !== undefined) return this.exports(name);
    if (this.#options.addons && endsWith(specifier, '.node')) {
      const module = { exports: {} };
      this.#dlopen(module, startsWith(specifier, 'file://') ? fileURLToPath(specifier) : specifier);
      return module.exports;
    }
    throw refusal(
      `The driver requires "${specifier}", which is not in its file. Bundle everything into one ES module.`,
      'MODULE_NOT_FOUND',
    );
  };
}
