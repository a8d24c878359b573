import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HeadingAnchors } from './documentation/headingAnchors.ts';

const root = join(import.meta.dirname, '..');
const pages = [...globSync('*.md', { cwd: root }), ...globSync('docs/**/*.md', { cwd: root })];

/** The page without its code, where brackets don't mean links. */
function proseOf(page: string): string {
  return readFileSync(join(root, page), 'utf8')
    .replaceAll(/^(`{3,})[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, '')
    .replaceAll(/`[^`\n]*`/g, '');
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^(`{3,})[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, '');
  const anchors = new HeadingAnchors();
  return [...text.matchAll(/^#+ +(.+?) *$/gm)].map(([, heading = '']) => anchors.next(heading));
}

function linksOf(page: string): string[] {
  const prose = proseOf(page);
  const targets = [...prose.matchAll(/\]\(([^)\s]+)[^)]*\)|^\[[^\]]+\]:\s*(\S+)|(?:href|src)="([^"]+)"/gm)].map(
    ([, inline, reference, attribute]) => inline ?? reference ?? attribute ?? '',
  );
  return targets.filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target));
}

describe('the links of the documentation', () => {
  it('are looked for in every page', () => {
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.flatMap(linksOf).length).toBeGreaterThan(20);
  });

  it.each(pages)('of %s lead somewhere', (page) => {
    const broken = linksOf(page).filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : join(dirname(page), decodeURIComponent(path));
      if (!existsSync(join(root, file))) return true;
      return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});

describe('the decisions', () => {
  const names = globSync('*.md', { cwd: join(root, 'docs/decisions') }).filter((name) => /^\d{4}-/.test(name));
  const numbers = names.map((name) => name.slice(0, 4));

  it('have a number each', () => {
    expect(numbers.length).toBeGreaterThan(40);
    expect(numbers.filter((number, place) => numbers.indexOf(number) !== place)).toEqual([]);
  });

  it.each(pages)('are linked in %s by their own numbers', (page) => {
    const links = [...proseOf(page).matchAll(/\[(\d+)\]\([^)]*?(\d{4})-[^)]*\.md[^)]*\)/g)];
    expect(links.filter(([, shown, number]) => Number(shown) !== Number(number)).map(([link]) => link)).toEqual([]);
  });

  it.each(names)('%s is headed by its number', (name) => {
    const [heading] = readFileSync(join(root, 'docs/decisions', name), 'utf8').split('\n');
    expect(Number(/^# (\d+)/.exec(heading ?? '')?.[1])).toBe(Number(name.slice(0, 4)));
  });
});
