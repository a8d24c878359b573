import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainWordFaults } from './eslint/plainWordList.ts';
import { root } from './paths.ts';

/** Every page that is committed. A decision record is left as it was written. */
const pages = globSync(['*.md', '{docs,.github,host,sdk,drivers,registry,create-driver}/**/*.md'], {
  cwd: root,
  exclude: (path) => path.includes('node_modules') || path.includes('dist') || path.startsWith(join('docs', 'decisions')),
});

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

  it('are those of every folder with pages', () => {
    expect(pages).toEqual(
      expect.arrayContaining([
        'CHANGELOG.md',
        'README.md',
        'docs/reference/conformance.md',
        'docs/security/threat-model.md',
        'host/README.md',
      ]),
    );
  });

  it.each(pages)('%s is plain English', (page) => {
    expect(faultsOf(readFileSync(join(root, page), 'utf8'))).toEqual([]);
  });
});
