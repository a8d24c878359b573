import type { Connection } from 'pg';
import { ExpectedMessages } from './expectedMessages.ts';

/** The calls of the library's connection that are made here. */
interface Sender extends NodeJS.EventEmitter {
  parse(query: { readonly text: string }): void;
  describe(message: { readonly type: 'S'; readonly name: '' }): void;
  sync(): void;
}

/** Asks which parameters a statement has. The server parses it and runs nothing. */
export class ParameterQuestion extends ExpectedMessages {
  readonly types: Promise<readonly number[]>;
  readonly #text: string;
  #found: readonly number[] = [];
  #resolve!: (types: readonly number[]) => void;
  #reject!: (error: unknown) => void;
  #leave: () => void = () => undefined;

  constructor(text: string) {
    super();
    this.#text = text;
    this.types = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: Connection): void {
    this.begin(connection);
    const sender = connection as unknown as Sender;
    const take = ({ dataTypeIDs }: { readonly dataTypeIDs: readonly number[] }): void => {
      this.#found = dataTypeIDs;
    };
    sender.on('parameterDescription', take);
    this.#leave = () => sender.off('parameterDescription', take);
    sender.parse({ text: this.#text });
    sender.describe({ type: 'S', name: '' });
    sender.sync();
  }

  override handleRowDescription(): void {
    // Of the result, which isn't asked for.
  }
  handleReadyForQuery(): void {
    this.#leave();
    this.#resolve(this.#found);
  }
  handleError(error: unknown): void {
    this.#leave();
    this.#reject(error);
  }
}
