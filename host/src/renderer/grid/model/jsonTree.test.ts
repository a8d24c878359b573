import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeText, parseTree, pathOf, visibleLines } from './jsonTree.ts';
import type { JsonNode } from './jsonTree.ts';

function plain(node: JsonNode): unknown {
  if (node.is === 'object') return Object.fromEntries(node.members.map(([name, child]) => [name, plain(child)]));
  if (node.is === 'array') return node.items.map(plain);
  return node.is === 'text' ? node.text : JSON.parse(node.text);
}

describe('parseTree', () => {
  it('keeps numbers as they were written, and names that look like numbers in their order', () => {
    const tree = parseTree(' { "b" : 9007199254740993 , "1" : 1.50, "b2": [ ] } ');
    expect(tree).toMatchObject({
      is: 'object',
      members: [
        ['b', { is: 'number', text: '9007199254740993' }],
        ['1', { is: 'number', text: '1.50' }],
        ['b2', { is: 'array', items: [] }],
      ],
    });
  });

  it('reads every JSON value', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(plain(parseTree(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it("refuses what isn't valid JSON, and what is too deep", () => {
    expect(() => parseTree('{"a":}')).toThrow(SyntaxError);
    expect(() => parseTree(`${'['.repeat(1_000)}${']'.repeat(1_000)}`)).toThrow(RangeError);
  });
});

describe('visibleLines', () => {
  it('lists what is open', () => {
    const tree = parseTree('{"a":{"b":[1,2]},"c":null}');
    const names = (depthOpen: number) => visibleLines(tree, (_node, depth) => depth < depthOpen).map(({ name }) => name);
    expect(names(0)).toEqual([undefined]);
    expect(names(1)).toEqual([undefined, 'a', 'c']);
    expect(names(9)).toEqual([undefined, 'a', 'b', '0', '1', 'c']);
  });
});

describe('a part of the tree', () => {
  const root = parseTree('{"hits":[{"document":{"two words":[1,90071992547409931]}}],"offers.price":"x"}');
  const lines = visibleLines(root, () => true);

  it('has a path', () => {
    expect(lines.map((_line, place) => pathOf(lines, place))).toEqual([
      '',
      'hits',
      'hits[0]',
      'hits[0].document',
      'hits[0].document["two words"]',
      'hits[0].document["two words"][0]',
      'hits[0].document["two words"][1]',
      'offers.price',
    ]);
  });

  it('is copied with every digit, and a text bare', () => {
    expect(nodeText(lines[3]?.node as JsonNode)).toBe('{"two words":[1,90071992547409931]}');
    expect(nodeText(lines.at(-1)?.node as JsonNode)).toBe('x');
  });
});
