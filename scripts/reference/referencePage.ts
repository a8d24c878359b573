import type { ApiItem, ApiPackage } from '@microsoft/api-extractor-model';
import {
  ApiClass,
  ApiConstructor,
  ApiDeclaredItem,
  ApiDocumentedItem,
  ApiFunction,
  ApiInterface,
  ApiItemKind,
  ApiMethod,
  ApiMethodSignature,
} from '@microsoft/api-extractor-model';
import type { DocComment } from '@microsoft/tsdoc';
import type { LinkTo } from './docText.ts';
import { docLine, docText } from './docText.ts';

/** One entry point of a package, its declarations read. */
export interface EntryPoint {
  /** The name of its page, such as `testing`. */
  readonly page: string;
  /** The specifier of an import, such as `@tabularium/sdk/testing`. */
  readonly specifier: string;
  readonly api: ApiPackage;
}

const GENERATED = '<!-- Written by "npm run api" from the docstrings of the sdk. Change those. -->';

/** The groups of a page, in the order in which somebody who is new needs them. */
const GROUPS: readonly { readonly title: string; readonly kinds: readonly ApiItemKind[] }[] = [
  { title: 'Functions', kinds: [ApiItemKind.Function] },
  { title: 'Classes', kinds: [ApiItemKind.Class] },
  { title: 'Types', kinds: [ApiItemKind.Interface, ApiItemKind.TypeAlias, ApiItemKind.Enum] },
  { title: 'Constants', kinds: [ApiItemKind.Variable] },
];

/** The page of one entry point: everything that it exports, with its documentation. */
export function referencePage(entry: EntryPoint, all: readonly EntryPoint[]): string {
  const items = exportsOf(entry);
  const linkTo = linksOf(entry, all);
  const groups = GROUPS.flatMap(({ title, kinds }) => {
    const members = items.filter(({ kind }) => kinds.includes(kind)).sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
    return members.length === 0 ? [] : [`## ${title}`, ...members.map((item) => section(item, linkTo))];
  });
  return [GENERATED, `# \`${entry.specifier}\``, ...groups].join('\n\n') + '\n';
}

/** The page that names all entry points and what they export. */
export function referenceIndex(all: readonly EntryPoint[]): string {
  const lists = all.map((entry) => {
    const names = exportsOf(entry)
      .map(({ displayName }) => displayName)
      .sort();
    const links = [...new Set(names)].map((name) => `[\`${name}\`](${entry.page}.md#${anchorOf(name)})`);
    return `## [\`${entry.specifier}\`](${entry.page}.md)\n\n${links.join(', ')}`;
  });
  return [GENERATED, '# The SDK, export by export', ...lists].join('\n\n') + '\n';
}

function exportsOf({ api }: EntryPoint): readonly ApiItem[] {
  return api.entryPoints.flatMap(({ members }) => members);
}

function anchorOf(name: string): string {
  return name.toLowerCase();
}

function linksOf(entry: EntryPoint, all: readonly EntryPoint[]): LinkTo {
  const has = (candidate: EntryPoint, name: string): boolean =>
    exportsOf(candidate).some(({ displayName }) => displayName === name);
  return (name) => {
    const home = has(entry, name) ? entry : all.find((candidate) => has(candidate, name));
    if (home === undefined) return `\`${name}\``;
    return `[\`${name}\`](${home === entry ? '' : `${home.page}.md`}#${anchorOf(name)})`;
  };
}

function commentOf(item: ApiItem): DocComment | undefined {
  return item instanceof ApiDocumentedItem ? item.tsdocComment : undefined;
}

function section(item: ApiItem, linkTo: LinkTo): string {
  const parts = [`### ${item.displayName}`];
  const comment = commentOf(item);
  if (comment?.deprecatedBlock !== undefined) parts.push(`**Deprecated.** ${docText(comment.deprecatedBlock.content, linkTo)}`);
  parts.push(docText(comment?.summarySection, linkTo));
  parts.push(`\`\`\`ts\n${signatureOf(item)}\n\`\`\``);
  if (item instanceof ApiFunction) parts.push(...callParts(item, linkTo));
  parts.push(docText(comment?.remarksBlock?.content, linkTo), thrownBy(comment, linkTo));
  if (item instanceof ApiClass || item instanceof ApiInterface) parts.push(membersOf(item, linkTo));
  return parts.filter((part) => part !== '').join('\n\n');
}

function signatureOf(item: ApiItem): string {
  if (!(item instanceof ApiDeclaredItem)) return item.displayName;
  return item.excerpt.text
    .trim()
    .replace(/^export declare /, '')
    .replace(/^export /, '');
}

function callParts(item: ApiFunction | ApiMethod | ApiMethodSignature, linkTo: LinkTo): string[] {
  const comment = commentOf(item);
  const parameters = item.parameters.flatMap(({ name, tsdocParamBlock }) =>
    tsdocParamBlock === undefined ? [] : [`- \`${name}\`: ${docLine(tsdocParamBlock.content, linkTo)}`],
  );
  const returned = docText(comment?.returnsBlock?.content, linkTo);
  return [parameters.join('\n'), returned === '' ? '' : `Returns ${returned}`];
}

function thrownBy(comment: DocComment | undefined, linkTo: LinkTo): string {
  const blocks = comment?.customBlocks.filter(({ blockTag }) => blockTag.tagNameWithUpperCase === '@THROWS') ?? [];
  return blocks.map((block) => `Throws ${docText(block.content, linkTo)}`).join('\n\n');
}

function membersOf(item: ApiClass | ApiInterface, linkTo: LinkTo): string {
  const lines = item.members.flatMap((member) => {
    // A constructor that says nothing gets a sentence of the extractor's, which says nothing either.
    const comment = member instanceof ApiConstructor ? undefined : commentOf(member);
    const said = [
      comment?.deprecatedBlock === undefined ? '' : `**Deprecated.** ${docLine(comment.deprecatedBlock.content, linkTo)}`,
      docLine(comment?.summarySection, linkTo),
      docLine(comment?.remarksBlock?.content, linkTo),
      ...(member instanceof ApiMethod || member instanceof ApiMethodSignature
        ? callParts(member, linkTo).map((part) => part.replaceAll(/\n- /g, '; ').replace(/^- /, 'Takes '))
        : []),
      thrownBy(comment, linkTo).replaceAll(/\s*\n\s*/g, ' '),
    ].filter((part) => part !== '');
    return [
      `- \`${signatureOf(member).replace(/;$/, '').replaceAll(/\s+/g, ' ')}\`${said.length === 0 ? '' : `: ${said.join(' ')}`}`,
    ];
  });
  return lines.join('\n');
}
