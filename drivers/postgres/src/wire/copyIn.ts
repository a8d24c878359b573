import type { Connection } from 'pg';
import { ExpectedMessages } from './expectedMessages.ts';

/** The calls of the library's connection that are made here; its types leave some values out. */
interface Sender {
  parse(query: { readonly text: string }): void;
  bind(config: object): void;
  execute(config: object): void;
  flush(): void;
  sync(): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  readonly stream: { cork(): void; uncork(): void };
}

/** One `COPY … FROM STDIN` and all that it reads, by the extended protocol: its message never holds a second statement. */
export class CopyIn extends ExpectedMessages {
  /** The tag of the answer, such as `COPY 3`. */
  readonly tag: Promise<string>;
  readonly #text: string;
  readonly #content: Buffer;
  #found = '';
  #isSynced = false;
  #resolve!: (tag: string) => void;
  #reject!: (error: unknown) => void;

  constructor(text: string, content: Buffer) {
    super();
    this.#text = text;
    this.#content = content;
    this.tag = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: Connection): void {
    this.begin(connection);
    const sender = connection as unknown as Sender;
    sender.stream.cork();
    try {
      sender.parse({ text: this.#text });
      sender.bind({});
      sender.execute({});
      // Not a sync yet: the server ignores one while it reads rows, and would wait for another behind them.
      sender.flush();
    } finally {
      sender.stream.uncork();
    }
  }

  override handleCopyInResponse(connection: Connection): void {
    const sender = connection as unknown as Sender;
    // The content goes out once.
    if (this.#isSynced) return this.refuse();
    sender.stream.cork();
    try {
      sender.sendCopyFromChunk(this.#content);
      sender.endCopyFrom();
      this.#sync(sender);
    } finally {
      sender.stream.uncork();
    }
  }
  override handleCommandComplete(message: { readonly text: string }): void {
    this.#found = message.text;
  }
  handleReadyForQuery(): void {
    this.#resolve(this.#found);
  }
  handleError(error: unknown, connection: Connection): void {
    // The server passes over everything until it gets one.
    this.#sync(connection as unknown as Sender);
    this.#reject(error);
  }

  #sync(sender: Sender): void {
    if (this.#isSynced) return;
    this.#isSynced = true;
    sender.sync();
  }
}
