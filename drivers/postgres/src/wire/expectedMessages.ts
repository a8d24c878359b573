import type { Connection } from 'pg';
import { notProtocol } from '../fault.ts';

/**
 * The library hands it the messages of an answer. Here are those that its answer never has: a server that sends one all the same loses the
 * connection. The library calls each by its name, and one that is missing would end the process.
 */
export abstract class ExpectedMessages {
  #refuse: (error: Error) => void = () => undefined;

  /** To be called when the statement is submitted. */
  protected begin(connection: Connection): void {
    const { stream } = connection as unknown as { readonly stream: { destroy(error: Error): void } };
    this.#refuse = (error) => void stream.destroy(error);
  }

  /** Ends the connection to a server that sends what its protocol doesn't have here. */
  protected refuse(): void {
    this.#refuse(notProtocol());
  }

  handleRowDescription(_message: object): void {
    this.refuse();
  }
  handleDataRow(_message: object): void {
    this.refuse();
  }
  handleCommandComplete(_message: object): void {
    this.refuse();
  }
  handleEmptyQuery(): void {
    this.refuse();
  }
  handlePortalSuspended(): void {
    this.refuse();
  }
  handleCopyInResponse(_connection: Connection): void {
    this.refuse();
  }
  handleCopyData(): void {
    this.refuse();
  }
}
