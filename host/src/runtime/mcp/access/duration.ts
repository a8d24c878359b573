import { HostError } from '../../../common/errors.ts';

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;

/** Ten years. What is meant to live longer is meant to live for ever, and can be said so. */
const LONGEST_DURATION_MILLISECONDS = 3_660 * UNITS.d;

const DURATION = /^([1-9]\d{0,5})\s?([mhdw])$/;

/**
 * Milliseconds of a text such as `30d`, `12h`, `45m` or `2w`; `undefined` for `never`.
 *
 * @throws HostError `INVALID_REQUEST`
 */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === 'never') return undefined;
  const match = DURATION.exec(trimmed);
  const unit = match?.[2] as keyof typeof UNITS | undefined;
  const milliseconds = unit === undefined ? Number.NaN : Number(match?.[1]) * UNITS[unit];
  if (!(milliseconds <= LONGEST_DURATION_MILLISECONDS)) {
    throw new HostError(
      'INVALID_REQUEST',
      `"${text.slice(0, 40)}" isn't a duration. Write a number and m, h, d or w, such as 12h or 30d, ten years at most, or never.`,
    );
  }
  return milliseconds;
}
