import { ApiError, badRequest } from '../errors.ts';

/** Search parameters as they arrive: everything is text, whether from a query string or from the body of a multi_search. */
export type SearchParams = ReadonlyMap<string, string>;

export const DEFAULT_GROUP_LIMIT = 3;
const MAX_PER_PAGE = 250;
const DEFAULT_PER_PAGE = 10;
const MAX_UINT32 = 4294967295;

const unsigned = (params: SearchParams, name: string): number | undefined => {
  const text = params.get(name);
  if (text === undefined) return undefined;
  if (!/^[0-9]+$/.test(text) || Number(text) > MAX_UINT32) throw badRequest(`Parameter \`${name}\` must be an unsigned integer.`);
  return Number(text);
};

export interface Window {
  readonly perPage: number;
  readonly from: number;
  /** The member that the answer names: the page, or the offset if the request had one other than 0. */
  readonly page: number | undefined;
  readonly offset: number | undefined;
}

export const readWindow = (params: SearchParams): Window => {
  const limit = unsigned(params, 'limit');
  const perPage = unsigned(params, 'per_page') ?? limit ?? DEFAULT_PER_PAGE;
  const page = unsigned(params, 'page') ?? 0;
  const offset = unsigned(params, 'offset') ?? 0;
  if (perPage > MAX_PER_PAGE) throw new ApiError(422, `Only upto ${MAX_PER_PAGE} hits can be fetched per page.`);
  if (page === 0 && offset > 0) return { perPage, from: offset, page: undefined, offset };
  const shown = Math.max(1, page);
  return { perPage, from: (shown - 1) * perPage, page: shown, offset: undefined };
};

export const number = (params: SearchParams, name: string, fallback: number): number => unsigned(params, name) ?? fallback;

export const flag = (params: SearchParams, name: string, fallback: boolean): boolean => {
  const text = params.get(name);
  return text === undefined ? fallback : text === 'true' || text === '1';
};

export const list = (params: SearchParams, name: string): string[] =>
  (params.get(name) ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
