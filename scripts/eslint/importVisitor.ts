import type { Rule } from 'eslint';

interface SourceNode {
  readonly source?: { readonly type: string; readonly value?: unknown } | null;
  readonly importKind?: string;
  readonly exportKind?: string;
}

/** Calls `check` for every static and dynamic import, re-export and import type of a file. */
export function importVisitor(check: (node: Rule.Node, specifier: string, typesOnly: boolean) => void): Rule.RuleListener {
  const visit =
    (alwaysType: boolean) =>
    (node: Rule.Node): void => {
      const { source, importKind, exportKind } = node as unknown as SourceNode;
      if (typeof source?.value !== 'string') return;
      check(node, source.value, alwaysType || importKind === 'type' || exportKind === 'type');
    };
  return {
    ImportDeclaration: visit(false),
    ExportNamedDeclaration: visit(false),
    ExportAllDeclaration: visit(false),
    ImportExpression: visit(false),
    TSImportType: visit(true),
  };
}
