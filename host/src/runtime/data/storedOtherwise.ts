import type { StoredOtherwise } from '../../common/objects.ts';

/** Differences that are named: a list of thousands of words may be gone as a whole. */
const MOST_NAMED = 20;
const LONGEST_VALUE = 200;

/**
 * The parts of a document that a database has left out, or stored as something else. Added defaults and the order of a list don't count. Empty where all is there, and where one of the two can't be read.
 */
export function storedOtherwise(sent: string, stored: string): readonly StoredOtherwise[] {
  try {
    return differences([], JSON.parse(sent), JSON.parse(stored)).slice(0, MOST_NAMED);
  } catch {
    return [];
  }
}

function differences(path: readonly string[], sent: unknown, stored: unknown): StoredOtherwise[] {
  if (Array.isArray(sent)) {
    const there = Array.isArray(stored) ? (stored as unknown[]) : [];
    return (sent as unknown[]).flatMap((entry): StoredOtherwise[] => {
      if (saysNothing(entry) || there.some((one) => differences([], entry, one).length === 0)) return [];
      const other = there.find((one) => typeof entry === 'string' && typeof one === 'string' && plain(one) === plain(entry));
      return [difference(path, entry, other)];
    });
  }
  if (typeof sent === 'object' && sent !== null) {
    if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) {
      return saysNothing(sent) ? [] : [difference(path, sent, stored)];
    }
    const members = new Map<string, unknown>(Object.entries(stored));
    return Object.entries(sent).flatMap(([name, value]) => differences([...path, name], value, members.get(name)));
  }
  if (sent === stored || (stored === undefined && saysNothing(sent))) return [];
  return [difference(path, sent, stored)];
}

/** A database may leave out what is empty or off: without it, the same is meant. */
function saysNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && Object.values(value).every(saysNothing);
}

function plain(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}

function difference(path: readonly string[], sent: unknown, stored: unknown): StoredOtherwise {
  return {
    member: path.join('.').slice(0, LONGEST_VALUE),
    sent: valueText(sent),
    ...(stored === undefined ? {} : { stored: valueText(stored) }),
  };
}

function valueText(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, LONGEST_VALUE).toWellFormed();
}
