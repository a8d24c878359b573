import { dirname, join, relative } from 'node:path';
import type { Rule } from 'eslint';
import { isTestFile } from './floorTable.ts';
import { importVisitor } from './importVisitor.ts';
import { importPath } from './importGraph.ts';

/** Fails on an import of a file that imports this one, directly or through others; types count as well. */
export const noImportCycles: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { cycle: 'This import closes a cycle: {{cycle}}. Move what both need to a file of its own.' },
  },
  create(context) {
    const file = relative(context.cwd, context.filename).replaceAll('\\', '/');
    if (isTestFile(file)) return {};
    return importVisitor((node, specifier) => {
      if (!specifier.startsWith('.')) return;
      const target = join(dirname(file), specifier).replaceAll('\\', '/');
      const path = importPath(context.cwd, target, file);
      if (path !== undefined) context.report({ node, messageId: 'cycle', data: { cycle: [file, ...path].join(' → ') } });
    });
  },
};
