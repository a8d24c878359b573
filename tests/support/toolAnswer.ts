/** The answer of a tool as its text has it: what a model reads, in every host. */
export function toolAnswer(result: unknown): Record<string, unknown> {
  const { content } = result as { readonly content: readonly { readonly type: string; readonly text?: string }[] };
  const text = content.find(({ type }) => type === 'text')?.text;
  if (text === undefined) throw new Error(`The tool answered without a text: ${JSON.stringify(result).slice(0, 500)}`);
  return JSON.parse(text) as Record<string, unknown>;
}

/** The result in the answer to a request that was sent without a client. */
export function resultOf({ json }: { readonly json: unknown }): unknown {
  return (json as { readonly result?: unknown }).result;
}
