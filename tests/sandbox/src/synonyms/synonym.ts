import { badRequest } from '../errors.ts';
import { objectOf } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

/** One synonym of a collection or, in version 30, one item of a synonym set. */
export interface Synonym {
  readonly id: string;
  /** Where there is one, it stands for all the others, and they do not stand for it; empty where all are alike. */
  readonly root: string;
  readonly synonyms: readonly string[];
  readonly locale: string;
  readonly symbolsToIndex: readonly string[];
}

const NO_WORDS = 'Could not find an array of `synonyms`';
export const WRONG_WORDS = 'Could not find a valid string array of `synonyms`';

const readWords = (value: JsonValue | undefined, isEmptyText: string): string[] => {
  if (!Array.isArray(value)) throw badRequest(NO_WORDS);
  if (value.length === 0) throw badRequest(isEmptyText);
  return value.map((word) => {
    if (typeof word !== 'string') throw badRequest(WRONG_WORDS);
    return word;
  });
};

const readSymbols = (value: JsonValue | undefined): string[] => {
  if (value === undefined) return [];
  const wrong = badRequest('Synonym `symbols_to_index` should be an array of strings.');
  if (!Array.isArray(value) || value.length === 0) throw wrong;
  return value.map((symbol) => {
    if (typeof symbol !== 'string') throw wrong;
    return symbol;
  });
};

/**
 * Reads a synonym; the texts of what is wrong with one are the server's.
 * @param isEmptyText - what an empty list of words is called, which differs between the versions
 */
export const readSynonym = (id: string, source: JsonObject, isEmptyText = NO_WORDS): Synonym => {
  const { locale = '', root = '' } = source;
  const synonyms = readWords(source['synonyms'], isEmptyText);
  if (typeof root !== 'string') throw badRequest('Key `root` should be a string.');
  if (typeof locale !== 'string') throw badRequest('Synonym `locale` should be a string.`');
  return { id, root, synonyms, locale, symbolsToIndex: readSymbols(source['symbols_to_index']) };
};

/** As the server lists it. */
export const showSynonym = ({ id, locale, root, symbolsToIndex, synonyms }: Synonym): JsonObject => {
  const shown: [string, JsonValue][] = [
    ['id', id],
    ['root', root],
    ['synonyms', [...synonyms]],
  ];
  if (locale !== '') shown.push(['locale', locale]);
  if (symbolsToIndex.length > 0) shown.push(['symbols_to_index', [...symbolsToIndex]]);
  return objectOf(shown);
};
