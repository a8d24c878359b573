import { ProtocolError } from '@modelcontextprotocol/server';
import type { CompleteRequestParams, CompleteResult } from '@modelcontextprotocol/server';
import { MCP_CODES } from './codes.ts';
import { PROMPTS } from './prompts.ts';
import { RESOURCE_TEMPLATES } from './resources.ts';
import type { ToolContext } from '../tools/tool.ts';

/** The protocol's own number. */
export const MOST_COMPLETIONS = 100;

/** Completes an argument of a prompt or a variable of a template, from what the caller may see. @throws ProtocolError */
export async function completeArgument(
  { ref, argument, context: around }: CompleteRequestParams,
  context: ToolContext,
): Promise<CompleteResult> {
  const known =
    ref.type === 'ref/prompt'
      ? PROMPTS.find(({ name }) => name === ref.name)?.arguments?.map(({ name }) => name)
      : variablesOf(RESOURCE_TEMPLATES.find(({ uriTemplate }) => uriTemplate === ref.uri)?.uriTemplate);
  if (known === undefined) throw new ProtocolError(MCP_CODES.invalidParams, "The prompt or resource template doesn't exist.");
  if (!known.includes(argument.name)) throw new ProtocolError(MCP_CODES.invalidParams, "The argument doesn't exist.");
  const values = await candidates(argument.name, ref.type === 'ref/resource', around?.arguments ?? {}, context);
  const wanted = argument.value.toLowerCase();
  const found = values.filter((value) => value.toLowerCase().includes(wanted));
  const begins = (value: string): boolean => value.toLowerCase().startsWith(wanted);
  const sorted = [...found.filter(begins), ...found.filter((value) => !begins(value))];
  return {
    completion: { values: sorted.slice(0, MOST_COMPLETIONS), total: sorted.length, hasMore: sorted.length > MOST_COMPLETIONS },
  };
}

async function candidates(
  name: string,
  inUri: boolean,
  around: Readonly<Record<string, string>>,
  context: ToolContext,
): Promise<readonly string[]> {
  if (name === 'connection') return context.visibleConnections().map((connection) => (inUri ? connection.id : connection.name));
  const connection = around['connection'];
  if (name !== 'table' || connection === undefined || connection === '') return [];
  const tables = await context.withConnection(connection, { kind: 'describe' }, ({ session }) =>
    session.listTables({ signal: context.signal }),
  );
  return [...new Set(tables.map(({ ref }) => ref.name))];
}

function variablesOf(uriTemplate: string | undefined): string[] | undefined {
  return uriTemplate === undefined
    ? undefined
    : [...uriTemplate.matchAll(/\{\??([^{}]+)\}/g)].flatMap(([, names = '']) => names.split(','));
}
