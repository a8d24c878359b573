import type { StatementEffect } from '@tabularium/sdk';

/** Read something and change nothing, with or without an argument. */
const LOOKING: ReadonlySet<string> = new Set([
  'collation_list',
  'compile_options',
  'database_list',
  'foreign_key_check',
  'foreign_key_list',
  'function_list',
  'index_info',
  'index_list',
  'index_xinfo',
  'integrity_check',
  'module_list',
  'pragma_list',
  'quick_check',
  'table_info',
  'table_list',
  'table_xinfo',
]);

/** Pragmas that return a value; with an argument they would set it. */
const READING: ReadonlySet<string> = new Set([
  'application_id',
  'auto_vacuum',
  'busy_timeout',
  'cache_size',
  'data_version',
  'encoding',
  'foreign_keys',
  'freelist_count',
  'journal_mode',
  'journal_size_limit',
  'locking_mode',
  'max_page_count',
  'page_count',
  'page_size',
  'recursive_triggers',
  'schema_version',
  'secure_delete',
  'synchronous',
  'temp_store',
  'trusted_schema',
  'user_version',
  'wal_autocheckpoint',
]);

/** Change the file in a way that lasts and that SQLite makes safe; which arguments they take. */
const CHANGING: ReadonlyMap<string, RegExp> = new Map([
  ['application_id', /^-?\d+$/],
  ['user_version', /^-?\d+$/],
  ['auto_vacuum', /^(?:none|full|incremental|[012])$/i],
  ['journal_mode', /^(?:wal|delete|truncate|persist)$/i],
  ['incremental_vacuum', /^\d*$/],
  ['optimize', /^[0-9a-fx]*$/i],
  ['wal_checkpoint', /^(?:passive|full|restart|truncate|)$/i],
]);

/** Settings of the file: every program that opens it finds the new value, and the old one is lost. */
const SETTINGS: ReadonlySet<string> = new Set(['application_id', 'user_version', 'auto_vacuum', 'journal_mode']);

/** The effect of a PRAGMA; undefined for one that is not allowed here. */
export function pragmaEffect(name: string, argument: string | undefined): StatementEffect | undefined {
  const known = name.toLowerCase();
  if (LOOKING.has(known) || (READING.has(known) && argument === undefined)) return 'read';
  if (CHANGING.get(known)?.test(argument ?? '') !== true) return undefined;
  return SETTINGS.has(known) ? 'destructive' : 'write';
}

/** Whether SQLite may prepare it. */
export function isAllowedPragma(name: string, argument: string | undefined, mayWrite: boolean): boolean {
  const effect = pragmaEffect(name, argument);
  return effect === 'read' || (effect !== undefined && mayWrite);
}
