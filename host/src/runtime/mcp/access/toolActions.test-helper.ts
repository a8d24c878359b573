/** The action of each tool for the policy: a column of the policy's table. By hand, as {@link POLICY_TABLE} is, and printed with it. */
export const TOOL_ACTIONS = `
  tool                           asks for
  list_connections               see
  get_connection_status          describe
  list_tables                    describe
  describe_table                 describe
  search_schema                  describe
  get_table_definition           describe
  browse_table                   read
  count_rows                     read
  ranked_search                  read
  profile_table                  read
  explain_filter                 describe
  explain_query                  read
  execute_query                  run:read, run:write or run:destructive, as the driver classifies the statement
  run_saved_request              run:read, run:write or run:destructive, as the driver classifies its statement
  insert_rows                    run:write
  update_rows                    run:write
  delete_rows                    confirm
  import_rows                    run:write, or confirm where the mode replaces rows
  confirm_destructive_operation  confirm
  export_table                   read, and a granted folder
  list_principals                read
  get_dashboard                  read
  search_query_history           read
`;

/** The column of {@link TABLE_ACTIONS} that a word of the table above names. */
const COLUMNS = ['see', 'describe', 'read', 'run:read', 'run:write', 'run:destructive', 'confirm', 'manage'];

/** One call, and which column of the policy's table decides it. */
export interface ToolCase {
  readonly tool: string;
  readonly args: (connection: string, serial: number) => Record<string, unknown>;
  readonly column: number;
  readonly label: string;
}

const key = { library: 'north', number: '9007199254740993' };
const ARGUMENTS: Readonly<Record<string, (connection: string, serial: number) => Record<string, unknown>>> = {
  get_connection_status: (connection) => ({ connection, connect: true }),
  list_tables: (connection) => ({ connection, namespace: [], includeRowCounts: true }),
  describe_table: (connection) => ({ connection, table: 'books' }),
  search_schema: (connection) => ({ connection, term: 'number' }),
  get_table_definition: (connection) => ({ connection, table: 'books' }),
  browse_table: (connection) => ({ connection, table: 'books', maxRows: 2 }),
  count_rows: (connection) => ({ connection, table: 'books' }),
  ranked_search: (connection) => ({ connection, table: 'books', text: 'sea' }),
  profile_table: (connection) => ({ connection, table: 'books' }),
  explain_filter: (connection) => ({ connection, table: 'books' }),
  explain_query: (connection) => ({ connection, statement: 'destroy books' }),
  insert_rows: (connection) => ({ connection, table: 'books', rows: [{ title: 'New' }] }),
  update_rows: (connection) => ({ connection, table: 'books', rows: [{ key, values: { title: 'Other' } }] }),
  delete_rows: (connection) => ({ connection, table: 'books', keys: [key] }),
  confirm_destructive_operation: (connection) => ({ connection, statement: 'destroy books' }),
  export_table: (connection, serial) => ({ connection, table: 'books', file: `books ${serial}.jsonl` }),
  list_principals: (connection) => ({ connection }),
  get_dashboard: (connection) => ({ connection }),
  search_query_history: (connection) => ({ connection }),
};
/** The modes of the library, with the columns that decide them. */
const IMPORT_MODES = [
  ['create', 'run:write'],
  ['replace', 'confirm'],
] as const;

export const STATEMENTS = [
  ['read 2', 'run:read'],
  ['write it', 'run:write'],
  ['destroy books', 'run:destructive'],
  ['no word that anybody knows', 'run:destructive'],
  ['key', 'run:destructive'],
  ['key chosen', 'run:destructive'],
] as const;

/** Every tool that takes a connection, and those that run statements with every kind of them. A saved request has the name of its statement. */
export const TOOL_CASES: readonly ToolCase[] = TOOL_ACTIONS.trim()
  .split('\n')
  .slice(1)
  .flatMap((line): ToolCase[] => {
    const [tool = '', asksFor = ''] = line.trim().split(/\s{2,}/);
    if (tool === 'list_connections') return [];
    const argument = tool === 'execute_query' ? 'statement' : 'request';
    if (tool === 'execute_query' || tool === 'run_saved_request') {
      return STATEMENTS.map(([statement, column]) => ({
        tool,
        args: (connection) => ({ connection, [argument]: statement }),
        column: COLUMNS.indexOf(column),
        label: `${tool} ${statement}`,
      }));
    }
    if (tool === 'import_rows') {
      return IMPORT_MODES.map(([mode, column]) => ({
        tool,
        args: (connection) => ({ connection, table: 'books', rows: '{"title":"New"}', mode }),
        column: COLUMNS.indexOf(column),
        label: `${tool} ${mode}`,
      }));
    }
    const args = ARGUMENTS[tool];
    const column = COLUMNS.indexOf(/^[\w:]+/.exec(asksFor)?.[0] ?? '');
    if (args === undefined || column === -1) throw new Error(`The table has no case for ${tool}.`);
    return [{ tool, args, column, label: tool }];
  });

/** The tools of the table, in its order. */
export const TOOL_NAMES: readonly string[] = TOOL_ACTIONS.trim()
  .split('\n')
  .slice(1)
  .map((line) => line.trim().split(/\s/, 1)[0] ?? '');
