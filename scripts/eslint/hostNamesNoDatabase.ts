import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AST, Rule } from 'eslint';

/** Words that only drivers may use. Looked for in identifiers, strings, templates, JSX text and comments. */
const forbiddenText: readonly RegExp[] = [
  /typesense/i,
  /search[\s_-]?server/i,
  /\/collections?\b/i,
  /multi_?search/i,
  /filter_by/i,
  /@tabularium\/driver-/,
];

const namesDatabase = 'The host knows no database: "{{text}}" belongs into a driver, or into its manifest.';

/** `collectionName`, `COLLECTION_NAME` and `open collections`, but not `recollection`. */
function namesCollection(text: string): boolean {
  const words = text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[^A-Za-z]+/);
  return words.some((word) => /^collections?$/i.test(word));
}

function forbiddenIn(text: string): string | undefined {
  for (const pattern of forbiddenText) {
    const match = pattern.exec(text);
    if (match !== null) return match[0];
  }
  return undefined;
}

/** The ids of the drivers in this repository: what a host that branched on a driver's identity would compare with. */
export function driverIds(root: string): string[] {
  const ids: string[] = [];
  for (const folder of readdirSync(join(root, 'drivers'))) {
    const json = JSON.parse(readFileSync(join(root, 'drivers', folder, 'package.json'), 'utf8')) as {
      tabularium?: { id?: unknown };
    };
    const id = json.tabularium?.id;
    ids.push(typeof id === 'string' ? id : folder);
  }
  return ids;
}

interface Literal {
  readonly type: string;
  readonly value?: unknown;
}

/** Fails where the host names a database or compares something with a driver's id. Option: the list of ids. */
export const hostNamesNoDatabase: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [{ type: 'array', items: { type: 'string' } }],
    messages: {
      namesDatabase,
      branches:
        'The host never branches on a driver\'s identity ("{{text}}"): ask the manifest, or look which facets the session has.',
    },
  },
  create(context) {
    const ids: unknown = context.options[0];
    const isDriverId = (node: Literal | null | undefined): node is Literal =>
      node?.type === 'Literal' && Array.isArray(ids) && ids.includes(node.value);

    const report = (loc: AST.SourceLocation, text: string): void =>
      context.report({ loc, messageId: 'namesDatabase', data: { text } });
    const checkText = (node: Rule.Node | AST.Token, text: string, wordsToo: boolean): void => {
      const found = forbiddenIn(text) ?? (wordsToo && namesCollection(text) ? text : undefined);
      if (found !== undefined && node.loc != null) report(node.loc, found);
    };
    const checkComparison = (node: Rule.Node, operand: Literal | null | undefined): void => {
      if (isDriverId(operand)) context.report({ node, messageId: 'branches', data: { text: String(operand.value) } });
    };
    const isModuleSpecifier = (node: Rule.Node): boolean => /^(Import|Export)/.test(node.parent?.type ?? '');

    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          const found = forbiddenIn(comment.value);
          if (found !== undefined && comment.loc != null) report(comment.loc, found);
        }
      },
      Identifier(node) {
        checkText(node, node.name, true);
      },
      PrivateIdentifier(node) {
        checkText(node, node.name, true);
      },
      JSXIdentifier(node: Rule.Node) {
        checkText(node, (node as unknown as { name: string }).name, true);
      },
      Literal(node) {
        if (typeof node.value === 'string') checkText(node, node.value, !isModuleSpecifier(node));
      },
      TemplateElement(node) {
        checkText(node, node.value.raw, true);
      },
      JSXText(node: Rule.Node) {
        checkText(node, (node as unknown as { value: string }).value, true);
      },
      BinaryExpression(node) {
        if (!['===', '!==', '==', '!='].includes(node.operator)) return;
        checkComparison(node, node.left);
        checkComparison(node, node.right);
      },
      SwitchCase(node) {
        checkComparison(node, node.test);
      },
    };
  },
};
