import { isDriverError } from '@tabularium/sdk';
import { isWord } from './isWord.ts';
import { plpgsqlOnlyReads } from './plpgsqlOnlyReads.ts';
import { splitSql } from './split.ts';
import { verdictOf } from './verdict.ts';

/** A function that somebody wrote, as the catalogue has it. */
export interface FunctionBody {
  /** By its catalogue's name. */
  readonly language: string;
  readonly source: string;
  /** The names of the types of its arguments and its result. */
  readonly types: string;
  /** The same for functions that are the same. */
  readonly key: string;
}

/** @param sources - as the catalogue is asked for them: lists of a language, a body and types */
export function bodiesIn(sources: string | null | undefined): readonly FunctionBody[] {
  const found = JSON.parse(sources ?? '[]') as readonly (readonly [language: string, source: string, types: string | null])[];
  return found.map(([language, source, types]) => ({
    language,
    source,
    types: types ?? '',
    key: JSON.stringify([language, source, types]),
  }));
}

/** Whether a body is queries, and what takes their values. The functions that it calls are to be looked up besides. */
export function onlyReads({ language, source }: FunctionBody): boolean {
  if (language === 'plpgsql') return plpgsqlOnlyReads(source);
  return language === 'sql' && isQueries(source);
}

function isQueries(source: string): boolean {
  try {
    return splitSql(source).every(({ text }) => {
      const { isQuery, tokens } = verdictOf(text, 'session');
      // Planning a change calls more than the change names.
      return isQuery && !isWord(tokens[0], 'EXPLAIN');
    });
  } catch (error) {
    if (isDriverError(error)) return false;
    throw error;
  }
}
