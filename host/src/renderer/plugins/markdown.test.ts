import { describe, expect, it } from 'vitest';
import type { Block, Inline } from './markdown.ts';
import { parseMarkdown, textOf } from './markdown.ts';

const text = (value: string): Inline => ({ is: 'text', text: value });
const line = (...content: Inline[]): Block => ({ is: 'line', content });
const paragraph = (...content: Inline[]): Block => ({ is: 'paragraph', content });

describe('a readme', () => {
  it('is read into headings, paragraphs, lists and code', () => {
    expect(parseMarkdown('# A **driver**\n\nReads rows\nfast.\n\n- one\n- `two`\n\n3. third\n\n```sh\nrun <it>\n```')).toEqual([
      { is: 'heading', level: 1, content: [text('A '), { is: 'strong', content: [text('driver')] }] },
      paragraph(text('Reads rows fast.')),
      { is: 'list', ordered: false, start: 1, items: [[line(text('one'))], [line({ is: 'code', text: 'two' })]] },
      { is: 'list', ordered: true, start: 3, items: [[line(text('third'))]] },
      { is: 'code', text: 'run <it>' },
    ]);
  });

  it('has quotes, nested lists, rules, tables and marks within marks', () => {
    expect(parseMarkdown('> said\n\n- a\n  - b\n\n---\n\n| x | y |\n|---|---|\n| 1 | **2** |\n\n**a *b* ~~c~~**  \nd')).toEqual([
      { is: 'quote', content: [paragraph(text('said'))] },
      {
        is: 'list',
        ordered: false,
        start: 1,
        items: [[line(text('a')), { is: 'list', ordered: false, start: 1, items: [[line(text('b'))]] }]],
      },
      { is: 'rule' },
      {
        is: 'table',
        head: [[[text('x')], [text('y')]]],
        body: [[[text('1')], [{ is: 'strong', content: [text('2')] }]]],
      },
      paragraph(
        {
          is: 'strong',
          content: [text('a '), { is: 'emphasis', content: [text('b')] }, text(' '), { is: 'struck', content: [text('c')] }],
        },
        { is: 'break' },
        text('d'),
      ),
    ]);
  });

  it('links to pages and mailboxes', () => {
    expect(
      parseMarkdown('[a](https://a.example/x) [b](http://b.example) <mailto:me@c.example> [d]\n\n[d]: https://d.example'),
    ).toEqual([
      paragraph(
        { is: 'link', content: [text('a')], href: 'https://a.example/x', destination: 'a.example' },
        text(' '),
        { is: 'link', content: [text('b')], href: 'http://b.example/', destination: 'b.example' },
        text(' '),
        { is: 'link', content: [text('mailto:me@c.example')], href: 'mailto:me@c.example', destination: 'me@c.example' },
        text(' '),
        { is: 'link', content: [text('d')], href: 'https://d.example/', destination: 'd.example' },
      ),
    ]);
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert`1`)',
    '[x](&#106;avascript:alert`1`)',
    '[x](java&Tab;script:alert`1`)',
    '[x](vbscript:x)',
    '[x](data:text/html,x)',
    '[x](data:image/png;base64,AAAA)',
    '[x](file:///etc/passwd)',
    '[x](tabularium://integrations/start-mcp)',
    '[x](blob:https://a.example/1)',
    '[x](//evil.example)',
    '[x](/api/rows)',
    '[x](#top)',
    '[x](ssh://a.example)',
    '<javascript:alert(1)>',
    '[x][1]\n\n[1]: javascript:alert(1)',
    // A user name looks like another host.
    '[x](https://bank.example@evil.example)',
    '[x](https://u:p@a.example)',
    '![x](https://t.example/p.png)',
    '![x](data:image/png;base64,AAAA)',
  ])('does not link or load %s', (markdown) => {
    const blocks = parseMarkdown(markdown);
    expect(blocks).not.toEqual([]);
    expect(JSON.stringify(blocks)).not.toMatch(/"is":"link"|"href"/);
  });

  it('links a picture where its link leads, and shows its description', () => {
    expect(parseMarkdown('[![build](https://t.example/p.png)](https://a.example)')).toEqual([
      paragraph({ is: 'link', content: [text('build')], href: 'https://a.example/', destination: 'a.example' }),
    ]);
  });

  it.each([
    ['the text of another address', '[https://bank.example](https://evil.example/x)', 'https://evil.example/x', 'evil.example'],
    [
      'letters that look like others',
      '[apple](https://\u0430pple.example)',
      'https://xn--pple-43d.example/',
      'xn--pple-43d.example',
    ],
    ['a direction mark', '[x](https://a.example/\u202Emoc.knab)', 'https://a.example/%E2%80%AEmoc.knab', 'a.example'],
    ['no text', '[ ](https://evil.example)', 'https://evil.example/', 'evil.example'],
  ])('names the destination of a link: %s', (_name, markdown, href, destination) => {
    const [block] = parseMarkdown(markdown);
    expect(block).toMatchObject({ is: 'paragraph', content: [{ is: 'link', href, destination }] });
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'a <b onclick=x>b</b>',
    '<!-- c -->',
    '<?x?>',
    '<![CDATA[x]]>',
  ])('shows HTML as the text that it is: %s', (html) => {
    expect(parseMarkdown(html)).toEqual([paragraph(text(html))]);
  });

  it('is read as plain text too', () => {
    expect(textOf([text('a'), { is: 'break' }, { is: 'strong', content: [{ is: 'code', text: 'b' }] }])).toBe('a b');
  });

  it('ends an unterminated code block', () => {
    expect(parseMarkdown('```\nopen')).toEqual([{ is: 'code', text: 'open' }]);
  });

  it('is cut after 100,000 characters and 2,000 lines', () => {
    expect(parseMarkdown(`${'a'.repeat(100_000)}tail`)).toEqual([paragraph(text('a'.repeat(100_000)))]);
    expect(parseMarkdown('# a\n'.repeat(3_000))).toHaveLength(2_000);
  });

  it.each([
    ['a paragraph of links', '<https://a.example> '.repeat(5_000), 'https://a.example'],
    ['a wide table', `|${'a|'.repeat(10_001)}\n|${'-|'.repeat(10_001)}`, 'a'],
  ])('keeps the beginning of a part that is too large: %s', (_name, markdown, first) => {
    const [before, large] = parseMarkdown(`before\n\n${markdown}`);
    expect(before).toEqual(paragraph(text('before')));
    expect(JSON.stringify(large)).toContain(JSON.stringify(text(first)));
  });
});

