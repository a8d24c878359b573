import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';

/** The parts of a readme that the window draws. Everything else, HTML above all, stays the text that it is. */
export type Inline =
  | { readonly is: 'text' | 'code'; readonly text: string }
  | { readonly is: 'break' }
  | { readonly is: 'strong' | 'emphasis' | 'struck'; readonly content: readonly Inline[] }
  /** `destination`: the host of a page, the address of a mailbox. */
  | { readonly is: 'link'; readonly content: readonly Inline[]; readonly href: string; readonly destination: string };
export type Block =
  | { readonly is: 'heading'; readonly level: number; readonly content: readonly Inline[] }
  | { readonly is: 'paragraph' | 'line'; readonly content: readonly Inline[] }
  | { readonly is: 'list'; readonly ordered: boolean; readonly start: number; readonly items: readonly (readonly Block[])[] }
  | { readonly is: 'quote'; readonly content: readonly Block[] }
  | { readonly is: 'table'; readonly head: readonly Row[]; readonly body: readonly Row[] }
  | { readonly is: 'code'; readonly text: string }
  | { readonly is: 'rule' };
export type Row = readonly (readonly Inline[])[];

/** A longer readme is cut: it is read, not searched. */
const MOST_LINES = 2_000;
const MOST_CHARACTERS = 100_000;
/** A table of 100,000 characters has 66,000 cells, which the page would take seconds to draw. */
const MOST_PARTS = 10_000;
const DEEPEST = 20;

// `html: false` and the rules of HTML switched off: each keeps HTML the text that it is. The renderer, which writes HTML, is never called.
const parser = new MarkdownIt('commonmark', { html: false, maxNesting: DEEPEST })
  .disable(['html_block', 'html_inline'])
  .enable(['table', 'strikethrough']);

/**
 * Reads the Markdown of a readme: CommonMark with tables and strikethrough, as parts of our own. Takes any text in bounded time.
 *
 * @param base - the address that relative links begin at, as `sourceAddress` gives it; absent: they are text
 */
export function parseMarkdown(markdown: string, base?: string): readonly Block[] {
  const text = markdown.slice(0, MOST_CHARACTERS).split(/\r\n|\r|\n/);
  return new TokenReader(parser.parse(text.slice(0, MOST_LINES).join('\n'), {}), base).blocks();
}

/** A list of tokens as a tree. Opening and closing tokens come in pairs; the parser bounds their depth. */
class TokenReader {
  private readonly tokens: readonly Token[];
  private readonly base: string | undefined;
  private readonly budget: { parts: number };
  private at = 0;

  constructor(tokens: readonly Token[], base: string | undefined, budget = { parts: MOST_PARTS }) {
    this.tokens = tokens;
    this.base = base;
    this.budget = budget;
  }

  /** Up to the closing token of this level, or the end. */
  blocks(): readonly Block[] {
    return this.each((token) => this.block(token));
  }

  private each<T>(read: (token: Token) => T | undefined): readonly T[] {
    const found: T[] = [];
    for (let token = this.tokens[this.at]; token !== undefined; token = this.tokens[this.at]) {
      this.at += 1;
      if (token.nesting === -1) break;
      // Before what is in it, so that a large part is cut and not left out.
      const hasRoom = this.budget.parts > 0;
      if (hasRoom) this.budget.parts -= 1;
      const part = read(token);
      if (hasRoom && part !== undefined) found.push(part);
    }
    return found;
  }

  private block(token: Token): Block | undefined {
    switch (token.type) {
      case 'heading_open':
        return { is: 'heading', level: Number(token.tag.slice(1)), content: this.contentOfBlock() };
      case 'paragraph_open':
        return { is: token.hidden ? 'line' : 'paragraph', content: this.contentOfBlock() };
      case 'bullet_list_open':
        return { is: 'list', ordered: false, start: 1, items: this.each(() => this.blocks()) };
      case 'ordered_list_open':
        return { is: 'list', ordered: true, start: Number(token.attrGet('start') ?? 1), items: this.each(() => this.blocks()) };
      case 'blockquote_open':
        return { is: 'quote', content: this.blocks() };
      case 'table_open':
        return this.table();
      case 'fence':
      case 'code_block':
        return { is: 'code', text: token.content.replace(/\n$/, '') };
      case 'hr':
        return { is: 'rule' };
      default:
        return token.content === '' ? undefined : { is: 'paragraph', content: [{ is: 'text', text: token.content }] };
    }
  }

  private table(): Block {
    const row = (): Row => this.each(() => this.contentOfBlock());
    const parts = { head: [] as readonly Row[], body: [] as readonly Row[] };
    this.each((part) => {
      parts[part.type === 'thead_open' ? 'head' : 'body'] = this.each(row);
    });
    return { is: 'table', ...parts };
  }

  /** The text of a heading, a paragraph or a cell: one token, then the closing one. */
  private contentOfBlock(): readonly Inline[] {
    return this.each((token) => new TokenReader(token.children ?? [], this.base, this.budget).inlines()).flat();
  }

  private inlines(): readonly Inline[] {
    return joined(this.each((token) => this.inline(token)).flat());
  }

  private inline(token: Token): readonly Inline[] {
    switch (token.type) {
      case 'code_inline':
        return [{ is: 'code', text: token.content }];
      case 'strong_open':
        return [{ is: 'strong', content: this.inlines() }];
      case 'em_open':
        return [{ is: 'emphasis', content: this.inlines() }];
      case 's_open':
        return [{ is: 'struck', content: this.inlines() }];
      case 'link_open':
        return link(String(token.attrGet('href')), this.inlines(), this.base);
      case 'hardbreak':
        return [{ is: 'break' }];
      case 'softbreak':
        return [{ is: 'text', text: ' ' }];
      default:
        // An image too: it shows its description. A fetched one would reveal the reader to its server.
        return token.content === '' ? [] : [{ is: 'text', text: token.content }];
    }
  }
}

/** The parser cuts a text at each character that could mean something. */
function joined(parts: readonly Inline[]): readonly Inline[] {
  const found: Inline[] = [];
  for (const part of parts) {
    const last = found.at(-1);
    if (part.is === 'text' && last?.is === 'text') found[found.length - 1] = { is: 'text', text: last.text + part.text };
    else found.push(part);
  }
  return found;
}

/** Only web pages and mailboxes are links. An address with a user name looks like another one than it is. */
function link(href: string, content: readonly Inline[], base: string | undefined): readonly Inline[] {
  const url = URL.parse(href) ?? withinRepository(href, base);
  const isPage = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === null || !(isPage || url.protocol === 'mailto:') || url.username !== '' || url.password !== '') return content;
  const destination = isPage ? url.host : url.pathname;
  return [{ is: 'link', content, href: url.href, destination }];
}

/** The file of the repository that a relative link names; null for one that leads out of it, or to a heading of the same text. */
function withinRepository(href: string, base: string | undefined): URL | null {
  if (base === undefined || href.startsWith('#')) return null;
  const [, repository] = /^(https:\/\/[^/]+\/[^/]+\/[^/]+\/)/.exec(base) ?? [];
  const url = URL.parse(href, base);
  return repository !== undefined && url?.href.startsWith(repository) === true ? url : null;
}

/** Its text for a person. */
export function textOf(content: readonly Inline[]): string {
  return content
    .map((part) => {
      if ('text' in part) return part.text;
      return part.is === 'break' ? ' ' : textOf(part.content);
    })
    .join('');
}
