import { OID } from '../catalogue/types.ts';

/** Types whose values have no zone: the server reads one, and drops it without an error. */
const ZONELESS: ReadonlySet<number> = new Set([OID.date, OID.time, OID.timestamp]);
/** A time of day, or a day alone, with an offset or `Z` behind it. */
const OFFSET = /(?:\d:\d\d(?::\d\d(?:\.\d*)?)?|^\s*\d{4,}-\d\d-\d\d|(?:^|[T ])\d{6}(?:\.\d*)?)\s*(?:[+-]\d|Z\b)/i;
const TIME_OF_DAY = /\d:\d\d/;
/** Words of a moment that name no zone. */
const NO_ZONE =
  /^(?:t|[ap]m|ad|bc|null|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?)$/i;

/** Whether a column of a type would store a text without the zone that it names, and so another moment. */
export function losesZone(text: string, oid: number): boolean {
  return ZONELESS.has(oid) && (OFFSET.test(text) || namesZone(text));
}

function namesZone(value: string): boolean {
  const time = TIME_OF_DAY.exec(value);
  if (time === null) return false;
  // Also `Europe/Berlin` and `UTC`.
  return (value.slice(time.index).match(/[a-z][a-z_/]*/gi) ?? []).some((word) => !NO_ZONE.test(word));
}
