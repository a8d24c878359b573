import { badRequest } from '../errors.ts';
import { FilterEvaluator } from '../filter/evaluate.ts';
import { objectOf } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { project, readProjection } from '../search/projection.ts';
import type { Projection } from '../search/projection.ts';
import type { Collection } from '../store/collection.ts';
import type { Features } from '../versions.ts';
import type { JoinedInclude } from './include.ts';
import { relationBetween } from './relation.ts';
import type { Relation } from './relation.ts';

interface Join {
  readonly include: JoinedInclude;
  readonly other: Collection;
  readonly relation: Relation;
  readonly projection: Projection | undefined;
  /** The matches of the filter in the other collection; undefined if the filter doesn't mention it. */
  readonly matches: ReadonlySet<number> | undefined;
}

const whole = (collection: string): JoinedInclude => ({ collection, fields: [], strategy: 'nest', alias: collection });

/**
 * Adds to documents what they refer to, or what refers to them: what `include_fields` names and, whole, what the filter names.
 * What refers to a document is added only where the filter names it.
 */
export class Joiner {
  readonly #joins: readonly Join[];

  /** @param excluded - of `exclude_fields`: `$collection(*)` leaves all of it out, named fields these alone */
  constructor(
    collection: Collection,
    features: Features,
    filter: string,
    includes: readonly JoinedInclude[],
    excluded: readonly JoinedInclude[],
  ) {
    const filters = new FilterEvaluator(collection, features).references(filter);
    const added = [...filters.keys()].filter((name) => !includes.some((include) => include.collection === name)).map(whole);
    this.#joins = [...includes, ...added].flatMap((include) => {
      const other = collection.others(include.collection);
      if (other === undefined) {
        throw badRequest(`Referenced collection \`${include.collection}\` in \`include_fields\` not found.`);
      }
      const relation = relationBetween(collection, other);
      const matches = filters.get(include.collection);
      if (relation === undefined || (!relation.forward && matches === undefined)) return [];
      const without = excluded.filter(({ collection: name }) => name === include.collection).flatMap(({ fields }) => fields);
      if (without.includes('*')) return [];
      const projection = readProjection(other, include.fields, without, false);
      return [{ include, other, relation, projection, matches: relation.forward ? undefined : matches }];
    });
  }

  get isIdle(): boolean {
    return this.#joins.length === 0;
  }

  joined(document: JsonObject, sequence: number): JsonObject {
    const added: [string, JsonValue][] = [];
    for (const { include, matches, other, projection, relation } of this.#joins) {
      const found = relation.related(sequence).filter((related) => matches === undefined || matches.has(related));
      const documents = found.flatMap((related) => {
        const parsed = other.documents.parsed(related);
        return parsed === undefined ? [] : [projection === undefined ? parsed : project(parsed, projection)];
      });
      const [first] = documents;
      if (first === undefined) continue;
      if (include.strategy === 'merge') added.push(...Object.entries(first));
      else added.push([include.alias, include.strategy === 'nest' && documents.length === 1 ? first : documents]);
    }
    return added.length === 0 ? document : objectOf([...Object.entries(document), ...added]);
  }
}
