import { invalid } from '../fault.ts';

/** The server cuts longer names off, so that rows would find no column of theirs. */
const MOST_BYTES = 63;

/** @throws DriverError `INVALID_INPUT` for a name that a table or a column of PostgreSQL can't have to the letter */
export function refuseName(name: string, field: string): void {
  if (name === '') throw invalid('A table and a column need a name.', field, { id: 'newTable.unnamed' });
  if (name.includes('\0')) throw invalid("A name can't contain a zero character.", field, { id: 'newTable.nulName' });
  if (Buffer.byteLength(name) > MOST_BYTES)
    throw invalid(`“${name.slice(0, 80)}” is longer than the 63 bytes of a name. Give it a shorter one.`, field, {
      id: 'newTable.longName',
      values: { name: name.slice(0, 80) },
    });
}
