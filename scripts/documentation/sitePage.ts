import type { RenderedPage } from './renderedPage.ts';

/** A page at its place in the site. */
export interface SitePage extends RenderedPage {
  /** Relative to the site, with forward slashes. */
  readonly path: string;
  /** The list of a folder's pages, which the build makes. */
  readonly isList: boolean;
}
