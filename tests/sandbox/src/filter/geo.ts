import { badRequest } from '../errors.ts';
import { isFloatText } from '../schema/validate.ts';
import type { Point } from '../store/indices.ts';
import type { GeoShape } from './syntax.ts';

/** Filters and sorts of a real server do not agree on how large the earth is. */
const FILTER_RADIUS_METRES = 6371010;
export const SORT_RADIUS_METRES = 3958.75 * 1609;
const METRES = { km: 1000, mi: 1609.34 } as const;
const UNIT_LENGTH = 2;
const POINT_AND_RADIUS = 3;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

export const distanceMetres = (left: Point, right: Point, radius: number): number => {
  const latitude = Math.sin(radians(right.latitude - left.latitude) / 2);
  const longitude = Math.sin(radians(right.longitude - left.longitude) / 2);
  const haversine =
    latitude * latitude + Math.cos(radians(left.latitude)) * Math.cos(radians(right.latitude)) * longitude * longitude;
  return 2 * radius * Math.asin(Math.min(1, Math.sqrt(haversine)));
};

const isInside = (point: Point, points: readonly (readonly [number, number])[]): boolean => {
  let inside = false;
  let previous = points.at(-1);
  for (const corner of points) {
    if (previous !== undefined) {
      const [latitude, longitude] = corner;
      const [otherLatitude, otherLongitude] = previous;
      const crosses = longitude > point.longitude !== otherLongitude > point.longitude;
      const at = ((otherLatitude - latitude) * (point.longitude - longitude)) / (otherLongitude - longitude) + latitude;
      if (crosses && point.latitude < at) inside = !inside;
    }
    previous = corner;
  }
  return inside;
};

export const isWithin = (point: Point, shape: GeoShape): boolean =>
  shape.kind === 'circle' ? distanceMetres(point, shape, FILTER_RADIUS_METRES) <= shape.metres : isInside(point, shape.points);

const polygonOf = (numbers: readonly number[]): GeoShape => {
  const points: [number, number][] = [];
  for (let at = 0; at + 1 < numbers.length; at += 2) points.push([numbers[at] ?? 0, numbers[at + 1] ?? 0]);
  return { kind: 'polygon', points };
};

const readRadius = (text: string, wrong: Error): number => {
  const unit = text.slice(-UNIT_LENGTH);
  if (text.length < UNIT_LENGTH || (unit !== 'km' && unit !== 'mi')) throw badRequest('Unit must be either `km` or `mi`.');
  const distance = text.slice(0, -UNIT_LENGTH).trim();
  if (!isFloatText(distance)) throw wrong;
  return Number(distance) * METRES[unit];
};

const splitNumbers = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** `(48.85, 2.35, 5 km)` or `(lat, lng, lat, lng, …)`. */
const readPlainShape = (name: string, text: string): GeoShape => {
  const wrong = badRequest(
    `Value of filter field \`${name}\`: must be in the \`(-44.50, 170.29, 0.75 km)\` or (56.33, -65.97, 23.82, -127.82) format.`,
  );
  if (!text.startsWith('(') || !text.endsWith(')')) throw wrong;
  const parts = splitNumbers(text.slice(1, -1));
  if (parts.length < POINT_AND_RADIUS) throw wrong;
  if (parts.every(isFloatText)) return polygonOf(parts.map(Number));
  const [latitude = '', longitude = '', radius = ''] = parts;
  if (!isFloatText(latitude) || !isFloatText(longitude)) throw wrong;
  return { kind: 'circle', latitude: Number(latitude), longitude: Number(longitude), metres: readRadius(radius, wrong) };
};

/** `([48.85, 2.35], radius: 5 km, exact_filter_radius: 10 km)`. */
const readOptionShape = (text: string, wrong: Error): GeoShape => {
  const match = /^\s*\[([^\]]*)\]\s*(?:,(.*))?$/.exec(text);
  if (match === null) throw wrong;
  const numbers = splitNumbers(match[1] ?? '');
  if (numbers.length < 2 || numbers.length % 2 !== 0 || !numbers.every(isFloatText)) throw wrong;
  if (numbers.length > 2) return polygonOf(numbers.map(Number));
  const radius = (match[2] ?? '').split(',').map((option) => option.split(':').map((part) => part.trim()));
  const given = radius.find(([key]) => key === 'radius')?.[1];
  if (given === undefined) throw wrong;
  return { kind: 'circle', latitude: Number(numbers[0]), longitude: Number(numbers[1]), metres: readRadius(given, wrong) };
};

export const readGeoShapes = (name: string, raw: string): GeoShape[] => {
  const brackets = raw.split('[').length - 1;
  if ((raw.startsWith('(') && brackets > 0) || brackets > 1 || raw.includes(':')) {
    const wrong = badRequest(
      `Value of filter field \`${name}\`: must be in the \`([-44.50, 170.29], radius: 0.75 km, exact_filter_radius: 5 km)\` or ` +
        '([56.33, -65.97, 23.82, -127.82], exact_filter_radius: 7 km) format.',
    );
    const shapes = [...raw.matchAll(/\(([^)]*)\)/g)].map((match) => readOptionShape(match[1] ?? '', wrong));
    if (shapes.length === 0) throw wrong;
    return shapes;
  }
  if (raw.startsWith('[') && raw.endsWith(']')) {
    return raw
      .slice(1, -1)
      .split('),')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map((part) => readPlainShape(name, part.endsWith(')') ? part : `${part})`));
  }
  return [readPlainShape(name, raw)];
};
