/** The account of a secret field: the name of its entry in the secure store. */
export function accountOf(connectionId: string, field: string): string {
  return `${connectionId}/${field}`;
}

/** A value that a person entered for this run of the host. */
interface EnteredSecret {
  readonly value: string;
  /** Whether it was entered to open a connection, and may be bound to what is then used where nothing was bound before. */
  readonly isFresh: boolean;
}

/** The values that people entered for this run of the host. They are in its memory alone. */
export class EnteredSecrets {
  readonly #entered = new Map<string, EnteredSecret>();

  get(connectionId: string, field: string): EnteredSecret | undefined {
    return this.#entered.get(accountOf(connectionId, field));
  }

  /** The values of a connection, of whatever field. */
  valuesOf(connectionId: string): readonly string[] {
    return [...this.#entered].flatMap(([account, { value }]) => (account.startsWith(`${connectionId}/`) ? [value] : []));
  }

  /** Keeps a value that was saved with its connection. */
  keep(connectionId: string, field: string, value: string): void {
    this.#entered.set(accountOf(connectionId, field), { value, isFresh: false });
  }

  /** Keeps a value that was entered to open the connection. */
  enter(connectionId: string, field: string, value: string): void {
    this.#entered.set(accountOf(connectionId, field), { value, isFresh: true });
  }

  /** The opening that values were entered for is over: they are fresh no longer. */
  settle(connectionId: string): void {
    for (const [account, entered] of this.#entered) {
      if (account.startsWith(`${connectionId}/`) && entered.isFresh) this.#entered.set(account, { ...entered, isFresh: false });
    }
  }

  drop(connectionId: string, field: string): void {
    this.#entered.delete(accountOf(connectionId, field));
  }
}
