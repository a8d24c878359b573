import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { exampleServices, renderPart } from '../testing/renderWindow.test-helper.tsx';
import { Readme } from './Readme.tsx';

async function renderReadme(markdown: string): Promise<HTMLElement> {
  await renderPart(
    <section aria-label="Read me">
      <Readme markdown={markdown} />
    </section>,
    exampleServices(),
  );
  const region = page.getByRole('region', { name: 'Read me' });
  await expect.element(region).toBeVisible();
  return region.element() as HTMLElement;
}

describe('a readme', () => {
  it('is drawn as headings, lists, tables, quotes and code', async () => {
    const element = await renderReadme(
      '# Title\n\n### Part\n\n1. one\n   - two\n\n> said\n\n|x|y|\n|-|-|\n|1|2|\n\n```\ncode\n```\n',
    );
    const drawn = [...element.querySelectorAll('h4, h5, ol > li, ol ul > li, blockquote > p, th, td, pre')];
    expect(drawn.map((part) => `${part.localName} ${part.textContent}`)).toEqual([
      'h4 Title',
      'h5 Part',
      'li onetwo',
      'li two',
      'p said',
      'th x',
      'th y',
      'td 1',
      'td 2',
      'pre code',
    ]);
  });

  it('opens a link in a window of its own that learns nothing of this one, and names its destination', async () => {
    const element = await renderReadme(
      '[https://bank.example](https://evil.example/x) [ ](https://a.example) <https://b.example>',
    );
    const links = [...element.querySelectorAll('a')];
    expect(links.map(({ href, target, rel }) => ({ href, target, rel }))).toEqual(
      ['https://evil.example/x', 'https://a.example/', 'https://b.example/'].map((href) => ({
        href,
        target: '_blank',
        rel: 'noreferrer noopener',
      })),
    );
    expect(links.map(({ textContent }) => textContent)).toEqual([
      'https://bank.example (evil.example)',
      'a.example',
      'https://b.example (b.example)',
    ]);
  });

  it('makes no element of its HTML and loads nothing', async () => {
    const element = await renderReadme(
      '<script>window.hit = 1</script>\n\n<img src=https://t.example/1.png onerror="window.hit = 1">\n\n' +
        '<a href="javascript:window.hit = 1">x</a> ![p](https://t.example/2.png) [x](javascript:window.hit=1)\n\n<iframe srcdoc="x"></iframe>',
    );
    expect(element.querySelectorAll('script, img, iframe, a, [onerror], style, link')).toHaveLength(0);
    expect(element.textContent).toContain('<img src=https://t.example/1.png onerror="window.hit = 1">');
    expect(performance.getEntriesByType('resource').filter(({ name }) => name.includes('t.example'))).toEqual([]);
    expect('hit' in window).toBe(false);
  });
});
