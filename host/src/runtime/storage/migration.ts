/** One step of the database's shape. Never changed once released; ids are applied in the order of the list. */
export interface Migration {
  /** Number and name, such as `0001-connections`. */
  readonly id: string;
  readonly sql: string;
}
