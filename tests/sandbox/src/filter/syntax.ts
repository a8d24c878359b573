/** The parsed form of `filter_by`. */
export type FilterNode =
  | { readonly kind: 'and' | 'or'; readonly left: FilterNode; readonly right: FilterNode }
  | { readonly kind: 'object'; readonly field: string; readonly inner: FilterNode }
  /** Documents whose joined documents in another collection match. */
  | { readonly kind: 'reference'; readonly collection: string; readonly filter: string }
  | { readonly kind: 'leaf'; readonly leaf: FilterLeaf };

export type NumberComparator = '=' | '!=' | '<' | '<=' | '>' | '>=';

export interface NumberRange {
  readonly comparator: NumberComparator | 'range';
  readonly from: number | bigint;
  readonly to: number | bigint;
}

export type GeoShape =
  | { readonly kind: 'circle'; readonly latitude: number; readonly longitude: number; readonly metres: number }
  | { readonly kind: 'polygon'; readonly points: readonly (readonly [number, number])[] };

export type FilterLeaf =
  | { readonly on: 'id'; readonly negated: boolean; readonly all: boolean; readonly ids: readonly string[] }
  | { readonly on: 'number'; readonly field: string; readonly negated: boolean; readonly ranges: readonly NumberRange[] }
  | { readonly on: 'bool'; readonly field: string; readonly negated: boolean; readonly values: readonly boolean[] }
  | { readonly on: 'geo'; readonly field: string; readonly shapes: readonly GeoShape[] }
  | {
      readonly on: 'text';
      readonly field: string;
      readonly negated: boolean;
      readonly exact: boolean;
      readonly values: readonly string[];
    };
