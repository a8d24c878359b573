import type { DocNode } from '@microsoft/tsdoc';
import {
  DocBlockTag,
  DocCodeSpan,
  DocErrorText,
  DocEscapedText,
  DocExcerpt,
  DocFencedCode,
  DocLinkTag,
  DocParagraph,
  DocPlainText,
  DocSoftBreak,
} from '@microsoft/tsdoc';
/** Where a name leads: a Markdown link, or the name as code where it leads nowhere. */
export type LinkTo = (name: string) => string;

/** The text of a documentation comment as Markdown. Lines stay lines, so that tables and lists in comments stay what they are. */
export function docText(node: DocNode | undefined, linkTo: LinkTo): string {
  if (node === undefined) return '';
  return written(node, linkTo)
    .replaceAll(/[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** The same on one line, for a list. */
export function docLine(node: DocNode | undefined, linkTo: LinkTo): string {
  return docText(node, linkTo).replaceAll(/\s*\n\s*/g, ' ');
}

function written(node: DocNode, linkTo: LinkTo): string {
  if (node instanceof DocPlainText) return node.text;
  if (node instanceof DocCodeSpan) return `\`${node.code}\``;
  if (node instanceof DocEscapedText) return node.decodedText;
  if (node instanceof DocErrorText) return node.text;
  if (node instanceof DocFencedCode) return `\n\`\`\`${node.language}\n${node.code.trimEnd()}\n\`\`\`\n`;
  if (node instanceof DocLinkTag) {
    const target = node.codeDestination?.memberReferences.at(0)?.memberIdentifier?.identifier;
    if (target !== undefined) return linkTo(target);
    return `[${node.linkText ?? node.urlDestination ?? ''}](${node.urlDestination ?? ''})`;
  }
  if (node instanceof DocSoftBreak) return '\n';
  // The marks of a comment's own syntax don't belong to its text.
  if (node instanceof DocExcerpt || node instanceof DocBlockTag) return '';
  const inside = node.getChildNodes().map((child) => written(child, linkTo));
  return node instanceof DocParagraph ? `${inside.join('')}\n\n` : inside.join('');
}
