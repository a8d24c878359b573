/** `2026-01-31`, `31.1.2026`, `01/31/2026`; `20260131`; `2026.031` or `2026-031` with a time behind it, the day of a year. */
const DIGITS = /(?<![\d:.])(?:\d+([-/.])\d{1,2}\1\d|\d{8}|\d{6}(?=[T ]+\d)|\d{4}[.-]\d{3}(?=[T ]))/i;
/** A day by its name, its month, its number since 4713 BC or its era. */
const WORDS =
  /(?<![a-z/_])(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?|bc|ad|j(?:ulian)?\s*\d+)(?![a-z/_])/i;

/** Whether a text names a day beside its time: a column of times stores none. */
export function namesDay(text: string): boolean {
  return DIGITS.test(text) || WORDS.test(text);
}
