/** The calls of the library's connection that are made here. */
interface Sender {
  close(message: { readonly type: 'S' | 'P'; readonly name: string }): void;
  parse(query: { readonly text: string; readonly name: string }): void;
  bind(config: { readonly values: readonly (string | null)[]; readonly portal: string; readonly statement: string }): void;
  describe(message: { readonly type: 'P'; readonly name: string }): void;
  execute(config: { readonly portal: string; readonly rows?: number }): void;
}

/** A stage of a statement that is parsed, planned and run in round trips of their own, under a name. */
export interface StatementStage {
  readonly name: string;
  readonly does: 'parse' | 'plan' | 'run';
}

/** A statement with its values. */
interface Statement {
  readonly text: string;
  readonly values?: readonly (string | null)[];
}

/**
 * Sends what one stage of a statement needs. Its plan lasts until the end of the transaction.
 *
 * @param rows - the most that are sent; absent for all of them
 */
export function sendStage(sender: Sender, { text, values = [] }: Statement, { name, does }: StatementStage, rows?: number): void {
  switch (does) {
    case 'parse':
      // Closing one that isn't there is no error, and another one under its name would be.
      sender.close({ type: 'S', name });
      sender.parse({ text, name });
      return;
    case 'plan':
      sender.close({ type: 'P', name });
      sender.bind({ values, portal: name, statement: name });
      return;
    case 'run':
      sender.describe({ type: 'P', name });
      sender.execute({ portal: name, ...(rows === undefined ? {} : { rows }) });
      sender.close({ type: 'P', name });
      sender.close({ type: 'S', name });
  }
}
