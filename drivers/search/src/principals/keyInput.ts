import { DriverError } from '@tabularium/sdk';
import type { DriverTexts, PrincipalInput } from '@tabularium/sdk';
import { faultTexts } from '../faultTexts.ts';

/** The fault of a field of the form. */
export function refused(field: string, message: string, texts: DriverTexts): DriverError {
  return new DriverError('INVALID_INPUT', message, { details: { field, texts } });
}

/** The one value of a field; undefined when there is none but blanks. */
export function one(input: PrincipalInput, id: string): string | undefined {
  const value = Object.hasOwn(input, id) ? input[id]?.[0] : undefined;
  return value === undefined || value.trim() === '' ? undefined : value;
}

/** @param otherwise - said when there is none */
export function several(input: PrincipalInput, id: string, otherwise: string): string[] {
  const values = (Object.hasOwn(input, id) ? (input[id] ?? []) : []).map((value) => value.trim()).filter((value) => value !== '');
  if (values.length === 0) throw refused(id, otherwise, faultTexts('fault.keyLacksOne', { field: id }));
  return [...new Set(values)];
}

/** Seconds since 1970. A key that has expired already would be rejected at its first request, without a reason. */
export function expiry(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  if (Number.isNaN(time))
    throw refused(
      'expiresAt',
      `“${text.slice(0, 40)}” isn't a date and time such as 2030-12-31T23:59:00Z.`,
      faultTexts('fault.notTime', { value: text.slice(0, 40) }),
    );
  if (time <= now.getTime())
    throw refused('expiresAt', 'This time is in the past, so the key would already be expired.', faultTexts('fault.pastTime'));
  return Math.floor(time / 1_000);
}
