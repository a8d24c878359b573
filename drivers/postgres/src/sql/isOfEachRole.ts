/**
 * Settings that each role may change for its own session (`USERSET` in the server's program), and the words behind SET that are names of no setting. All others are a superuser's: they let statements change system catalogues, pass over damaged pages, or hide what is
 * done from the server's log. It is a list because asking the server takes a snapshot, after which `SET TRANSACTION ISOLATION LEVEL` is refused.
 */
const OF_EACH_ROLE: ReadonlySet<string> = new Set(
  `
  application_name array_nulls backend_flush_after backslash_quote bytea_output check_function_bodies
  client_connection_check_interval client_encoding client_min_messages commit_siblings constraint_exclusion
  cpu_index_tuple_cost cpu_operator_cost cpu_tuple_cost createrole_self_grant cursor_tuple_fraction datestyle
  debug_parallel_query debug_pretty_print debug_print_parse debug_print_plan debug_print_rewritten
  default_statistics_target default_table_access_method default_tablespace default_text_search_config
  default_toast_compression default_transaction_deferrable default_transaction_isolation default_transaction_read_only
  effective_cache_size effective_io_concurrency enable_async_append enable_bitmapscan enable_distinct_reordering
  enable_gathermerge enable_group_by_reordering enable_hashagg enable_hashjoin enable_incremental_sort
  enable_indexonlyscan enable_indexscan enable_material enable_memoize enable_mergejoin enable_nestloop
  enable_parallel_append enable_parallel_hash enable_partition_pruning enable_partitionwise_aggregate
  enable_partitionwise_join enable_presorted_aggregate enable_self_join_elimination enable_seqscan enable_sort
  enable_tidscan escape_string_warning exit_on_error extra_float_digits file_copy_method force_parallel_mode
  from_collapse_limit geqo geqo_effort geqo_generations geqo_pool_size geqo_seed geqo_selection_bias geqo_threshold
  gin_fuzzy_search_limit gin_pending_list_limit hash_mem_multiplier icu_validation_level
  idle_in_transaction_session_timeout idle_session_timeout intervalstyle io_combine_limit jit jit_above_cost
  jit_inline_above_cost jit_optimize_above_cost join_collapse_limit lc_monetary lc_numeric lc_time
  local_preload_libraries lock_timeout log_parameter_max_length_on_error logical_decoding_work_mem
  maintenance_io_concurrency maintenance_work_mem max_parallel_maintenance_workers max_parallel_workers
  max_parallel_workers_per_gather min_parallel_index_scan_size min_parallel_table_scan_size operator_precedence_warning
  parallel_leader_participation parallel_setup_cost parallel_tuple_cost password_encryption plan_cache_mode
  quote_all_identifiers random_page_cost recursive_worktable_factor restrict_nonsystem_relation_kind role row_security
  schema scram_iterations search_path seed seq_page_cost session session_authorization standard_conforming_strings
  statement_timeout stats_fetch_consistency synchronize_seqscans synchronous_commit tcp_keepalives_count
  tcp_keepalives_idle tcp_keepalives_interval tcp_user_timeout temp_buffers temp_tablespaces time timezone
  timezone_abbreviations transaction transaction_deferrable transaction_isolation transaction_read_only
  transaction_timeout transform_null_equals vacuum_buffer_usage_limit vacuum_cleanup_index_scale_factor
  vacuum_cost_delay vacuum_cost_limit vacuum_cost_page_dirty vacuum_cost_page_hit vacuum_cost_page_miss
  vacuum_failsafe_age vacuum_freeze_min_age vacuum_freeze_table_age vacuum_multixact_failsafe_age
  vacuum_multixact_freeze_min_age vacuum_multixact_freeze_table_age vacuum_truncate wal_sender_timeout
  wal_skip_threshold work_mem xml
  debug_logical_replication_streaming jit_expressions jit_tuple_deforming md5_password_warnings trace_notify trace_sort vacuum_max_eager_freeze_failure_rate xmlbinary xmloption
  `
    .trim()
    .split(/\s+/),
);

/** Whether each role may change a setting for itself. Those with a point belong to extensions and applications. @param name - in small letters */
export function isOfEachRole(name: string): boolean {
  return name.includes('.') || OF_EACH_ROLE.has(name);
}
