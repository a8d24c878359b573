import { describe, expect, it } from 'vitest';
import { parseMarkdown } from './markdown.ts';

const text = (value: string) => ({ is: 'text', text: value });

describe('a readme', () => {
  it('is read into headings, paragraphs, lists and code', () => {
    expect(parseMarkdown('# A **driver**\n\nReads rows\nfast.\n\n- one\n- `two`\n\n1. first\n\n```sh\nrun <it>\n```')).toEqual([
      { is: 'heading', level: 1, content: [text('A '), { is: 'strong', text: 'driver' }] },
      { is: 'paragraph', content: [text('Reads rows fast.')] },
      { is: 'list', ordered: false, items: [[text('one')], [{ is: 'code', text: 'two' }]] },
      { is: 'list', ordered: true, items: [[text('first')]] },
      { is: 'code', text: 'run <it>' },
    ]);
  });

  it('leads to https alone, and fetches no picture', () => {
    expect(
      parseMarkdown(
        '[good](https://a.example/x) [bad](javascript:alert(1)) [plain](http://a.example) ![p](https://t.example/p.png)',
      ),
    ).toEqual([
      {
        is: 'paragraph',
        content: [
          { is: 'link', text: 'good', href: 'https://a.example/x', host: 'a.example' },
          text(' [bad](javascript:alert(1)) '),
          text('plain'),
          text(' '),
          text('p'),
        ],
      },
    ]);
  });

  it.each([
    ['words of another address', '[https://bank.example](https://evil.example/x)', 'https://evil.example/x', 'evil.example'],
    [
      'letters that look like others',
      '[apple](https://\u0430pple.example)',
      'https://xn--pple-43d.example/',
      'xn--pple-43d.example',
    ],
    ['a direction mark', '[x](https://a.example/\u202Emoc.knab)', 'https://a.example/%E2%80%AEmoc.knab', 'a.example'],
    ['no words', '[ ](https://evil.example)', 'https://evil.example/', 'evil.example'],
  ])('names where a link leads: %s', (_name, markdown, href, host) => {
    const [block] = parseMarkdown(markdown);
    expect(block).toMatchObject({ is: 'paragraph', content: [{ is: 'link', href, host }] });
  });

  it('follows no address with a user name, which looks like another host', () => {
    expect(parseMarkdown('[x](https://bank.example@evil.example) [y](https://u:p@a.example)')).toEqual([
      { is: 'paragraph', content: [text('x'), text(' '), text('y')] },
    ]);
  });

  it('is cut, and what nothing closes is read once', () => {
    const brackets = '['.repeat(100_000);
    expect(parseMarkdown(`${brackets}tail`)).toEqual([{ is: 'paragraph', content: [text(brackets)] }]);
    const long = `[${'a'.repeat(501)}](https://a.example)`;
    expect(parseMarkdown(long)).toEqual([{ is: 'paragraph', content: [text(long)] }]);
  });

  it('shows HTML as the text that it is, and ends code that nobody ended', () => {
    expect(parseMarkdown('<script>alert(1)</script>\n```\nopen')).toEqual([
      { is: 'paragraph', content: [text('<script>alert(1)</script>')] },
      { is: 'code', text: 'open' },
    ]);
  });
});
