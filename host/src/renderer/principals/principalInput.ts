import type { PrincipalField, PrincipalInput } from '@tabularium/sdk';

/** The content of the form: texts of single fields, and values of lists. */
export type PrincipalEntries = Readonly<Record<string, string | readonly string[]>>;

export type EntryFault = 'required' | 'time';

/** The form as it opens. A time is given in the computer's own zone, as the browser's control needs it. */
export function initialEntries(fields: readonly PrincipalField[]): PrincipalEntries {
  return Object.fromEntries(
    fields.map(({ id, type, default: values = [] }) => [
      id,
      type === 'list' ? values : type === 'time' ? localTime(values[0] ?? '') : (values[0] ?? ''),
    ]),
  );
}

function localTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const isTime = (text: string): boolean => !Number.isNaN(new Date(text).getTime());

/** Faults by field id. */
export function faultsOf(fields: readonly PrincipalField[], entries: PrincipalEntries): Readonly<Record<string, EntryFault>> {
  const faults: Record<string, EntryFault> = {};
  for (const { id, type, required } of fields) {
    const entry = entries[id] ?? '';
    const isEmpty = typeof entry === 'string' ? entry.trim() === '' : entry.length === 0;
    if (required && isEmpty) faults[id] = 'required';
    else if (type === 'time' && typeof entry === 'string' && !isEmpty && !isTime(entry)) faults[id] = 'time';
  }
  return faults;
}

/** The fields that a person changed. */
export function changedFields(fields: readonly PrincipalField[], entries: PrincipalEntries): readonly PrincipalField[] {
  const initial = initialEntries(fields);
  return fields.filter(({ id }) => JSON.stringify(entries[id]) !== JSON.stringify(initial[id]));
}

/** The input of the driver: a list of values for each field, a time in ISO 8601. A secret is sent as it was typed. */
export function toPrincipalInput(fields: readonly PrincipalField[], entries: PrincipalEntries): PrincipalInput {
  return Object.fromEntries(
    fields.map(({ id, type }) => {
      const entry = entries[id] ?? '';
      if (typeof entry !== 'string') return [id, entry];
      if (type === 'secret') return [id, entry === '' ? [] : [entry]];
      const text = entry.trim();
      if (text === '') return [id, []];
      return [id, [type === 'time' ? new Date(text).toISOString() : text]];
    }),
  );
}
