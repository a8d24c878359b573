import { CompletionContext } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { completeJson } from './jsonNames.ts';

const name = (path: string, kind = 'text', nullable = false) => ({ name: path, type: kind, kind, nullable });
const NAMES = [name('title'), name('new', 'boolean', true), name('seller.name'), name('seller.since'), name('parts.size')];

/** The completions where `|` is. */
function offered(marked: string, explicit = false): readonly string[] | undefined {
  const pos = marked.indexOf('|');
  const state = EditorState.create({ doc: marked.replace('|', ''), extensions: [json()] });
  return completeJson(NAMES, new CompletionContext(state, pos, explicit))?.options.map(({ label }) => label);
}

describe('completion of JSON', () => {
  it('offers the names of the table that the object lacks', () => {
    expect(offered('{"|"}')).toEqual(['"title"', '"new"', '"seller"', '"parts"']);
    expect(offered('{"title":"x", "|"}')).toEqual(['"new"', '"seller"', '"parts"']);
    expect(offered('{ | }', true)).toContain('"title"');
  });

  it('offers the names inside nested objects and lists', () => {
    expect(offered('{"seller":{"name":"x","|"}}')).toEqual(['"since"']);
    expect(offered('{"parts":[{"|"}]}')).toEqual(['"size"']);
  });

  it('offers the words that a value may be, and nothing in a text or for an unknown name', () => {
    expect(offered('{"new": |}', true)).toEqual(['true', 'false', 'null']);
    expect(offered('{"new": t|}')).toEqual(['true', 'false', 'null']);
    expect(offered('{"title": "|"}')).toBeUndefined();
    expect(offered('{"unknown": |}', true)).toBeUndefined();
    expect(offered('{|')).toBeUndefined();
  });
});
