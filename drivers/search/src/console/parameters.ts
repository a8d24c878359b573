/** A parameter of a query, or a member of a body. */
export interface Parameter {
  readonly name: string;
  /** As in a route. */
  readonly since?: number;
  readonly until?: number;
}

const all = (text: string): Parameter[] => text.split(/\s+/).map((name) => ({ name }));
const from = (since: number, text: string): Parameter[] => all(text).map((parameter) => ({ ...parameter, since }));
const before = (until: number, text: string): Parameter[] => all(text).map((parameter) => ({ ...parameter, until }));

/** Parameters of a search, the most used first. Each occurs in the server's program of 29.0 or 30.0-dev. */
export const SEARCH_PARAMETERS: readonly Parameter[] = [
  ...all('q query_by filter_by sort_by per_page page limit offset facet_by max_facet_values group_by group_limit'),
  ...all('include_fields exclude_fields highlight_fields num_typos prefix infix use_cache query_by_weights preset'),
  ...all('facet_query facet_query_num_typos facet_return_parent facet_sample_percent facet_sample_threshold'),
  ...from(27, 'facet_strategy'),
  ...from(30, 'facet_sample_slope'),
  ...all('min_len_1typo min_len_2typo split_join_tokens typo_tokens_threshold drop_tokens_threshold drop_tokens_mode'),
  ...all('enable_typos_for_numerical_tokens'),
  ...from(27, 'enable_typos_for_alpha_numerical_tokens synonym_prefix synonym_num_typos'),
  ...from(27.01, 'enable_synonyms enable_analytics'),
  ...all('exhaustive_search search_cutoff_ms cache_ttl max_candidates pre_segmented_query max_extra_prefix max_extra_suffix'),
  ...all('prioritize_exact_match prioritize_token_position prioritize_num_matching_fields text_match_type stopwords'),
  ...before(30, 'enable_overrides override_tags'),
  ...from(
    30,
    'enable_curations curation_tags curation_sets synonym_sets demote_synonym_match diversity_lambda group_max_candidates',
  ),
  ...all('pinned_hits hidden_hits filter_curated_hits highlight_full_fields highlight_affix_num_tokens highlight_start_tag'),
  ...all('highlight_end_tag enable_highlight_v1 snippet_threshold limit_hits group_missing_values enable_lazy_filter'),
  ...all('vector_query remote_embedding_timeout_ms remote_embedding_num_tries voice_query'),
  ...all('conversation conversation_model_id conversation_id'),
  ...from(28, 'rerank_hybrid_matches max_filter_by_candidates validate_field_names'),
  ...from(28, 'personalization_user_id personalization_model_id personalization_type personalization_user_field'),
  ...from(28, 'personalization_item_field personalization_n_events'),
  ...from(29, 'conversation_stream nl_query nl_model_id nl_query_prompt_cache_ttl nl_query_debug'),
];

export const SCHEMA_MEMBERS: readonly Parameter[] = [
  ...all('name fields default_sorting_field enable_nested_fields token_separators symbols_to_index metadata'),
  ...all('voice_query_model'),
  ...from(30, 'synonym_sets curation_sets'),
];

export const FIELD_MEMBERS: readonly Parameter[] = [
  ...all('name type optional facet index sort infix locale stem num_dim vec_dist reference embed range_index'),
  ...from(27, 'store async_reference'),
  ...from(28, 'stem_dictionary'),
  // By the documentation: 30.0-dev takes them and ignores them.
  ...from(30, 'truncate_len cascade_delete'),
];

export const EXPORT_PARAMETERS: readonly Parameter[] = all('filter_by include_fields exclude_fields batch_size');

export const IMPORT_PARAMETERS: readonly Parameter[] = all(
  'action batch_size dirty_values return_id return_doc remote_embedding_batch_size remote_embedding_timeout_ms remote_embedding_num_tries',
);
