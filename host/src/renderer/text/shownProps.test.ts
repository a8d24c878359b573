import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Fragment, jsx, jsxs } from './jsxRuntime.ts';
import { shownProps } from './shownProps.ts';

const html = (type: string, props: Readonly<Record<string, unknown>>): string => renderToStaticMarkup(jsx(type as 'p', props));

describe('text on the page', () => {
  it('shows hidden characters of text and of every attribute that is shown or read aloud', () => {
    expect(html('p', { children: 'a\u202eb', title: '\u200b', 'aria-label': '\u2066x' })).toBe(
      '<p title="⟨U+200B⟩" aria-label="⟨U+2066⟩x">a⟨U+202E⟩b</p>',
    );
    expect(html('img', { alt: '\u00ad' })).toContain('alt="⟨U+00AD⟩"');
    expect(html('input', { placeholder: '\u061c' })).toContain('placeholder="⟨U+061C⟩"');
  });

  it('shows those of children in lists, nested too, and leaves elements and numbers alone', () => {
    const inner = jsx('b', { children: '\u202d' });
    expect(renderToStaticMarkup(jsxs('p', { children: ['\u200b', 5, null, inner, ['\u200c']] }))).toBe(
      '<p>⟨U+200B⟩5<b>⟨U+202D⟩</b>⟨U+200C⟩</p>',
    );
  });

  it('shows those of fragments', () => {
    expect(renderToStaticMarkup(jsx(Fragment, { children: 'a\u202eb' }))).toBe('a⟨U+202E⟩b');
    expect(renderToStaticMarkup(jsxs(Fragment, { children: ['\u200b', 5, 'a שלום'] }))).toBe('⟨U+200B⟩5a שלום');
  });

  it('keeps what is edited and where links lead', () => {
    expect(html('input', { value: 'a\u202eb', readOnly: true })).toContain('value="a\u202eb"');
    expect(html('a', { href: '#\u202e', children: 'x' })).toContain('href="#\u202e"');
  });

  it('isolates right-to-left text beside other text and digits, and nowhere else', () => {
    expect(html('p', { children: 'Delete “שלום עולם” 5 rows' })).toBe('<p>Delete “<bdi>שלום עולם</bdi>” 5 rows</p>');
    expect(html('p', { children: 'שלום 5' })).toBe('<p><bdi>שלום</bdi> 5</p>');
    expect(html('p', { children: 'שלום עולם' })).toBe('<p>שלום עולם</p>');
    expect(html('option', { children: 'a שלום' })).toBe('<option>a שלום</option>');
    expect(html('p', { title: 'a שלום' })).toBe('<p title="a שלום"></p>');
  });

  it('keeps emoji and Persian whole', () => {
    expect(html('p', { children: '👩🏽‍💻' })).toBe('<p>👩🏽‍💻</p>');
    expect(html('p', { children: 'می\u200cخواهم' })).toBe('<p>می\u200cخواهم</p>');
  });

  it('makes no copy where there is nothing to change', () => {
    const props = { children: ['a', 'b'], title: 'c' };
    expect(shownProps('p', props)).toBe(props);
  });
});
