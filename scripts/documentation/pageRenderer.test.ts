import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { LinkResolver } from './linkResolver.ts';
import { PageRenderer } from './pageRenderer.ts';
import type { RenderedPage } from './renderedPage.ts';

const root = mkdtempSync(join(tmpdir(), 'tabularium-pages-'));
mkdirSync(join(root, 'docs/guide'), { recursive: true });
for (const file of ['program.ts', 'docs/guide/page.md', 'docs/guide/other.md', 'docs/guide/rows.csv'])
  writeFileSync(join(root, file), '');
afterAll(() => rmSync(root, { recursive: true }));

const links = new LinkResolver(root, new Map([['docs/guide/other.md', 'guide/other.html']]));
const render = (markdown: string): RenderedPage =>
  new PageRenderer(root, links).render({ file: 'docs/guide/page.md', path: 'guide/page.html', markdown });

describe('a page of the documentation', () => {
  it('shows HTML as the text that it is, and leaves out the comment of a generator', () => {
    const { html } = render('<!-- Generated. -->\n\n# A <b>bold</b> title\n\nIn `drivers/<id>` or drivers/<id>.\n');
    expect(html).toContain('A &lt;b&gt;bold&lt;/b&gt; title');
    expect(html).toContain('<code>drivers/&lt;id&gt;</code> or drivers/&lt;id&gt;.');
    expect(html).not.toContain('Generated');
  });

  it('names headings as GitHub does, and links each beside it', () => {
    const { html, title, headings } = render('# Title\n\n## The `docs` command\n\n## Again\n\n## Again\n');
    expect(title).toBe('Title');
    expect(headings.map(({ anchor }) => anchor)).toEqual(['the-docs-command', 'again', 'again-1']);
    expect(html).toContain('<h2 id="again-1">Again</h2><a class="anchor" href="#again-1" aria-label="Link to “Again”">#</a>');
  });

  it('leads to pages of the site, carries files beside them, and names other files of the repository', () => {
    const { html, sections } = render(
      '# T\n\n[a](other.md#x) [b](rows.csv) [c `d`](../../program.ts) [e](https://example.org)\n',
    );
    expect(html).toContain('<a href="other.html#x">a</a>');
    expect(html).toContain('<a href="rows.csv">b</a>');
    expect(html).toContain('<span class="repository" title="In the repository: program.ts">c <code>d</code></span>');
    expect(html).toContain('<a href="https://example.org" class="web" rel="noreferrer">e</a>');
    expect(sections[0]?.links).toEqual(['guide/other.html']);
    expect([...links.carried]).toEqual([['docs/guide/rows.csv', 'guide/rows.csv']]);
  });

  it('shows a link that leads nowhere as text, and reports it', () => {
    expect(render('# T\n\n[a](gone.md)\n').html).toContain('<span class="repository"');
    expect(links.faults).toEqual(['docs/guide/page.md links gone.md, which does not exist.']);
  });

  it('is refused with a picture from elsewhere, and without a title', () => {
    expect(() => render('# T\n\n![a](https://example.org/a.png)\n')).toThrow('which the site does not carry');
    expect(() => render('Text\n')).toThrow('does not begin with a heading');
  });

  it('aligns columns without a style, and has no empty head', () => {
    const { html } = render('# T\n\n| a | b |\n| --- | ---: |\n| 1 | 2 |\n\n| | |\n| --- | --- |\n| 3 | 4 |\n');
    expect(html).toContain('<th class="align-right">b</th>');
    expect(html).not.toContain('style=');
    expect(html.match(/<thead>/g)?.length).toBe(1);
  });

  it('is searched by its sections, with the text of code', () => {
    const { sections } = render('# T\n\nFirst\nline.\n\n## S\n\n```sh\ntabularium docs\n```\n\n| a |\n| --- |\n| cell |\n');
    expect(sections.map(({ heading, text }) => [heading?.text, text])).toEqual([
      [undefined, 'First line.'],
      ['S', 'tabularium docs a cell'],
    ]);
  });
});
