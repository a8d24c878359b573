import type { Column } from '@tabularium/sdk';
import { DATE_UNITS } from '../grid/model/dateView.ts';
import type { DateUnit } from '../grid/model/dateView.ts';

/** How the values of a column say moments: as a count since 1970, or as text. */
export type DateForm = DateUnit | 'timestamp' | 'date';

/** Units of the columns whose integers are moments. */
export type DateUnits = ReadonlyMap<string, DateUnit>;

const PER_SECOND: Readonly<Record<DateUnit, bigint>> = { seconds: 1n, milliseconds: 1_000n, microseconds: 1_000_000n };
const SECONDS = { m: 60, h: 3_600, d: 86_400, w: 604_800 } as const;
const RELATIVE = /^\s*now\s*(?:-\s*(\d{1,6})\s*([mhdw])\s*)?$/i;
const DATE = /^\s*(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?\s*(?:Z\s*)?$/i;

const isUnit = (form: DateForm): form is DateUnit => (DATE_UNITS as readonly string[]).includes(form);

/** The form of a column's moments; undefined where it has none. */
export function dateFormOf(column: Column | undefined, unit: DateUnit | undefined): DateForm | undefined {
  if (column === undefined) return undefined;
  if (column.kind === 'timestamp' || column.kind === 'date') return column.kind;
  return column.kind === 'integer' ? unit : undefined;
}

function momentOf(text: string): { readonly seconds: number; readonly fraction: string } | undefined {
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const [, day = '', time = '00:00', second = '00', fraction = ''] = match;
  const milliseconds = Date.parse(`${day}T${time}:${second}Z`);
  // February 30th would become March.
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(day)) return undefined;
  return { seconds: milliseconds / 1_000, fraction };
}

/**
 * The value to send for what a person wrote: `now-1h` and a date such as `2026-11-22 10:30` (UTC) become what the column holds, everything else
 * stays as it is.
 *
 * @param now - milliseconds since 1970
 */
export function dateValue(text: string, form: DateForm, now: number): string {
  const relative = RELATIVE.exec(text);
  if (relative !== null) {
    const [, count = '0', unit = 'm'] = relative;
    const letter = unit.toLowerCase();
    const per = letter === 'm' || letter === 'h' || letter === 'd' || letter === 'w' ? SECONDS[letter] : 0;
    const seconds = Math.floor(now / 1_000) - Number(count) * per;
    if (isUnit(form)) return String(BigInt(seconds) * PER_SECOND[form]);
    const iso = new Date(seconds * 1_000).toISOString();
    return form === 'date' ? iso.slice(0, 10) : iso.replace('.000Z', 'Z');
  }
  const moment = isUnit(form) ? momentOf(text) : undefined;
  if (moment === undefined || !isUnit(form)) return text;
  const digits = { seconds: 0, milliseconds: 3, microseconds: 6 }[form];
  const fraction = moment.fraction.padEnd(6, '0').slice(0, digits);
  return String(BigInt(moment.seconds) * PER_SECOND[form] + BigInt(fraction === '' ? '0' : fraction));
}

/** The text for a browser's own field of date and time, `2026-11-22T10:30:00`; empty where the text isn't a date. */
export function fieldDate(text: string): string {
  const moment = momentOf(text);
  return moment === undefined ? '' : new Date(moment.seconds * 1_000).toISOString().slice(0, 19);
}
