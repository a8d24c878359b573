import { DriverError } from '@tabularium/sdk';
import type { DriverTexts } from '@tabularium/sdk';
import { decimalLiteral } from './literals.ts';
import { faultTexts } from './faultTexts.ts';

// Points, distances and areas as the filter syntax takes them. The server takes any numbers: a latitude of 148 finds nothing, and so does a
// negative distance. Both are refused here.

const MOST_CORNERS = 1_000;
/** Half around the earth; the server finds every point then. */
const MOST_KILOMETRES = 20_100;
const PER_KILOMETRE = { km: 1, m: 1_000, mi: 0.621371 } as const;

function refuse(column: string, message: string, advice: string, texts: DriverTexts): DriverError {
  return new DriverError('INVALID_INPUT', message, { details: { field: column, advice, texts } });
}

/** `48.8566, 2.3522`, also in the brackets in which the server gives it. */
function point(column: string, text: string): string {
  const parts = text
    .trim()
    .replace(/^\[(.*)\]$|^\((.*)\)$/, '$1$2')
    .split(',')
    .map((part) => part.trim());
  const [latitude = '', longitude = ''] = parts;
  const isDegrees = (part: string, most: number): boolean => /^[-+]?\d+(?:\.\d+)?$/.test(part) && Math.abs(Number(part)) <= most;
  if (parts.length !== 2 || !isDegrees(latitude, 90) || !isDegrees(longitude, 180)) {
    throw refuse(
      column,
      `“${text.trim().slice(0, 80)}” is not a point.`,
      'Enter latitude (-90 to 90) and longitude (-180 to 180), such as 48.8566, 2.3522.',
      faultTexts('fault.noPoint', { value: text.trim().slice(0, 80) }, 'fault.noPoint.advice'),
    );
  }
  return `${decimalLiteral(column, latitude)}, ${decimalLiteral(column, longitude)}`;
}

/** The clause for points within a distance of a point. */
export function withinRadius(column: string, centre: string, distance: string): string {
  const match = /^\s*(\d{1,9}(?:\.\d{1,9})?)\s*(km|mi|m)\s*$/i.exec(distance);
  const [, digits = '', unitText = ''] = match ?? [];
  const unit = unitText.toLowerCase();
  if (match === null || (unit !== 'km' && unit !== 'mi' && unit !== 'm') || Number(digits) === 0) {
    throw refuse(
      column,
      `“${distance.trim().slice(0, 80)}” is not a distance.`,
      'Enter a distance such as 5 km, 500 m or 3 mi.',
      faultTexts('fault.noDistance', { value: distance.trim().slice(0, 80) }, 'fault.noDistance.advice'),
    );
  }
  if (Number(digits) / PER_KILOMETRE[unit] > MOST_KILOMETRES) {
    throw refuse(
      column,
      'The distance is longer than half around the earth.',
      `Enter at most ${MOST_KILOMETRES} km.`,
      faultTexts('fault.longDistance', {}, 'fault.longDistance.advice', { most: MOST_KILOMETRES }),
    );
  }
  // The server has kilometres and miles only.
  const written = unit === 'm' ? `${decimalLiteral(column, String(Number(digits) / 1_000))} km` : `${digits} ${unit}`;
  return `${column}:(${point(column, centre)}, ${written})`;
}

/** The clause for points within an area, whose corners are in order, separated by semicolons. */
export function withinPolygon(column: string, corners: string): string {
  const points = corners.split(';').filter((text) => text.trim() !== '');
  if (points.length < 3 || points.length > MOST_CORNERS) {
    throw refuse(
      column,
      `An area needs 3 to ${MOST_CORNERS} corners, and this has ${points.length}.`,
      'Enter the corners in order, such as 48, 2; 49, 2; 49, 3.',
      faultTexts('fault.corners', { most: MOST_CORNERS, found: points.length }, 'fault.corners.advice'),
    );
  }
  return `${column}:(${points.map((text) => point(column, text)).join(', ')})`;
}
