import { posix } from 'node:path';
import { relativeAddress } from './linkResolver.ts';
import { escapeHtml } from './markdownRules.ts';
import { START_PATH, readingOrder } from './navigation.ts';
import type { NavigationEntry, NavigationGroup } from './navigation.ts';
import type { PageHeading } from './renderedPage.ts';
import type { SitePage } from './sitePage.ts';

/** The whole of the site, as every page shows it. */
export interface SiteFrame {
  readonly version: string;
  readonly groups: readonly NavigationGroup[];
  /** By path. */
  readonly pages: ReadonlyMap<string, SitePage>;
}

/** A longer list of a page's headings is one of its main headings. */
const MOST_HEADINGS = 60;
const FEWEST_HEADINGS = 2;

/** Where a missing page finds the site: the server puts the site's own address there. */
const SITE_PLACE = '__SITE__/';

/** A whole page of the site. */
export function pageTemplate(frame: SiteFrame, page: SitePage): string {
  const to = (path: string): string => relativeAddress(page.path, path);
  return document(frame, {
    title: page.path === START_PATH ? 'Tabularium documentation' : `${page.title} · Tabularium documentation`,
    root: to(START_PATH).slice(0, -START_PATH.length),
    to,
    current: page.path,
    toc: tableOfContents(page.headings),
    className: page.path === START_PATH ? ' class="start"' : '',
    content: [crumbs(frame, page, to), page.html, neighbours(frame, page, to)].join(''),
  });
}

/** The page of an address that does not exist. Its own address may be anywhere below the site. */
export function missingPage(frame: SiteFrame): string {
  const to = (path: string): string => `${SITE_PLACE}${path}`;
  const content =
    '<h1>This page does not exist</h1>\n' +
    `<p>Search for it, choose another one from the navigation, or <a href="${to(START_PATH)}">begin at the start</a>.</p>\n`;
  return document(frame, {
    ...{ title: 'Page not found · Tabularium documentation', root: SITE_PLACE, to, current: '', toc: '', className: '', content },
  });
}

interface Parts {
  readonly title: string;
  /** The address of the site, as the page writes it. */
  readonly root: string;
  readonly to: (path: string) => string;
  readonly current: string;
  readonly toc: string;
  readonly className: string;
  readonly content: string;
}

function document(frame: SiteFrame, { title, root, to, current, toc, className, content }: Parts): string {
  return `<!doctype html>
<html lang="en" data-site="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${root}assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}assets/site.css">
<script src="${root}assets/colors.js"></script>
<script type="module" src="${root}assets/site.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="home" href="${to(START_PATH)}"><img src="${root}assets/icon.svg" alt="" width="20" height="20"> Tabularium <span>${escapeHtml(frame.version)}</span></a>
<div class="tools">
<button class="menu" type="button" aria-expanded="false" aria-controls="navigation">Pages</button>
<search class="search">
<input type="search" role="combobox" aria-label="Search the documentation" aria-keyshortcuts="/" aria-expanded="false" aria-controls="hits" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Search">
<kbd aria-hidden="true">/</kbd>
<div class="found" hidden><p role="status"></p><ul id="hits" role="listbox" aria-label="Results" hidden></ul></div>
</search>
<select id="colors" aria-label="Colours"><option value="system">System</option><option value="light">Light</option><option value="dark">Dark</option></select>
</div>
</header>
<div class="frame">
<nav id="navigation" aria-label="Documentation">
${frame.groups.map((group) => groupList(group, current, to)).join('\n')}
</nav>
${toc}<main id="content" tabindex="-1"${className}>
${content}</main>
</div>
</body>
</html>
`;
}

function groupList({ title, entries }: NavigationGroup, current: string, to: (path: string) => string): string {
  return `<h2>${escapeHtml(title)}</h2>\n<ul>\n${entries.map((entry) => entryItem(entry, current, to)).join('\n')}\n</ul>`;
}

/** The pages of a folder are shown where one of them is: a page that lists all is long, and the site carries it once for each page. */
function entryItem({ page, below }: NavigationEntry, current: string, to: (path: string) => string): string {
  const link = ({ path, title }: SitePage): string =>
    `<a href="${to(path)}"${path === current ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a>`;
  const isHere = [page, ...below].some(({ path }) => path === current);
  const list = isHere && below.length > 0 ? `\n<ul>\n${below.map((one) => `<li>${link(one)}</li>`).join('\n')}\n</ul>` : '';
  return `<li>${link(page)}${list}</li>`;
}

function tableOfContents(headings: readonly PageHeading[]): string {
  const deep = headings.filter(({ level }) => level === 2 || level === 3);
  const shown = deep.length > MOST_HEADINGS ? deep.filter(({ level }) => level === 2) : deep;
  if (shown.length < FEWEST_HEADINGS) return '';
  const items = shown.map(
    ({ level, text, anchor }) => `<li class="level-${level}"><a href="#${escapeHtml(anchor)}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="toc" aria-label="On this page">\n<details open><summary>On this page</summary>\n<ul>\n${items.join('\n')}\n</ul>\n</details>\n</nav>\n`;
}

function crumbs({ pages }: SiteFrame, { path }: SitePage, to: (path: string) => string): string {
  if (path === START_PATH) return '';
  const above: SitePage[] = [];
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    const first = pages.get(posix.join(folder, 'index.html'));
    if (first !== undefined && first.path !== path) above.unshift(first);
    if (folder === '.') break;
  }
  const items = above.map((page) => {
    const title = page.path === START_PATH ? 'Documentation' : page.title;
    return `<li><a href="${to(page.path)}">${escapeHtml(title)}</a></li>`;
  });
  return `<nav class="crumbs" aria-label="Where this page is"><ol>${items.join('')}</ol></nav>\n`;
}

function neighbours({ groups }: SiteFrame, page: SitePage, to: (path: string) => string): string {
  const order = readingOrder(groups);
  const at = order.findIndex(({ path }) => path === page.path);
  if (at === -1) return '';
  const link = (name: string, other: SitePage | undefined): string =>
    other === undefined
      ? ''
      : `<a class="${name}" href="${to(other.path)}"><span>${name === 'next' ? 'Next' : 'Before'}</span> ${escapeHtml(other.title)}</a>`;
  return `<nav class="neighbours" aria-label="Next and previous page">${link('before', order[at - 1])}${link('next', order[at + 1])}</nav>\n`;
}
