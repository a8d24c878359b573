import { DriverError, encodeBatch } from '@tabularium/sdk';
import type { Page, PageRequest, RowCount } from '@tabularium/sdk';
import { cellOf } from './cells.ts';
import { whereOf } from './condition.ts';
import { Numeral } from './exactJson.ts';
import type { InfluxServer } from './influxServer.ts';
import type { Measurement } from './measurement.ts';

/** Beyond so many points a count that isn't certain at once stays an estimate: the server walks over all of them for each question. */
const MOST_FOR_EXACT_COUNT = 1_000_000;

/** All columns but the time, which the server always gives. At least one field must be among them: it gives nothing for tags alone. */
function selected({ columns }: Measurement): string {
  return columns
    .slice(1)
    .map(({ reference }) => reference)
    .join(', ');
}

/** One page, as it was asked for. */
export async function readPoints(
  server: InfluxServer,
  measurement: Measurement,
  request: PageRequest,
  signal: AbortSignal,
): Promise<Page> {
  const { filter, sorts, position, limit } = request;
  if (position.from === 'cursor' || position.from === 'end') throw new DriverError('UNSUPPORTED', 'Points are read by offset.');
  const offset = position.from === 'offset' ? position.offset : 0;
  const byTime = sorts.find(({ column }) => column === 'time');
  // One more than wanted says whether the page is the last.
  const statement = `SELECT ${selected(measurement)} FROM ${measurement.source}${whereOf(filter, measurement)} ORDER BY time ${
    byTime?.direction === 'descending' ? 'DESC' : 'ASC'
  } LIMIT ${limit + 1} OFFSET ${offset}`;
  const rows = (await server.read(statement, signal)).flatMap((series) => series.rows);
  const kinds = measurement.columns.map(({ column: { name, kind } }) => ({ name, kind }));
  const page = rows.slice(0, limit);
  return {
    rowCount: page.length,
    atEnd: rows.length <= limit,
    // A sort is never dropped in silence.
    droppedSorts: sorts
      .filter((sort) => sort !== byTime)
      .map(({ column }) => ({ column, reason: 'InfluxQL sorts by time only.' })),
    batch: encodeBatch({
      columns: kinds,
      rows: page.map((row) => kinds.map(({ kind }, index) => cellOf(row[index], kind))),
    }),
  };
}

/**
 * How many points there are. InfluxQL counts the values of each field, not points: a point has at least one of them, so that there are at least
 * as many points as the fullest field has values, and at most as many as all fields together. Between the two, it is asked for single points.
 */
export async function countPoints(
  server: InfluxServer,
  measurement: Measurement,
  where: string,
  signal: AbortSignal,
): Promise<RowCount> {
  const [counts] = await server.read(`SELECT count(*) FROM ${measurement.source}${where}`, signal);
  const row = counts?.rows[0] ?? [];
  const values = row.flatMap((value, index) => (index > 0 && value instanceof Numeral ? [Number(value.digits)] : []));
  let least = Math.max(0, ...values);
  let most = values.reduce((sum, value) => sum + value, 0);
  const reaches = async (rows: number): Promise<boolean> => {
    const statement = `SELECT ${selected(measurement)} FROM ${measurement.source}${where} LIMIT 1 OFFSET ${rows - 1}`;
    return (await server.read(statement, signal)).some((series) => series.rows.length > 0);
  };
  // Most measurements have a field that every point has.
  if (least < most && !(await reaches(least + 1))) most = least;
  if (least < most && most > MOST_FOR_EXACT_COUNT) return { rows: least, exact: false };
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (await reaches(middle)) least = middle;
    else most = middle - 1;
  }
  return { rows: least, exact: true };
}
