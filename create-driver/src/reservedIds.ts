import { builtinModules } from 'node:module';

const FIRST_PARTY = new Set(['postgres', 'search', 'sqlite']);
const BUILT_IN = new Set(builtinModules.map((name) => name.replace(/^node:/, '')));

/** @returns why a driver can't have the id; undefined where it can */
export function reservedId(id: string): string | undefined {
  if (FIRST_PARTY.has(id)) return 'a driver of Tabularium itself has it';
  return id in Object.prototype ? 'every object of JavaScript has a member of this name' : undefined;
}

/** @returns why a package can't have the name; undefined where it can */
export function reservedName(name: string): string | undefined {
  return BUILT_IN.has(name) ? 'a module of Node.js has it, and npm refuses it' : undefined;
}
