import { randomUUID } from 'node:crypto';

/** The id of a row that is staged for insertion. No key has this text. */
export function newRowId(): string {
  return `new:${randomUUID()}`;
}
