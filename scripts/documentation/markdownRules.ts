import MarkdownIt from 'markdown-it';

// The pages hold no HTML: `<` is a letter in them, and the policy of the site allows neither scripts nor styles in a page.
const markdownIt = new MarkdownIt('commonmark', { html: false }).enable(['table', 'strikethrough']);

const { rules } = markdownIt.renderer;
// A wide table scrolls in a box of its own: the page never scrolls sideways.
rules['table_open'] = () => '<div class="table"><table>\n';
rules['table_close'] = () => '</table></div>\n';

/** The link is beside its heading, so that the heading's name has no sign of it. */
rules['heading_open'] = (tokens, at, options, _env, self) =>
  `${tokens[at]?.tag === 'h1' ? '' : '<div class="heading">'}${self.renderToken(tokens, at, options)}`;
rules['heading_close'] = (tokens, at) => {
  const { tag = '' } = tokens[at] ?? {};
  const name = tokens[at - 1]?.content ?? '';
  const anchor = String(tokens[at - 2]?.attrGet('id') ?? '');
  if (tag === 'h1') return '</h1>\n';
  const label = escapeHtml(`Link to “${name.replaceAll('`', '')}”`);
  return `</${tag}><a class="anchor" href="#${escapeHtml(anchor)}" aria-label="${label}">#</a></div>\n`;
};

const block = (content: string): string => `<div class="code"><pre><code>${escapeHtml(content)}</code></pre></div>\n`;
rules['fence'] = (tokens, at) => block(tokens[at]?.content ?? '');
rules['code_block'] = (tokens, at) => block(tokens[at]?.content ?? '');

/** Text for an element or an attribute of a page. */
export function escapeHtml(text: string): string {
  return markdownIt.utils.escapeHtml(text);
}

/** Reads the Markdown of the documentation: CommonMark with tables and strikethrough. */
export function parsePage(markdown: string): ReturnType<typeof markdownIt.parse> {
  return markdownIt.parse(markdown, {});
}

/** Writes parsed Markdown as HTML. */
export function writePage(tokens: ReturnType<typeof markdownIt.parse>): string {
  return markdownIt.renderer.render(tokens, markdownIt.options, {});
}
