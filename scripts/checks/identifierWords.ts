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

const SOURCES = [
  'host/src/**/*.{ts,tsx}',
  'sdk/src/**/*.ts',
  'registry/src/**/*.ts',
  'create-driver/{src,template}/**/*.ts',
  'drivers/*/src/**/*.ts',
  'scripts/**/*.ts',
  'tests/**/*.{ts,tsx}',
];
const BROKEN_ON_PURPOSE = 'tests/fixtures/broken/**';
const REPLACED: readonly { readonly words: readonly string[]; readonly instead: string }[] = [
  { words: ['tell', 'tells', 'teller', 'telling', 'told'], instead: 'notify, emit, report' },
  { words: ['desk'], instead: 'queue' },
  { words: ['lane', 'lanes'], instead: 'process, worker' },
  { words: ['knock', 'front'], instead: 'request guard, proxy' },
  { words: ['wish', 'wishes'], instead: 'subscription, request' },
  { words: ['scene', 'scenes', 'shelf'], instead: 'fixture' },
  { words: ['kept', 'keeper'], instead: 'saved, stored, cached, retained, allowed' },
  { words: ['ledger', 'ledgers'], instead: 'pid file, record, log' },
  { words: ['foot'], instead: 'footer' },
  { words: ['figure', 'figures'], instead: 'metric, measurement' },
  { words: ['remark', 'remarks'], instead: 'warning, notice' },
  { words: ['waits'], instead: 'pending, needs X' },
];
const TERMS: ReadonlyMap<string, string> = new Map(
  REPLACED.flatMap(({ words, instead }) => words.map((word): [string, string] => [word, instead])),
);
const MAY_MATCH = new RegExp([...TERMS.keys()].join('|'), 'i');

/** Names that others read already: in a report, a key file, the JSON of a command, or as a fixture driver's name. */
const EXCEPTIONS: readonly { readonly name: RegExp; readonly files: RegExp }[] = [
  { name: /^kept$/, files: /^(?:sdk\/src\/testing|tests\/conformance)\/report/ },
  { name: /^kept$/, files: /^host\/src\/cli\/program\/(?:backup|commandExamples)\./ },
  { name: /^keptIn$/, files: /^sdk\/src\/cli\// },
  { name: /^ledger/, files: /^tests\/(?:conformance|fixtures\/ledger-driver)\// },
];

/**
 * The names that the sources declare, imports aside, with a word of {@link TERMS}, alone or in a compound; sorted by file. Names of others, such as
 * a DOM property, aren't declared here.
 */
export function findHouseWords(root: string): HouseWord[] {
  const found: HouseWord[] = [];
  const files = globSync(SOURCES, { cwd: root, exclude: ['**/node_modules/**', BROKEN_ON_PURPOSE] });
  for (const file of files.map((path) => path.replaceAll('\\', '/')).sort()) {
    const text = readFileSync(join(root, file), 'utf8');
    if (!MAY_MATCH.test(text)) continue;
    const visit = (node: ts.Node): void => {
      const name = declaredName(node);
      const word = name === undefined ? undefined : wordsOf(name).find((part) => TERMS.has(part));
      if (name !== undefined && word !== undefined && !isException(name, file))
        found.push({ file, name, instead: TERMS.get(word) ?? '' });
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  }
  return found;
}

const isException = (name: string, file: string): boolean =>
  EXCEPTIONS.some((exception) => exception.name.test(name) && exception.files.test(file));

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
