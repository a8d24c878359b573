import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainWordFaults } from './eslint/plainWordList.ts';
import { root } from './paths.ts';

/** Pages whose sentences are plain. The terms of the conformance kit and of the manifest come from code, so their pages follow that. */
const pages = [
  ...globSync('docs/guide/**/*.md', { cwd: root }),
  ...globSync('docs/reference/facets/*.md', { cwd: root }),
  ...[
    'bridge',
    'command-line',
    'driver-package',
    'editing',
    'export',
    'grid',
    'host-socket',
    'mcp',
    'postgres-driver',
    'search-driver',
    'sqlite-driver',
    'window',
  ].map((name) => `docs/reference/${name}.md`),
];

/** The paragraphs of a page, without code blocks, code and targets of links. */
function sentencesOf(markdown: string): readonly string[] {
  return markdown
    .replaceAll(/^\s*```[^\n]*\n.*?^\s*```$/gmsu, '')
    .replaceAll(/`[^`]*`/gu, 'X')
    .replaceAll(/\]\([^)]*\)/gu, ']')
    .split(/\n\s*\n|\n(?=\s*(?:[-*|>]|\d+\.)\s?)/u)
    .map((text) => text.replaceAll(/\s+/gu, ' '));
}

const faultsOf = (markdown: string): readonly string[] =>
  sentencesOf(markdown).flatMap((text) => plainWordFaults(text).map(({ found, instead }) => `"${found}" (${instead}): ${text}`));

describe('the words of the documentation', () => {
  it('are searched for over the end of a line, and not in code', () => {
    expect(faultsOf('It goes\non.\n\n```ts\nit.knows();\n```\n\nA `told` value.')).toEqual([
      '"goes on" (continues): It goes on.',
    ]);
  });

  it.each(pages)('%s is plain English', (page) => {
    expect(faultsOf(readFileSync(join(root, page), 'utf8'))).toEqual([]);
  });
});
