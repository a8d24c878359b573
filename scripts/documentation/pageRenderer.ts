import { join, posix } from 'node:path';
import type { Token } from 'markdown-it';
import { HeadingAnchors } from './headingAnchors.ts';
import { imageSize } from './imageSize.ts';
import type { LinkResolver } from './linkResolver.ts';
import { parsePage, writePage } from './markdownRules.ts';
import type { PageHeading, PageSection, RenderedPage } from './renderedPage.ts';
import type { SourcePage } from './sourcePages.ts';

/** The comment that says from where a page was generated. */
const isComment = (token: Token | undefined): boolean => /^<!--[\s\S]*-->$/.test(token?.content ?? '');

/** Turns one page of Markdown into HTML for the site. */
export class PageRenderer {
  readonly #root: string;
  readonly #links: LinkResolver;

  constructor(root: string, links: LinkResolver) {
    this.#root = root;
    this.#links = links;
  }

  /** @throws Error for a page without a title, and for a picture from elsewhere */
  render(page: SourcePage): RenderedPage {
    const tokens = withoutEmptyHeads(withoutComments(parsePage(page.markdown)));
    const headings = nameHeadings(tokens);
    for (const token of tokens) this.#finishBlock(page, token);
    const [title, ...others] = headings;
    if (title?.level !== 1) throw new Error(`${page.file} does not begin with a heading of the first level.`);
    return {
      title: title.text,
      html: writePage(tokens),
      headings: others,
      sections: sectionsOf(page, tokens, others),
    };
  }

  #finishBlock(page: SourcePage, token: Token): void {
    // Attributes of styles are refused by the policy of the site.
    const alignment = /text-align:(\w+)/.exec(String(token.attrGet('style') ?? ''))?.[1];
    if (alignment !== undefined) {
      token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style');
      token.attrSet('class', `align-${alignment}`);
    }
    const inside = token.children ?? [];
    const open: Token[] = [];
    for (const child of inside) {
      if (child.type === 'link_open') {
        open.push(child);
        this.#finishLink(page, child);
      } else if (child.type === 'link_close') {
        child.tag = open.pop()?.tag ?? child.tag;
      } else if (child.type === 'image') {
        this.#finishImage(page, child);
      }
    }
  }

  #finishLink(page: SourcePage, link: Token): void {
    const target = this.#links.resolve(page, String(link.attrGet('href')));
    if (target.is === 'repository') {
      link.tag = 'span';
      link.attrs = [
        ['class', 'repository'],
        ['title', `In the repository: ${target.file}`],
      ];
      return;
    }
    link.attrSet('href', target.href);
    if (target.is === 'web') link.attrs?.push(['class', 'web'], ['rel', 'noreferrer']);
  }

  #finishImage(page: SourcePage, image: Token): void {
    const source = String(image.attrGet('src'));
    const target = this.#links.resolve(page, source);
    // A missing one is among the faults of the links.
    if (target.is === 'repository') return;
    if (target.is === 'web') throw new Error(`${page.file} shows ${source}, which the site does not carry.`);
    image.attrSet('src', target.href);
    image.attrSet('loading', 'lazy');
    const size = imageSize(join(this.#root, posix.dirname(page.file), source));
    if (size !== undefined) image.attrs?.push(['width', String(size.width)], ['height', String(size.height)]);
  }
}

function withoutComments(tokens: readonly Token[]): Token[] {
  return tokens.filter(
    (_, at) => !isComment(tokens[at]) && !isComment(tokens[at + 1]) && !(isComment(tokens[at - 1]) && tokens[at]?.nesting === -1),
  );
}

/** Without the heads of tables in which nothing is written: Markdown has no table without one. */
function withoutEmptyHeads(tokens: readonly Token[]): Token[] {
  const left: Token[] = [];
  let head: Token[] | undefined;
  for (const token of tokens) {
    if (token.type === 'thead_open') head = [];
    (head ?? left).push(token);
    if (token.type !== 'thead_close' || head === undefined) continue;
    if (head.some(({ content }) => content !== '')) left.push(...head);
    head = undefined;
  }
  return left;
}

/** Gives every heading its anchor. */
function nameHeadings(tokens: readonly Token[]): PageHeading[] {
  const anchors = new HeadingAnchors();
  return tokens.flatMap((token, at) => {
    if (token.type !== 'heading_open') return [];
    const text = plainText(tokens[at + 1]?.children ?? []);
    const heading = { level: Number(token.tag.slice(1)), text, anchor: anchors.next(text) };
    token.attrSet('id', heading.anchor);
    return [heading];
  });
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content, children }) => {
      if (type === 'softbreak' || type === 'hardbreak') return ' ';
      return type === 'image' ? plainText(children ?? []) : content;
    })
    .join('');
}

function sectionsOf(page: SourcePage, tokens: readonly Token[], headings: readonly PageHeading[]): PageSection[] {
  const sections: { heading: PageHeading | undefined; texts: string[]; links: string[] }[] = [];
  const begin = (heading: PageHeading | undefined): unknown => sections.push({ heading, texts: [], links: [] });
  let next = 0;
  begin(undefined);
  tokens.forEach((token, at) => {
    // The first heading is the title.
    if (token.type === 'heading_open' && at > 0) begin(headings[next++]);
    const section = sections.at(-1);
    if (token.type === 'fence' || token.type === 'code_block') section?.texts.push(token.content);
    if (token.type !== 'inline' || tokens[at - 1]?.type === 'heading_open') return;
    section?.texts.push(plainText(token.children ?? []));
    section?.links.push(...linkedPaths(page, token.children ?? []));
  });
  return sections.map(({ heading, texts, links }) => ({
    heading,
    text: texts.join(' ').replaceAll(/\s+/g, ' ').trim(),
    links,
  }));
}

/** The pages of the site that a text links. */
function linkedPaths(page: SourcePage, tokens: readonly Token[]): string[] {
  return tokens
    .filter(({ type, tag }) => type === 'link_open' && tag === 'a')
    .map((link) => String(link.attrGet('href')).split('#')[0] ?? '')
    .filter((href) => href.endsWith('.html') && !href.includes(':'))
    .map((href) => posix.join(posix.dirname(page.path), href));
}
