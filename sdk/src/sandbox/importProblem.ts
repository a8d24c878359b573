import type { WiderGrant } from '../manifest.ts';
import { GRANTED_MODULES, ALLOWED_MODULES } from './allowedModules.ts';

const GUIDE = 'docs/guide/driver-security.md lists what a driver can import';

function bare(specifier: string): string {
  return specifier.startsWith('node:') ? specifier.slice('node:'.length) : specifier;
}

function grantFor(module: string): WiderGrant | undefined {
  return Object.hasOwn(GRANTED_MODULES, module) ? GRANTED_MODULES[module]?.[0]?.grant : undefined;
}

/** Whether a driver with these wider grants can import a module of Node. @param specifier - with or without `node:` */
export function isImportable(specifier: string, grants: readonly string[] = []): boolean {
  const module = bare(specifier);
  if (Object.hasOwn(ALLOWED_MODULES, module)) return true;
  const grant = grantFor(module);
  return grant !== undefined && grants.includes(grant);
}

/** Why a driver cannot import a module of Node, and what to do: two sentences for its author. */
export function importProblem(specifier: string): string {
  const module = bare(specifier);
  const grant = grantFor(module);
  const fact = `The driver imports node:${module}, which drivers can't use`;
  return grant === undefined
    ? `${fact}. Remove the import, or the library that needs it; ${GUIDE}.`
    : `${fact} without the grant "${grant}". Use what the context of the connection gives, or ask for the grant in the manifest; ${GUIDE}.`;
}
