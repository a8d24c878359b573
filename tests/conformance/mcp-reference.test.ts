import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { POLICY_TABLE } from '../../host/src/runtime/mcp/access/policyTable.test-helper.ts';
import { TOOL_ACTIONS } from '../../host/src/runtime/mcp/access/toolActions.test-helper.ts';
import { MCP_CODES, REFUSED_VERSIONS, SUPPORTED_VERSIONS } from '../../host/src/runtime/mcp/server/codes.ts';
import { MCP_LIMITS, PREFERRED_PORT } from '../../host/src/runtime/mcp/server/limits.ts';
import { LONGEST_ERROR_TEXT } from '../../host/src/runtime/mcp/server/redact.ts';
import { MOST_COMPLETIONS } from '../../host/src/runtime/mcp/server/completion.ts';
import { MOST_SCHEMA_TABLES } from '../../host/src/runtime/mcp/server/resources.ts';
import {
  DEFAULT_CELL_CHARACTERS,
  DEFAULT_ROWS,
  DEFAULT_TOKENS,
  MOST_CELL_CHARACTERS,
  MOST_ROWS,
  MOST_TOKENS,
} from '../../host/src/runtime/mcp/tools/resultRows.ts';
import { MOST_CHANGED_ROWS } from '../../host/src/runtime/mcp/tools/rowChanges.ts';
import { MOST_SEARCHED_TABLES } from '../../host/src/runtime/mcp/tools/searchSchema.ts';
import { LONGEST_STATEMENT } from '../../host/src/runtime/mcp/tools/statement.ts';
import { MOST_COUNTED_TABLES, MOST_LISTED_TABLES } from '../../host/src/runtime/mcp/tools/listTables.ts';
import { JSON_SHAPE_LIMITS } from '../../host/src/runtime/http/jsonShape.ts';
import { MOST_ENVELOPE_VALUES } from '../../host/src/runtime/mcp/http/largeEnvelope.ts';
import { TOOLS } from '../../host/src/runtime/mcp/tools/registry.ts';

const text = readFileSync(new URL('../../docs/reference/mcp.md', import.meta.url), 'utf8');
const NUMBERS = [
  MOST_LISTED_TABLES,
  MOST_COUNTED_TABLES,
  LONGEST_ERROR_TEXT,
  MOST_SEARCHED_TABLES,
  MOST_CHANGED_ROWS,
  MOST_SCHEMA_TABLES,
  DEFAULT_ROWS,
  MOST_ROWS,
  DEFAULT_TOKENS,
  MOST_TOKENS,
  DEFAULT_CELL_CHARACTERS,
  MOST_CELL_CHARACTERS,
  LONGEST_STATEMENT,
  MOST_COMPLETIONS,
];
const number = (value: number): string => value.toLocaleString('en-US');

describe('docs/reference/mcp.md', () => {
  it('has every error code, and none that is not there', () => {
    const documented = [...text.matchAll(/^\| (-3\d{4}) /gm)].map((match) => Number(match[1]));
    // The library's own, for the headers and versions of 2026-07-28.
    expect(documented.toSorted((a, b) => a - b)).toEqual(
      [...Object.values(MCP_CODES), -32_020, -32_022].toSorted((a, b) => a - b),
    );
  });

  it('has every limit with its value', () => {
    const limits = text.slice(text.indexOf('\n## Limits'));
    const documented = [...limits.matchAll(/^\| .*? \| +([\d,]+)(?: bytes| ms)? +\|$/gm)].map((match) => match[1]);
    const { checkMilliseconds: _, ...shown } = MCP_LIMITS;
    expect(documented).toEqual(
      [...Object.values(shown), ...Object.values({ ...JSON_SHAPE_LIMITS }), MOST_ENVELOPE_VALUES].map(number),
    );
    for (const value of NUMBERS) expect(text).toContain(number(value));
    expect(text).toContain(`:${PREFERRED_PORT}/mcp`);
  });

  it('has every version and every tool with its arguments', () => {
    for (const version of [...SUPPORTED_VERSIONS, ...REFUSED_VERSIONS]) expect(text).toContain(version);
    const rows = [...text.matchAll(/^\| `([a-z_]+)` +\| (.*?) +\|/gm)].map((match) => [
      match[1],
      [...(match[2] ?? '').matchAll(/`(\w+)`/g)].map((argument) => argument[1]),
    ]);
    expect(rows).toEqual(
      TOOLS.map(({ listed }) => [listed.name, Object.keys((listed.inputSchema['properties'] ?? {}) as Record<string, unknown>)]),
    );
  });

  it.each([
    ['policy', POLICY_TABLE],
    ['tools', TOOL_ACTIONS],
  ])('shows the table of %s that the tests are made of', (_, source) => {
    const table = source
      .trim()
      .split('\n')
      .map((line) => line.trim());
    const start = text.indexOf(table[0] ?? 'no table');
    expect(start).toBeGreaterThan(0);
    expect(
      text
        .slice(start)
        .split('\n')
        .slice(0, table.length)
        .map((line) => line.trim()),
    ).toEqual(table);
  });
});
