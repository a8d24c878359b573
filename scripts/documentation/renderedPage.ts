/** A heading of a page. */
export interface PageHeading {
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
}

/** The text between two headings, for the search. */
export interface PageSection {
  /** Undefined: what is before the first heading below the title. */
  readonly heading: PageHeading | undefined;
  readonly text: string;
  /** The pages that it links, in their order: paths of the site. */
  readonly links: readonly string[];
}

/** A page of Markdown as HTML, with what the pages around it need to name it. */
export interface RenderedPage {
  readonly title: string;
  readonly html: string;
  /** Without the title. */
  readonly headings: readonly PageHeading[];
  readonly sections: readonly PageSection[];
}
