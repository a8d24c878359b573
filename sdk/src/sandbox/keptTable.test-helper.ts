import type { Kept } from './kept.ts';
import { KEPT_GLOBALS, KEPT_PROCESS } from './keptGlobals.ts';
import { GRANTED_MODULES, KEPT_MODULES } from './keptModules.ts';

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' ');
const row = (name: string, { names, reason, grant }: Kept): string =>
  `| ${name} | ${code(names)} | ${reason}${grant === undefined ? '' : ` Only with the grant \`${grant}\`.`} |`;
const table = (first: string, rows: readonly string[]): string =>
  [`| ${first} | Names | Why they stay |`, '| --- | --- | --- |', ...rows].join('\n');

/** The part of the guide that lists what a driver's process keeps, as Markdown. */
export function keptTables(): string {
  const modules = Object.entries(KEPT_MODULES)
    .filter(([name]) => name !== 'process')
    .flatMap(([name, list]) => list.map((kept) => row(`\`node:${name}\``, kept)));
  const granted = Object.entries(GRANTED_MODULES).flatMap(([name, list]) => list.map((kept) => row(`\`node:${name}\``, kept)));
  return [
    '### Globals',
    table(
      'Where',
      KEPT_GLOBALS.map((kept) => row('`globalThis`', kept)),
    ),
    '### `process` (also as `node:process`)',
    table(
      'Where',
      KEPT_PROCESS.map((kept) => row('`process`', kept)),
    ),
    '### Modules',
    table('Module', modules),
    '### What a wider grant adds',
    table('Module', granted),
  ].join('\n\n');
}
