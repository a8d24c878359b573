import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../paths.ts';
import { buildDocumentation } from './buildDocumentation.ts';
import { sourcePages } from './sourcePages.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabularium-documentation-'));
const again = mkdtempSync(join(tmpdir(), 'tabularium-documentation-again-'));
const SITE = '__SITE__/';
const MEGABYTE = 1024 * 1024;

let faults: readonly string[] = [];
let paths: readonly string[] = [];
/** The text of each page, by its path. */
const pages = new Map<string, string>();

beforeAll(async () => {
  ({ faults } = await buildDocumentation(root, folder));
  paths = filesIn(folder);
  for (const path of paths.filter((name) => name.endsWith('.html'))) {
    const page = readFileSync(join(folder, path), 'utf8');
    // The server puts its own address there.
    pages.set(path, page.replaceAll(SITE, ''));
  }
});
afterAll(() => {
  for (const made of [folder, again]) rmSync(made, { recursive: true });
});

function filesIn(site: string): string[] {
  return globSync('**', { cwd: site })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => statSync(join(site, path)).isFile())
    .sort();
}

const attributesOf = (page: string, name: 'href' | 'src' | 'id'): string[] =>
  [...page.matchAll(/ (href|src|id)="([^"]*)"/g)].flatMap(([, found, value = '']) => (found === name ? [value] : []));
const isOutside = (address: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(address);

/** The fault of one address of a page. */
function fault(from: string, address: string): string | undefined {
  const [path = '', anchor] = address.split('#');
  const to = path === '' ? from : posix.join(posix.dirname(from), path);
  if (!paths.includes(to)) return `${from}: ${address} does not exist`;
  if (anchor === undefined || anchor === '') return undefined;
  return attributesOf(pages.get(to) ?? '', 'id').includes(anchor) ? undefined : `${from}: ${address} has no such anchor`;
}

describe('the site of the documentation', () => {
  it('has a page for every page of the repository', () => {
    expect(pages.size).toBeGreaterThan(150);
    const wanted = sourcePages(root).map(({ path }) => path);
    expect(wanted.filter((path, at) => !pages.has(path) || wanted.indexOf(path) !== at)).toEqual([]);
  });

  it('has no link and no picture that leads nowhere', () => {
    const addresses = [...pages].flatMap(([path, page]) =>
      [...attributesOf(page, 'href'), ...attributesOf(page, 'src')].map((address) => [path, address] as const),
    );
    expect(addresses.length).toBeGreaterThan(5_000);
    expect(faults).toEqual([]);
    const broken = addresses.filter(([, address]) => !isOutside(address)).map(([path, address]) => fault(path, address));
    expect(broken.filter((found) => found !== undefined)).toEqual([]);
  });

  it('finds a wrong link', () => {
    expect(fault('index.html', 'guide/nothing.html')).toContain('does not exist');
    expect(fault('index.html', 'guide/drivers.html#nothing')).toContain('no such anchor');
  });

  it('leads a search to places that exist', () => {
    const file = JSON.parse(readFileSync(join(folder, 'assets/search.json'), 'utf8')) as {
      readonly pages: readonly [string, string][];
      readonly sections: readonly [number, string, string, string][];
    };
    expect(file.sections.length).toBeGreaterThan(1_000);
    const addresses = file.sections.map(([page, anchor]) => `${file.pages[page]?.[0] ?? ''}#${anchor}`);
    expect(addresses.map((address) => fault('index.html', address)).filter((found) => found !== undefined)).toEqual([]);
  });

  it('loads nothing from elsewhere, and has no script and no style inside a page', () => {
    for (const [path, page] of pages) {
      expect(attributesOf(page, 'src').filter(isOutside), path).toEqual([]);
      const links = [...page.matchAll(/<link [^>]*href="([^"]*)"/g)].map(([, address = '']) => address);
      expect(links.filter(isOutside), path).toEqual([]);
      expect(page.match(/<script(?![^>]* src=)|<style| style=| on[a-z]+=/g) ?? [], path).toEqual([]);
    }
  });

  it('has one heading of the first level in each page, and every anchor once', () => {
    for (const [path, page] of pages) {
      expect(page.match(/<h1[ >]/g)?.length, path).toBe(1);
      const ids = attributesOf(page, 'id');
      expect(
        ids.filter((id, at) => ids.indexOf(id) !== at),
        path,
      ).toEqual([]);
    }
  });

  it('has a place for every page in a group that the start page names', () => {
    const start = pages.get('index.html') ?? '';
    const [, navigation = ''] = /<nav id="navigation"[^>]*>([\s\S]*?)<\/nav>/.exec(start) ?? [];
    expect([...navigation.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, title]) => title)).not.toContain('More');
    expect(navigation).toContain('href="guide/window/index.html"');
    const below = pages.get('guide/window/browsing.html') ?? '';
    expect(below).toContain('<a href="browsing.html" aria-current="page">Browsing and filtering</a>');
    expect(below.indexOf('href="connecting.html"')).toBeLessThan(below.indexOf('href="browsing.html" aria-current'));
  });

  it('begins with tasks', () => {
    const start = pages.get('index.html') ?? '';
    const [, tasks = ''] = /<ul>([\s\S]*?)<\/ul>/.exec(start.slice(start.indexOf('<main'))) ?? [];
    const named = [...tasks.matchAll(/<li><a href="[^"]+">([^<]+)<\/a>/g)].map(([, name]) => name);
    expect(named).toEqual([
      ...['Install', 'Connect', 'Browse', 'Edit', 'Search', 'Import', 'Connect an AI client', 'Write a driver'],
    ]);
  });

  it('is small, and the same when it is built again', async () => {
    expect(paths.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0)).toBeLessThan(12 * MEGABYTE);
    await buildDocumentation(root, again);
    expect(filesIn(again)).toEqual(paths);
    for (const path of paths) {
      expect(readFileSync(join(again, path)).equals(readFileSync(join(folder, path))), path).toBe(true);
    }
  });
});
