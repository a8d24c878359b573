import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { bundlePage } from './bundlePage.ts';
import { folderLists, listPage } from './folderLists.ts';
import { LinkResolver } from './linkResolver.ts';
import { navigation } from './navigation.ts';
import { PageRenderer } from './pageRenderer.ts';
import { missingPage, pageTemplate } from './pageTemplate.ts';
import type { SiteFrame } from './pageTemplate.ts';
import { searchFile } from './searchFile.ts';
import type { SitePage } from './sitePage.ts';
import { sourcePages } from './sourcePages.ts';

/** More than twice of its size now. A larger file doesn't belong here. */
const MOST_BYTES = 16 * 1024 * 1024;

const packageSchema = z.object({ version: z.string() });

interface BuiltDocumentation {
  /** The modules of packages in its scripts. */
  readonly modules: readonly string[];
  /** Links that lead nowhere. */
  readonly faults: readonly string[];
}

/**
 * Builds the site of the documentation: every page of Markdown, the pictures that they show, and the search. The same pages give the same files.
 *
 * @throws Error for a page that cannot be shown, and for a site that is too large
 */
export async function buildDocumentation(root: string, folder: string): Promise<BuiltDocumentation> {
  const sources = sourcePages(root);
  const lists = folderLists(sources.map(({ path }) => path));
  const places = [
    ...sources.map(({ file, path }) => [file, path] as const),
    ...lists.map((list) => [list.folder, list.path] as const),
  ];
  const firstOf = sources
    .filter(({ file }) => file.endsWith('/README.md'))
    .map(({ file, path }) => [dirname(file), path] as const);
  const links = new LinkResolver(root, new Map([...places, ...firstOf]));
  const renderer = new PageRenderer(root, links);
  const rendered: SitePage[] = sources.map((source) => ({ ...renderer.render(source), path: source.path, isList: false }));
  const pages = [...rendered, ...lists.map((list) => listPage(list, rendered))];
  const { version } = packageSchema.parse(JSON.parse(await readFile(join(root, 'host/package.json'), 'utf8')));
  const frame: SiteFrame = { version, groups: navigation(pages), pages: new Map(pages.map((page) => [page.path, page])) };

  const site = new SiteWriter(folder);
  for (const page of pages) await site.write(page.path, pageTemplate(frame, page));
  await site.write('404.html', missingPage(frame));
  for (const [file, path] of links.carried) await site.write(path, await readFile(join(root, file)));
  await site.write('assets/search.json', JSON.stringify(searchFile(pages)));
  await site.write('assets/site.css', await readFile(join(root, 'scripts/documentation/page/site.css')));
  await site.write('assets/icon.svg', await readFile(join(root, 'host/src/renderer/icon.svg')));
  return { modules: await bundlePage(root, join(folder, 'assets')), faults: links.faults };
}

/** Writes the files of the site, up to a size. */
class SiteWriter {
  readonly #folder: string;
  #bytes = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async write(path: string, content: string | Uint8Array): Promise<void> {
    this.#bytes += Buffer.byteLength(content);
    if (this.#bytes > MOST_BYTES)
      throw new Error(`The documentation is larger than ${MOST_BYTES} bytes with ${path}. Take large files out of it.`);
    const file = join(this.#folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}
