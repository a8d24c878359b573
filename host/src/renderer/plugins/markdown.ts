/** The parts of a readme that are shown. Everything else, HTML above all, stays the text that it is. */
export type Inline =
  | { readonly is: 'text' | 'code' | 'strong' | 'emphasis'; readonly text: string }
  | { readonly is: 'link'; readonly text: string; readonly href: string; readonly host: string };
export type Block =
  | { readonly is: 'heading'; readonly level: number; readonly content: readonly Inline[] }
  | { readonly is: 'paragraph'; readonly content: readonly Inline[] }
  | { readonly is: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly is: 'code'; readonly text: string };

/** A longer readme is cut: it is read, not searched. */
const MOST_LINES = 2_000;
const MOST_CHARACTERS = 100_000;

/** Each with a longest length: a line of brackets that nothing closes would else be read again from every one of them. */
const INLINE = /`([^`\n]{1,500})`|\*\*([^*\n]{1,500})\*\*|\*([^*\n]{1,500})\*|!?\[([^\]\n]{0,500})\]\(([^()\s]{1,2000})\)/g;

function inlines(text: string): readonly Inline[] {
  const found: Inline[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > at) found.push({ is: 'text', text: text.slice(at, match.index) });
    const [whole, code, strong, emphasis, label, href] = match;
    if (code !== undefined) found.push({ is: 'code', text: code });
    else if (strong !== undefined) found.push({ is: 'strong', text: strong });
    else if (emphasis !== undefined) found.push({ is: 'emphasis', text: emphasis });
    else found.push(linkOrText(whole.startsWith('!'), label ?? '', href ?? ''));
    at = match.index + whole.length;
  }
  if (at < text.length) found.push({ is: 'text', text: text.slice(at) });
  return found;
}

/**
 * Only https leads anywhere, and pictures are not fetched: they would tell their server who looks. An address with a user name looks like another one
 * than it is.
 */
function linkOrText(isPicture: boolean, label: string, href: string): Inline {
  const url = isPicture ? null : URL.parse(href);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return { is: 'text', text: label };
  return { is: 'link', text: label.trim() === '' ? url.host : label, href: url.href, host: url.host };
}

/** Reads the Markdown of a readme: headings, paragraphs, lists, code, and the marks inside a line. */
export function parseMarkdown(markdown: string): readonly Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  let list: { ordered: boolean; items: (readonly Inline[])[] } | undefined;
  let code: string[] | undefined;
  const flush = (): void => {
    if (paragraph.length > 0) blocks.push({ is: 'paragraph', content: inlines(paragraph.join(' ')) });
    if (list !== undefined) blocks.push({ is: 'list', ...list });
    paragraph = [];
    list = undefined;
  };
  for (const line of markdown.slice(0, MOST_CHARACTERS).split(/\r?\n/).slice(0, MOST_LINES)) {
    if (/^\s*```/.test(line)) {
      if (code === undefined) {
        flush();
        code = [];
      } else {
        blocks.push({ is: 'code', text: code.join('\n') });
        code = undefined;
      }
      continue;
    }
    if (code !== undefined) {
      code.push(line);
      continue;
    }
    const heading = /^(#{1,6})\s(.*)$/.exec(line);
    const item = /^\s*(?:([-*+])|\d+[.)])\s(.*)$/.exec(line);
    if (heading !== null) {
      flush();
      blocks.push({ is: 'heading', level: heading[1]?.length ?? 1, content: inlines((heading[2] ?? '').trimStart()) });
    } else if (item !== null) {
      const ordered = item[1] === undefined;
      if (paragraph.length > 0 || (list !== undefined && list.ordered !== ordered)) flush();
      list ??= { ordered, items: [] };
      list.items.push(inlines((item[2] ?? '').trimStart()));
    } else if (line.trim() === '') flush();
    else {
      if (list !== undefined) flush();
      paragraph.push(line.trim());
    }
  }
  if (code !== undefined) blocks.push({ is: 'code', text: code.join('\n') });
  flush();
  return blocks;
}
