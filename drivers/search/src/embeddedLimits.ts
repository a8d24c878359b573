import { DriverError } from '@tabularium/sdk';
import { countOf, isObject } from './guards.ts';
import type { JsonObject } from './guards.ts';
import { faultTexts } from './faultTexts.ts';

const ADVICE = 'Use another key, or compute a scoped key without this parameter.';

/** A search gave another number of documents than it asked for: a scoped key embeds `per_page` or `limit`, which count before the search's own. */
export class EmbeddedPageSize extends DriverError {
  readonly size: number;

  constructor(size: number) {
    super(
      'UNSUPPORTED',
      `The scoped key embeds “per_page” or “limit”, so that each search gives ${size === 1 ? '1 document' : `${size} documents`}.`,
      {
        details: { advice: ADVICE, texts: faultTexts('fault.embeddedRows', { size }, 'fault.otherKey') },
      },
    );
    this.size = size;
  }
}

/** The server allows fewer searches in one request than were sent; it does not say how many. */
export class TooManySearches extends DriverError {
  readonly sent: number;

  constructor(sent: number, cause: DriverError) {
    super('UNSUPPORTED', 'The scoped key embeds “limit_multi_searches”, which allows no search as the driver sends it.', {
      cause,
      details: { ...cause.details, advice: ADVICE, texts: faultTexts('fault.embeddedSearches', {}, 'fault.otherKey') },
    });
    this.sent = sent;
  }
}

/** The error for a search that the server rejects as too large although it asked for less. */
export function embeddedTooLarge(most: number, cause: DriverError): DriverError {
  return new DriverError(
    'UNSUPPORTED',
    `The scoped key embeds a “per_page” or “limit” above ${most}, so the server rejects every search with it.`,
    {
      cause,
      details: { ...cause.details, advice: ADVICE, texts: faultTexts('fault.embeddedSize', { most }, 'fault.otherKey') },
    },
  );
}

/** The error for an answer whose documents are in groups, which the driver never asks for. */
export function embeddedGroups(): DriverError {
  return new DriverError('UNSUPPORTED', 'The scoped key embeds “group_by”, so the documents come in groups and not as rows.', {
    details: { advice: ADVICE, texts: faultTexts('fault.embeddedGroups', {}, 'fault.otherKey') },
  });
}

/**
 * Compares the place that a result says it begins at with the one that was asked for. Parameters that a scoped key embeds count before those of
 * the search, and only the result shows them (29.0, 30.0-dev): `offset` where it isn't 0, else `page`.
 *
 * @throws DriverError `UNSUPPORTED` where the key sets the place
 */
export function checkPlace(result: JsonObject, offset: number): void {
  const page = countOf(result, 'page');
  const given = countOf(result, 'offset');
  const isMoved = given === undefined ? page !== undefined && (page !== 1 || offset > 0) : given !== offset;
  if (!isMoved) return;
  const parameter = given === undefined && page !== 1 ? '“page”' : given === undefined ? '“page” or “offset”' : '“offset”';
  throw new DriverError('UNSUPPORTED', `The scoped key embeds ${parameter}, so that each page has the same documents.`, {
    details: { advice: ADVICE, texts: faultTexts('fault.embeddedPlace', { parameter }, 'fault.otherKey') },
  });
}

/**
 * Compares the number of documents that a result says it may have with the one that was asked for.
 *
 * @throws EmbeddedPageSize
 */
export function checkSize(result: JsonObject, limit: number): void {
  const parameters = result['request_params'];
  const size = isObject(parameters) ? countOf(parameters, 'per_page') : undefined;
  if (size !== undefined && size !== limit) throw new EmbeddedPageSize(size);
}

/** The error for documents that were found and don't come. */
export function cutOff(offset: number, found: number): DriverError {
  return new DriverError(
    'UNSUPPORTED',
    `The search found ${found === 1 ? '1 document' : `${found} documents`}, and the server gives none after the first ${offset}.`,
    {
      details: {
        advice: 'A scoped key that embeds “limit_hits” does this. Filter so that fewer are found, or use a key without it.',
        texts: faultTexts('fault.embeddedHits', { found, offset }, 'fault.embeddedHits.advice'),
      },
    },
  );
}
