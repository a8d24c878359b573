import type { JsonObject } from '../guards.ts';
import { isObject } from '../guards.ts';

/** Documents that are a part of an answer, and a label by which they differ from the others. */
export interface SearchPart {
  readonly label: string;
  readonly documents: readonly JsonObject[];
}

/** By default a server takes at most 50 searches in one request. */
const MOST_PARTS = 250;
const LONGEST_LABEL = 120;
/** The column of a group's key, before the fields of its documents. No field can have this name: a document has it once. */
const GROUP_COLUMN = '(group)';

/** The documents of each search of an answer, of those in groups too; none of an answer that has no documents. */
export function partsOf(value: unknown): readonly SearchPart[] {
  if (!isObject(value)) return [];
  const results = Array.isArray(value['results']) ? (value['results'] as readonly unknown[]) : [value];
  return results.slice(0, MOST_PARTS).flatMap((answer, place) => {
    const documents = isObject(answer) ? documentsOf(answer) : undefined;
    if (documents === undefined || !isObject(answer)) return [];
    const name = collectionOf(answer);
    const label = results.length === 1 ? (name ?? '1') : `${place + 1}${name === undefined ? '' : ` ${name}`}`;
    return [{ label: label.slice(0, LONGEST_LABEL), documents }];
  });
}

function documentsOf(answer: JsonObject): readonly JsonObject[] | undefined {
  const groups = answer['grouped_hits'];
  if (Array.isArray(groups)) {
    return groups.flatMap((group: unknown) =>
      isObject(group)
        ? inHits(group['hits']).map((document) => ({ [GROUP_COLUMN]: group['group_key'] ?? null, ...document }))
        : [],
    );
  }
  return Array.isArray(answer['hits']) ? inHits(answer['hits']) : undefined;
}

function inHits(hits: unknown): readonly JsonObject[] {
  if (!Array.isArray(hits)) return [];
  return hits.flatMap((hit: unknown) => {
    const document = isObject(hit) ? hit['document'] : undefined;
    return isObject(document) ? [document] : [];
  });
}

function collectionOf(answer: JsonObject): string | undefined {
  const parameters = answer['request_params'];
  const name = isObject(parameters) ? parameters['collection_name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}
