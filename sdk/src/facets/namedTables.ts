import type { CallOptions } from '../callOptions.ts';
import type { TableSummary } from '../model/table.ts';

/**
 * The facet of a session whose credentials may read tables that they may not list. A host offers to open a table by its name
 * then, and remembers the names. Absent where the list has every table that can be read.
 */
export interface NamedTablesFacet {
  /** Why the list lacks tables, in one sentence. */
  readonly reason: string;

  /**
   * Finds a table by what a person typed: its name, after what contains it where there is something, joined by dots. Reads as little as shows
   * that the credentials may read it.
   *
   * @throws DriverError `INVALID_INPUT`, `NOT_FOUND`, `ACCESS_REFUSED`, each with the name
   */
  find(name: string, options: CallOptions): Promise<TableSummary>;
}
