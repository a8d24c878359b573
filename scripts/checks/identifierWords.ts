import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A declared name with a word that only this house used, and the field's term for it. */
export interface HouseWord {
  /** Relative to the root. */
  readonly file: string;
  readonly name: string;
  readonly instead: string;
}

const SOURCES = ['host/src/**/*.{ts,tsx}', 'sdk/src/**/*.ts', 'registry/src/**/*.ts', 'scripts/**/*.ts'];
const TERMS: ReadonlyMap<string, string> = new Map([
  ...['tell', 'tells', 'teller', 'telling', 'told'].map((word): [string, string] => [word, 'notify, emit, report']),
  ['desk', 'queue'],
  ...['lane', 'lanes'].map((word): [string, string] => [word, 'process, worker']),
  ['knock', 'request guard'],
  ...['wish', 'wishes'].map((word): [string, string] => [word, 'subscription, request']),
  ...['scene', 'scenes'].map((word): [string, string] => [word, 'fixture']),
]);
const MAY_MATCH = new RegExp([...TERMS.keys()].join('|'), 'i');

/** The names that the sources declare, imports aside, with a word of {@link TERMS}; sorted by file. Names of others, such as a DOM property, aren't declared here. */
export function findHouseWords(root: string): HouseWord[] {
  const found: HouseWord[] = [];
  for (const file of globSync(SOURCES, { cwd: root }).sort()) {
    const text = readFileSync(join(root, file), 'utf8');
    if (!MAY_MATCH.test(text)) continue;
    const visit = (node: ts.Node): void => {
      const name = declaredName(node);
      const word = name === undefined ? undefined : wordsOf(name).find((part) => TERMS.has(part));
      if (name !== undefined && word !== undefined) found.push({ file, name, instead: TERMS.get(word) ?? '' });
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  }
  return found;
}

function declaredName(node: ts.Node): string | undefined {
  if (ts.isImportSpecifier(node) || ts.isImportClause(node) || !('name' in node)) return undefined;
  const name = node.name as ts.Node | undefined;
  const isDeclaration = !ts.isPropertyAccessExpression(node) && !ts.isJsxAttribute(node) && !ts.isMetaProperty(node);
  return isDeclaration && name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) ? name.text : undefined;
}

/** In lower case: `tellOtherWindows` has three, `MOST_TOLD` two. */
function wordsOf(name: string): string[] {
  return name
    .replace(/^#/, '')
    .split(/_|(?<=[a-z0-9])(?=[A-Z])/)
    .map((word) => word.toLowerCase());
}
