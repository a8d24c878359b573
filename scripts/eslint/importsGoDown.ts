import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { Rule } from 'eslint';
import { floorOf, floorOfSpecifier, isTestFile, separatePackages } from './floorTable.ts';
import type { Floor } from './floorTable.ts';
import { importVisitor } from './importVisitor.ts';

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Two files of one floor that are published apart: drivers/a and drivers/b. */
function areSeparatePackages(from: string, to: string): boolean {
  return separatePackages.some((folder) => {
    const below = (path: string): string | undefined => (path.startsWith(`${folder}/`) ? path.split('/')[1] : undefined);
    return below(from) !== undefined && below(to) !== undefined && below(from) !== below(to);
  });
}

function judgeFloor(from: Floor, to: Floor, typesOnly: boolean): string | undefined {
  if (from === to || from.mayImport.includes(to.name)) return undefined;
  if (from.mayImportTypesOf?.includes(to.name) === true) {
    return typesOnly ? undefined : `${from.name} may import types of ${to.name} only. Use "import type", or move the value down.`;
  }
  return `${from.name} may not import ${to.name}: imports go down only. Move what both need to a floor that both may import.`;
}

interface Import {
  readonly file: string;
  readonly floor: Floor;
  readonly specifier: string;
  readonly typesOnly: boolean;
}

/** A sentence that says what is wrong with the import, or undefined. */
function judge({ file, floor, specifier, typesOnly }: Import): string | undefined {
  if (isBuiltin(specifier)) {
    if (floor.node) return undefined;
    return `${floor.name} runs where Node's modules do not exist. Take what it needs as a parameter, or do it on a floor above.`;
  }
  if (specifier.startsWith('.')) {
    const target = join(dirname(file), specifier).replaceAll('\\', '/');
    const targetFloor = floorOf(target);
    if (targetFloor === undefined) return `${target} belongs to no floor of scripts/eslint/floorTable.ts.`;
    if (areSeparatePackages(file, target)) return 'Drivers are published apart and share code only through the sdk.';
    return judgeFloor(floor, targetFloor, typesOnly);
  }
  if (specifier.startsWith('@tabularium/')) {
    const targetFloor = floorOfSpecifier(specifier);
    if (targetFloor === undefined) return `${specifier} may be imported by tests only.`;
    return judgeFloor(floor, targetFloor, typesOnly);
  }
  const name = packageName(specifier);
  if (floor.packages === 'any' || floor.packages.includes(name)) return undefined;
  const allowed = floor.packages.length === 0 ? 'no package' : `only ${floor.packages.join(' and ')}`;
  return `${floor.name} may import ${allowed}, and this is ${name}.`;
}

/** Fails on an import from a floor above. */
export const importsGoDown: Rule.RuleModule = {
  meta: { type: 'problem', schema: [], messages: { wrong: '{{sentence}}' } },
  create(context) {
    const file = relative(context.cwd, context.filename).replaceAll('\\', '/');
    const floor = floorOf(file);
    if (floor === undefined || isTestFile(file)) return {};

    return importVisitor((node, specifier, typesOnly) => {
      const sentence = judge({ file, floor, specifier, typesOnly });
      if (sentence !== undefined) context.report({ node, messageId: 'wrong', data: { sentence } });
    });
  },
};
