export const sandboxVersions = ['26.0', '27.1', '28.0', '29.0', '30.0'] as const;

export type SandboxVersion = (typeof sandboxVersions)[number];

/** The differences between the versions, each as it was seen on a real server. */
export interface Features {
  readonly version: SandboxVersion;
  /** 29.0 names the thing that is missing; older ones say "Not Found" on routes and "Not found." in searches. */
  readonly routeNotFound: string;
  readonly searchNotFound: string;
  readonly fieldStore: boolean;
  readonly fieldStemDictionary: boolean;
  readonly collectionMetadata: boolean;
  readonly listExcludeFields: boolean;
  /** A key sees only the collections it may use; 26.0 lists them all. */
  readonly listByKey: boolean;
  /** How `GET …/documents/<id>` treats include_fields and exclude_fields. */
  readonly documentProjection: 'ignored' | 'erase-while-iterating' | 'exact';
  readonly importErrorsCarryDocument: boolean;
  readonly importErrorsCarryId: boolean;
  readonly exportLeaksFlattened: boolean;
  readonly includeStarIsSchemaOnly: boolean;
  readonly alterEcho: 'computed-26' | 'request' | 'computed-28';
  readonly randomSort: boolean;
  readonly exactPrefixFilter: boolean;
  readonly int32RangeCheck: boolean;
  readonly bracketIsGeo: boolean;
  readonly objectFilter: boolean;
  readonly union: boolean;
  readonly truncate: boolean;
  /** A search may say how many words a prefix in its filter is compared with. */
  readonly filterCandidates: boolean;
  readonly snapshotNeedsPath: boolean;
  readonly schemaChangesRoute: boolean;
  readonly cacheStatistics: boolean;
  readonly latencyPercentiles: boolean;
  readonly facetTotalIsLimited: boolean;
  /** The parameters that turn rules off and choose them by tag; each version passes over the names of the other. */
  readonly curationSwitch: 'enable_overrides' | 'enable_curations';
  readonly curationTags: 'override_tags' | 'curation_tags';
  /** A collection names sets of synonyms and of curation rules instead of having its own. */
  /** A field that refers to another collection says whether what it refers to may come later. */
  readonly asyncReferenceShown: boolean;
  readonly sets: boolean;
  /** A search of one collection may leave `q` out; a multi_search may not. */
  readonly queryIsOptional: boolean;
  /** Scores distinguish synonyms from the words that were typed. */
  readonly marksSynonyms: boolean;
  /** A rule's `sort_by` counts though the rule does not match. */
  readonly unmatchedRulesSort: boolean;
}

const order = (version: SandboxVersion): number => sandboxVersions.indexOf(version);

export const featuresOf = (version: SandboxVersion): Features => {
  const from = (first: SandboxVersion): boolean => order(version) >= order(first);
  return {
    version,
    routeNotFound: from('29.0') ? 'Collection not found' : 'Not Found',
    searchNotFound: from('29.0') ? 'Collection not found' : 'Not found.',
    fieldStore: from('27.1'),
    fieldStemDictionary: from('28.0'),
    collectionMetadata: from('27.1'),
    listByKey: from('27.1'),
    listExcludeFields: from('27.1'),
    documentProjection: from('29.0') ? 'exact' : from('27.1') ? 'erase-while-iterating' : 'ignored',
    importErrorsCarryDocument: !from('28.0'),
    importErrorsCarryId: from('27.1'),
    exportLeaksFlattened: !from('27.1'),
    includeStarIsSchemaOnly: !from('27.1'),
    alterEcho: from('28.0') ? 'computed-28' : from('27.1') ? 'request' : 'computed-26',
    randomSort: from('28.0'),
    exactPrefixFilter: from('27.1'),
    int32RangeCheck: from('27.1'),
    bracketIsGeo: !from('29.0'),
    objectFilter: from('29.0'),
    union: from('28.0'),
    truncate: from('29.0'),
    filterCandidates: from('28.0'),
    snapshotNeedsPath: !from('28.0'),
    schemaChangesRoute: from('28.0'),
    cacheStatistics: from('29.0'),
    latencyPercentiles: from('29.0'),
    facetTotalIsLimited: !from('27.1'),
    curationSwitch: from('30.0') ? 'enable_curations' : 'enable_overrides',
    curationTags: from('30.0') ? 'curation_tags' : 'override_tags',
    asyncReferenceShown: from('29.0'),
    sets: from('30.0'),
    queryIsOptional: from('29.0'),
    marksSynonyms: from('30.0'),
    unmatchedRulesSort: !from('30.0'),
  };
};

export const isSandboxVersion = (value: string): value is SandboxVersion => sandboxVersions.some((known) => known === value);