describe('a relative link', () => {
  const base = 'https://github.com/ada/shelf/blob/HEAD/drivers/one/';
  const linked = (href: string, from?: string): string | undefined => {
    const [block] = parseMarkdown(`[x](${href})`, from);
    const [part] = block?.is === 'paragraph' ? block.content : [];
    return part?.is === 'link' ? part.href : undefined;
  };

  it.each([
    ['docs/guide.md#use', `${base}docs/guide.md#use`],
    ['./LICENSE', `${base}LICENSE`],
    ['../two/README.md', 'https://github.com/ada/shelf/blob/HEAD/drivers/two/README.md'],
    ['https://example.com/a', 'https://example.com/a'],
  ])('%s leads to %s', (href, address) => {
    expect(linked(href, base)).toBe(address);
  });

  it.each(['#use', '//example.com/a', '/settings/keys', '../../../../../../login', 'javascript:alert(1)'])(
    '%s is text',
    (href) => {
      expect(linked(href, base)).toBeUndefined();
    },
  );

  it('is text where the package says nothing of its repository', () => {
    expect(linked('docs/guide.md')).toBeUndefined();
  });
});

describe('a hostile readme', () => {
  const megabyte = (part: string): string => part.repeat(Math.ceil(1_000_000 / part.length));

  it.each([
    ['brackets that nothing closes', megabyte('[')],
    ['links that nothing closes', megabyte('[a](')],
    ['titles that nothing closes', megabyte('[a](b "')],
    ['pictures that nothing closes', megabyte('![')],
    ['10,000 deep quotes', `${'> '.repeat(10_000)}a`],
    ['10,000 deep lists', `${'- '.repeat(10_000)}a`],
    ['10,000 deep emphasis', `${'*a **a '.repeat(10_000)}`],
    ['10,000 deep links', `${'['.repeat(10_000)}a${'](https://a.example)'.repeat(10_000)}`],
    ['backticks of every length', Array.from({ length: 1_400 }, (_, length) => '`'.repeat(length)).join(' ')],
    ['references', Array.from({ length: 60_000 }, (_, number) => `[${number}]: b`).join('\n')],
    ['a table of empty cells', `|${'a|'.repeat(100)}\n|${'-|'.repeat(100)}\n${megabyte('|\n')}`],
    ['comments that nothing closes', megabyte('<!--')],
    ['entities', megabyte('&amp;')],
    ['lazy lines of a quote', `> a\n${megabyte('a\n')}`],
  ])('is read in bounded time, into a bounded tree: %s', (_name, markdown) => {
    const started = process.threadCpuUsage();
    const { parts, depth } = measure(parseMarkdown(markdown));
    // Measured: 10 to 700 ms.
    const { user, system } = process.threadCpuUsage(started);
    // In microseconds of this thread's own work: how busy the machine is does not count.
    expect(user + system).toBeLessThan(5_000_000);
    expect(parts).toBeLessThan(20_000);
    expect(depth).toBeLessThan(50);
  });
});

function measure(value: unknown, depth = 0): { parts: number; depth: number } {
  const within = typeof value === 'object' && value !== null ? Object.values(value) : [];
  const found = within.map((part) => measure(part, depth + 1));
  const isPart = typeof value === 'object' && value !== null && 'is' in value;
  return {
    parts: found.reduce((sum, { parts }) => sum + parts, isPart ? 1 : 0),
    depth: Math.max(depth, ...found.map((part) => part.depth)),
  };
}
