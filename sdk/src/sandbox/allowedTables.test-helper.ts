import type { AllowedNames } from './allowedNames.ts';
import { ALLOWED_GLOBALS, ALLOWED_PROCESS } from './allowedGlobals.ts';
import { GRANTED_MODULES, ALLOWED_MODULES } from './allowedModules.ts';

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' ');
const row = (name: string, { names, reason, grant }: AllowedNames): string =>
  `| ${name} | ${code(names)} | ${reason}${grant === undefined ? '' : ` Only with the grant \`${grant}\`.`} |`;
const table = (first: string, rows: readonly string[]): string =>
  [`| ${first} | Names | Why they stay |`, '| --- | --- | --- |', ...rows].join('\n');

/** The part of the guide that lists what a driver's process keeps, as Markdown. */
export function allowedTables(): string {
  const modules = Object.entries(ALLOWED_MODULES)
    .filter(([name]) => name !== 'process')
    .flatMap(([name, list]) => list.map((allowed) => row(`\`node:${name}\``, allowed)));
  const granted = Object.entries(GRANTED_MODULES).flatMap(([name, list]) =>
    list.map((allowed) => row(`\`node:${name}\``, allowed)),
  );
  return [
    '### Globals',
    table(
      'Where',
      ALLOWED_GLOBALS.map((allowed) => row('`globalThis`', allowed)),
    ),
    '### `process` (also as `node:process`)',
    table(
      'Where',
      ALLOWED_PROCESS.map((allowed) => row('`process`', allowed)),
    ),
    '### Modules',
    table('Module', modules),
    '### What a wider grant adds',
    table('Module', granted),
  ].join('\n\n');
}
