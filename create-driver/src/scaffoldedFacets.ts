/** One facet that a new project can begin with. */
interface ScaffoldedFacet {
  /** For the help. */
  readonly what: string;
  /** The parameters of the function that makes it, in `src/facets/`. */
  readonly parameters: string;
  /** Another facet that a session with this one has to have. */
  readonly needs?: string;
  /** Whether the conformance plan needs facts about it, which are in `test/known/`. */
  readonly known: boolean;
}

/** The facets that a new project can begin with, in the order of the session's members. */
export const SCAFFOLDED_FACETS = {
  search: { what: 'ranked search', parameters: 'link, tables', known: false },
  objects: { what: 'named things beside tables', parameters: 'link, tables', known: true },
  import: { what: 'many rows into a table', parameters: 'link, tables', known: true },
  activity: { what: 'running statements, and their end', parameters: 'link', known: true },
  console: { what: 'statements', parameters: 'link, tables', known: true },
  explain: { what: 'plans of statements; brings console', parameters: 'link', needs: 'console', known: false },
} as const satisfies Readonly<Record<string, ScaffoldedFacet>>;

export type FacetToScaffold = keyof typeof SCAFFOLDED_FACETS;

function isScaffolded(name: string): name is FacetToScaffold {
  return Object.hasOwn(SCAFFOLDED_FACETS, name);
}

/**
 * The facets of a list such as `search,import`, with those that they need, in the order of the session's members.
 *
 * @returns the names, or the first one that can't be scaffolded
 */
export function facetsOf(list: string): readonly FacetToScaffold[] | { readonly unknown: string } {
  const names = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = names.find((name) => !isScaffolded(name));
  if (unknown !== undefined) return { unknown };
  const wanted = new Set<string>(names.filter(isScaffolded).flatMap((name) => [name, needsOf(name)]));
  return Object.keys(SCAFFOLDED_FACETS).filter((name): name is FacetToScaffold => wanted.has(name));
}

function needsOf(name: FacetToScaffold): string {
  const facet: ScaffoldedFacet = SCAFFOLDED_FACETS[name];
  return facet.needs ?? name;
}

/** The lines of the project’s own files about its facets, by the name of the comment that they replace. */
export function facetLines(facets: readonly FacetToScaffold[]): Readonly<Record<string, readonly string[]>> {
  const known = facets.filter((name) => SCAFFOLDED_FACETS[name].known);
  const capital = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const knownName = (name: FacetToScaffold): string => (name === 'import' ? 'knownImports' : `known${capital(name)}`);
  return {
    facetImports: facets.map((name) => `import { ${name}Facet } from './facets/${name}.ts';`),
    facetMembers: facets.map((name) => `${name}: ${name}Facet(${SCAFFOLDED_FACETS[name].parameters}),`),
    knownImports: known.map((name) => `import { ${knownName(name)} } from './known/${name}.ts';`),
    known: known.map((name) => `...${knownName(name)},`),
  };
}
