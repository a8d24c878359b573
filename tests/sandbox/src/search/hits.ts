import type { CurationEffect } from '../curation/readCuration.ts';
import type { Joiner } from '../joins/joiner.ts';
import { print } from '../json/print.ts';
import { float, objectOf } from '../json/value.ts';
import type { JsonValue } from '../json/value.ts';
import type { Collection } from '../store/collection.ts';
import { highlight } from './highlight.ts';
import type { SearchParams } from './params.ts';
import { project } from './projection.ts';
import type { Projection } from './projection.ts';
import { scoreParts } from './score.ts';
import { geoDistance } from './sort.ts';
import type { SortKey } from './sort.ts';
import type { TextMatches } from './textMatches.ts';

const SHARED_PLACE_SCORES =
  ',"text_match":-1,"text_match_info":{"best_field_score":"281474976710655","best_field_weight":255,"fields_matched":7,' +
  '"num_tokens_dropped":0,"score":"18446744073709551615","tokens_matched":15,"typo_prefix_score":0}';

/** The hits of a search, in the order of the answer. */
export interface Found {
  /** With what is pinned. */
  readonly order: Uint32Array;
  /** Without. */
  readonly unpinned: Uint32Array;
  readonly pinned: ReadonlySet<number>;
  readonly pins: CurationEffect['pins'];
  readonly curation: CurationEffect | undefined;
  readonly sorts: readonly SortKey[];
  readonly text: TextMatches | undefined;
  readonly distances: ReadonlyMap<number, number> | undefined;
}

/** How a hit shows its document. */
export interface Shown {
  readonly projection: Projection | undefined;
  readonly joiner: Joiner | undefined;
}

/** Prints what a search answers for each document it found. */
export class Hits {
  readonly #collection: Collection;
  readonly #params: SearchParams;
  readonly #found: Found;
  readonly #projection: Projection | undefined;
  readonly #joiner: Joiner | undefined;

  constructor(collection: Collection, params: SearchParams, found: Found, { joiner, projection }: Shown) {
    this.#collection = collection;
    this.#params = params;
    this.#found = found;
    this.#projection = projection;
    this.#joiner = joiner;
  }

  print(sequence: number): string {
    const found = this.#found;
    const projection = this.#projection;
    const joiner = this.#joiner;
    const { documents } = this.#collection;
    const stored = documents.text(sequence) ?? '{}';
    const { text } = found;
    let document = stored;
    let marks = '"highlight":{},"highlights":[]';
    if (projection !== undefined || text !== undefined || joiner !== undefined) {
      const whole =
        (projection === undefined && joiner === undefined ? documents.scanned(sequence, false) : documents.parsed(sequence)) ??
        {};
      const own = projection === undefined ? whole : project(whole, projection);
      const shown = joiner === undefined ? own : joiner.joined(own, sequence);
      if (projection !== undefined || joiner !== undefined) document = print(shown);
      if (text !== undefined) {
        const { list: entries, tree } = highlight(shown, sequence, text, this.#collection, this.#params);
        const v1 = this.#params.get('enable_highlight_v1') === 'false' ? '' : `,"highlights":${print(entries)}`;
        marks = `"highlight":${print(tree)}${v1}`;
      }
    }
    const start = found.pins.length > 0 && found.pinned.has(sequence) ? '{"curated":true,"document":' : '{"document":';
    return `${start}${document},${this.#geoDistances(sequence, found.sorts)}${marks}${this.#scoreMarks(sequence, found)}}`;
  }

  /** A pinned hit has no score; one that shares the place of another has one that no search gives. */
  #scoreMarks(sequence: number, found: Found): string {
    if (found.pins.length === 0) return this.#scores(sequence, found);
    if (found.pinned.has(sequence)) return '';
    return found.pins.some(({ sequences }) => sequences.includes(sequence)) ? SHARED_PLACE_SCORES : this.#scores(sequence, found);
  }

  #geoDistances(sequence: number, sorts: readonly SortKey[]): string {
    const distances: [string, JsonValue][] = [];
    for (const key of sorts) {
      if (key.by !== 'geo') continue;
      const metres = geoDistance(key, this.#collection, sequence);
      if (metres !== undefined) distances.push([key.field, Math.trunc(metres)]);
    }
    return distances.length === 0 ? '' : `"geo_distance_meters":${print(objectOf(distances))},`;
  }

  #scores(sequence: number, { distances, text }: Found): string {
    let shown = '';
    const score = text?.scores.get(sequence);
    if (score !== undefined && text !== undefined) {
      const parts = scoreParts(score);
      const info = objectOf([
        ['best_field_score', String(parts.bestFieldScore)],
        ['best_field_weight', parts.bestFieldWeight],
        ['fields_matched', parts.fieldsMatched],
        ['num_tokens_dropped', text.queryLength - parts.tokensMatched],
        ['score', String(score)],
        ['tokens_matched', parts.tokensMatched],
        ['typo_prefix_score', parts.typoPrefixScore],
      ]);
      shown += `,"text_match":${score},"text_match_info":${print(info)}`;
    }
    const distance = distances?.get(sequence);
    if (distance !== undefined) shown += `,"vector_distance":${print(float(distance))}`;
    return shown;
  }
}
