import { excerpt, markedParts } from './markedText.ts';
import type { SearchFile } from './searchOptions.ts';
import { SiteSearch } from './siteSearch.ts';
import type { Hit } from './siteSearch.ts';

/** The field of the search with its list of hits: a combobox, whose list the arrow keys walk while the focus stays in the field. */
export class SearchBox {
  readonly #site: string;
  readonly #field: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #layer: HTMLElement;
  readonly #status: HTMLElement;
  #search: Promise<SiteSearch> | undefined;
  #hits: readonly Hit[] = [];
  #chosen = 0;

  /** @param site - the address of the site, as the page writes it */
  constructor(box: HTMLElement, site: string) {
    this.#site = site;
    this.#field = within(box, 'input') as HTMLInputElement;
    this.#layer = within(box, '.found');
    this.#list = within(box, '[role="listbox"]');
    this.#status = within(box, '[role="status"]');
    this.#field.addEventListener('input', () => void this.#update());
    this.#field.addEventListener('focus', () => {
      void this.#load().catch(() => undefined);
      if (this.#field.value !== '') void this.#update();
    });
    this.#field.addEventListener('keydown', (event) => this.#press(event));
    box.addEventListener('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && box.contains(relatedTarget))) this.#close();
    });
    // The focus stays in the field.
    this.#list.addEventListener('mousedown', (event) => event.preventDefault());
    document.addEventListener('keydown', (event) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyped(event.target)) return;
      event.preventDefault();
      this.#field.focus();
      this.#field.select();
    });
  }

  #load(): Promise<SiteSearch> {
    this.#search ??= fetch(`${this.#site}assets/search.json`)
      .then(async (answer) => {
        if (!answer.ok) throw new Error(`${answer.status}`);
        return new SiteSearch((await answer.json()) as SearchFile);
      })
      .catch((error: unknown) => {
        // The next letter tries it again.
        this.#search = undefined;
        throw error;
      });
    return this.#search;
  }

  async #update(): Promise<void> {
    const text = this.#field.value;
    if (text.trim() === '') return this.#close();
    try {
      const search = await this.#load();
      // Another letter came meanwhile.
      if (this.#field.value !== text) return;
      this.#show(search.find(text));
    } catch {
      this.#show([], 'The index of the search could not be read. Load the page again.');
    }
  }

  #show(hits: readonly Hit[], message?: string): void {
    this.#hits = hits;
    this.#chosen = 0;
    this.#list.replaceChildren(...hits.map((hit, at) => this.#option(hit, at)));
    this.#list.hidden = hits.length === 0;
    this.#layer.hidden = false;
    this.#field.setAttribute('aria-expanded', String(hits.length > 0));
    const found = hits.length === 1 ? '1 result' : `${hits.length} results`;
    this.#status.textContent = message ?? (hits.length === 0 ? 'No page has all these words.' : found);
    this.#choose(0);
  }

  #option(hit: Hit, at: number): HTMLElement {
    const option = element('li', 'hit');
    option.id = `hit-${at}`;
    option.setAttribute('role', 'option');
    const where = element('span', 'where');
    where.append(...marked(hit.title, hit.words));
    if (hit.heading !== '') where.append(' › ', ...marked(hit.heading, hit.words));
    const text = element('span', 'excerpt');
    text.append(...marked(excerpt(hit.text, hit.words), hit.words));
    option.append(where, text);
    option.addEventListener('click', () => this.#follow(hit));
    option.addEventListener('mousemove', () => this.#choose(at));
    return option;
  }

  #choose(at: number): void {
    this.#chosen = at;
    [...this.#list.children].forEach((option, place) => option.setAttribute('aria-selected', String(place === at)));
    if (this.#hits.length === 0) this.#field.removeAttribute('aria-activedescendant');
    else this.#field.setAttribute('aria-activedescendant', `hit-${at}`);
  }

  #press(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      event.preventDefault();
      if (this.#layer.hidden) this.#field.blur();
      else this.#close();
      return;
    }
    if (this.#layer.hidden || this.#hits.length === 0 || event.isComposing) return;
    const count = this.#hits.length;
    const to = { ArrowDown: (this.#chosen + 1) % count, ArrowUp: (this.#chosen + count - 1) % count }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      this.#choose(to);
      this.#list.children[to]?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      const hit = this.#hits[this.#chosen];
      if (hit !== undefined) this.#follow(hit);
    }
  }

  #follow({ address }: Hit): void {
    this.#close();
    this.#field.blur();
    location.assign(new URL(`${this.#site}${address}`, location.href));
  }

  #close(): void {
    this.#layer.hidden = true;
    this.#field.setAttribute('aria-expanded', 'false');
    this.#field.removeAttribute('aria-activedescendant');
  }
}

function within(box: HTMLElement, selector: string): HTMLElement {
  const found = box.querySelector<HTMLElement>(selector);
  if (found === null) throw new Error(`The search has no ${selector}.`);
  return found;
}

function element(tag: string, className: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  return made;
}

function marked(text: string, words: readonly string[]): Node[] {
  return markedParts(text, words).map((part) => {
    if (!part.isMarked) return document.createTextNode(part.text);
    const mark = document.createElement('mark');
    mark.textContent = part.text;
    return mark;
  });
}

function isTyped(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, select, textarea') !== null;
}
