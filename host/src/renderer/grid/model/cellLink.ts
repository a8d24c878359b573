import { isUnread } from '@tabularium/sdk';
import type { PageCell } from '@tabularium/sdk';
import { wholeText } from './cellText.ts';
import type { GridColumn } from './gridColumns.ts';

/** A place outside the window that a value leads to. Nothing is requested from it until a person opens it. */
export interface CellLink {
  readonly kind: 'picture' | 'map';
  /** An http or https address. */
  readonly href: string;
  /** The server that learns about the person who opens it. */
  readonly host: string;
}

/** Servers and browsers refuse longer addresses. */
const LONGEST_ADDRESS = 2_000;
const PICTURE_FILE = /\.(?:avif|bmp|gif|jpe?g|png|svg|webp)$/i;
const DEGREES = /^-?\d+(?:\.\d+)?(?:e-?\d+)?$/i;

/** The address of a picture: http or https, without a user, and its path ends like a picture's. */
export function pictureAddress(text: string): URL | undefined {
  if (text.length > LONGEST_ADDRESS || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const address = new URL(text);
  // A user in an address makes one server look like another.
  if (address.username !== '' || address.password !== '') return undefined;
  // The browser would send this window's session there.
  if (address.hostname === globalThis.location?.hostname) return undefined;
  return PICTURE_FILE.test(address.pathname) ? address : undefined;
}

/** The latitude and longitude in degrees with the digits of the value, in this order. Undefined: not a single point, or not on Earth. */
export function pointOf(text: string): readonly [string, string] | undefined {
  const line = text.trim();
  const [latitude = '', longitude = '', ...more] = (line.startsWith('[') && line.endsWith(']') ? line.slice(1, -1) : line)
    .split(',', 3)
    .map((digits) => digits.trim());
  if (more.length > 0 || !DEGREES.test(latitude) || !DEGREES.test(longitude)) return undefined;
  return Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180 ? [latitude, longitude] : undefined;
}

/** Six decimals of a degree are 11 centimetres. */
const degrees = (digits: string): string => Number(digits).toFixed(6);

/** The picture or the map that a value leads to. */
export function cellLink(cell: PageCell, column: Pick<GridColumn, 'kind'>): CellLink | undefined {
  if (cell === null || isUnread(cell)) return undefined;
  const { text, tone } = wholeText(cell, column.kind);
  if (column.kind === 'geo') {
    const point = pointOf(text);
    if (point === undefined) return undefined;
    const [latitude, longitude] = point.map(degrees);
    const host = 'www.openstreetmap.org';
    return { kind: 'map', host, href: `https://${host}/?mlat=${latitude}&mlon=${longitude}#map=14/${latitude}/${longitude}` };
  }
  const address = tone === 'text' ? pictureAddress(text) : undefined;
  return address === undefined ? undefined : { kind: 'picture', href: address.href, host: address.host };
}
