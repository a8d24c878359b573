import type { SearchHit } from '@tabularium/sdk';
import { countOf, isObject, textOfField } from '../guards.ts';
import type { JsonObject } from '../guards.ts';
import { exactDigits } from '../exactJson.ts';

/** The parts of `text_match_info`, in the order to show them. */
const MATCH_PARTS = {
  tokens_matched: 'Words found',
  fields_matched: 'Fields with a match',
  best_field_score: 'Score of the best field',
  best_field_weight: 'Weight of the best field',
  typo_prefix_score: 'Cost of typos and beginnings',
  num_tokens_dropped: 'Words dropped',
} as const;

/** The server's value for a search without words. */
const NO_WORDS = 255;
/** The cost of a typo; a beginning of a word costs one. */
const TYPO = 2;

/** The score of a hit, and its parts. */
export function explanationOf(hit: JsonObject): Pick<SearchHit, 'score' | 'explanation'> {
  const info = hit['text_match_info'];
  const parts: { label: string; value: string; texts: { label: { id: string; values?: Record<string, string> } } }[] = [];
  const add = (id: string, label: string, value: string, values?: Record<string, string>): void => {
    parts.push({ label, value, texts: { label: { id: `search.explain.${id}`, ...(values === undefined ? {} : { values }) } } });
  };
  const score = digitsOf(hit, 'text_match');
  if (isObject(info)) {
    for (const [member, label] of Object.entries(MATCH_PARTS)) {
      const value = digitsOf(info, member);
      if (value !== undefined) add(member, label, value);
    }
  }
  const fusion = isObject(hit['hybrid_search_info']) ? digitsOf(hit['hybrid_search_info'], 'rank_fusion_score') : undefined;
  if (fusion !== undefined) add('rank_fusion_score', 'Score of words and vectors', fusion);
  const distance = digitsOf(hit, 'vector_distance');
  if (distance !== undefined) add('vector_distance', 'Distance of the vectors', distance);
  const places = hit['geo_distance_meters'];
  if (isObject(places)) {
    for (const field of Object.keys(places).slice(0, 20)) {
      const meters = digitsOf(places, field);
      if (meters !== undefined) add('distance', `Metres to “${field}”`, meters, { field: field.slice(0, 400) });
    }
  }
  const shown = score ?? fusion ?? distance;
  return { ...(shown === undefined ? {} : { score: shown }), explanation: parts };
}

/** Peculiarities of a hit. @param rules - names of the rules that pin it, where they are known */
export function hitMarks(hit: JsonObject, rules: readonly string[]): SearchHit['marks'] {
  const marks: { label: string; detail?: string; texts: NonNullable<SearchHit['marks'][number]['texts']> }[] = [];
  if (hit['curated'] === true) {
    const names = rules
      .map((name) => `“${name}”`)
      .join(', ')
      .slice(0, 400);
    marks.push(
      names === ''
        ? { label: 'Pinned', texts: { label: { id: 'search.mark.pinned' } } }
        : {
            label: 'Pinned',
            detail: `A rule put it here: ${names}.`,
            texts: { label: { id: 'search.mark.pinned' }, detail: { id: 'search.mark.rule', values: { names } } },
          },
    );
  }
  const info = hit['text_match_info'];
  if (!isObject(info)) return marks;
  const cost = countOf(info, 'typo_prefix_score') ?? 0;
  if (cost >= TYPO && cost < NO_WORDS) marks.push({ label: 'Typo', texts: { label: { id: 'search.mark.typo' } } });
  if ((countOf(info, 'num_tokens_dropped') ?? 0) > 0 && cost !== NO_WORDS) {
    marks.push({ label: 'Words dropped', texts: { label: { id: 'search.mark.dropped' } } });
  }
  return marks;
}

/** A number or the digits of one, as the server wrote it. */
function digitsOf(object: JsonObject, name: string): string | undefined {
  const text = textOfField(object, name);
  if (text !== undefined) return (exactDigits(text) ?? text).slice(0, 200);
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === 'number' ? String(value) : undefined;
}
