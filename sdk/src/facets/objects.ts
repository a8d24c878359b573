import type { CallOptions } from '../callOptions.ts';
import type { Ability } from '../model/column.ts';
import type { DriverTexts } from '../model/driverText.ts';
import type { RowKey } from '../model/rowKey.ts';
import type { StatementEffect } from '../model/statement.ts';
import type { TableRef } from '../model/table.ts';
import type { DescribedRequest } from './console.ts';

interface FieldFacts {
  /** Members to follow from the outermost object of the document, 1 to 8; each path once in a form. */
  readonly path: readonly string[];
  /** A few words, shown above the control. */
  readonly label: string;
  /** One sentence, shown below it. */
  readonly help?: string;
  /** Whether the database refuses an object without it. */
  readonly required: boolean;
  /** Its texts in other languages: `label`, `help`. */
  readonly texts?: DriverTexts;
}

/** A control for one value of a document. A field without a value is left out of the document. */
export type ObjectValueField =
  | (FieldFacts & { readonly type: 'text' })
  /** Several texts, in order. */
  | (FieldFacts & { readonly type: 'texts' })
  /** The name of a table. */
  | (FieldFacts & { readonly type: 'table' })
  /** A whole number. */
  | (FieldFacts & { readonly type: 'number'; readonly minimum: number; readonly maximum: number })
  /** `default` is how the database takes a document without it. */
  | (FieldFacts & { readonly type: 'switch'; readonly default: boolean })
  | (FieldFacts & {
      readonly type: 'choice';
      /** In the order to show them. */
      readonly choices: readonly { readonly value: string; readonly label: string; readonly texts?: DriverTexts }[];
    })
  /** Any JSON. */
  | (FieldFacts & { readonly type: 'json' });

/** A control for one value of a document, or for a list of small objects. */
export type ObjectField =
  | ObjectValueField
  | (FieldFacts & {
      readonly type: 'list';
      /** The fields of each object; their paths begin in it. At most 10. */
      readonly fields: readonly ObjectValueField[];
    });

/** A kind of named objects that a database has beside its tables, such as aliases or views. */
export interface ObjectKind {
  /** Letters, digits, `_` and `-`, at most 40; each once. */
  readonly id: string;
  /** The database's names for them. */
  readonly term: { readonly one: string; readonly other: string };
  /** Their purpose, in one or two sentences. */
  readonly help: string;
  /** Its texts in other languages: `one`, `other`, `help`. */
  readonly texts?: DriverTexts;
  /** Whether the server has them, or each table its own. */
  readonly scope: 'server' | 'table';
  /** The id of the kind whose objects hold these, of the same scope, which itself is in no other. Absent: in none. */
  readonly within?: string;
  /** The id of a kind of the scope `server` whose objects these name, as a link does: a name is one of theirs. Absent: a name is free. */
  readonly names?: string;
  /** Facts to show beside the name in a list, in this order; at most 10. */
  readonly columns: readonly { readonly id: string; readonly label: string; readonly texts?: DriverTexts }[];
  /** A form over the document; empty where it is edited as JSON. At most 40. */
  readonly form: readonly ObjectField[];
  /** Whether one can be made and changed with these credentials, as far as is known, and why not. */
  readonly save: Ability;
  /** Whether one can be removed. */
  readonly remove: Ability;
}

/** Where objects are. */
export interface ObjectPlace {
  /** The id of an {@link ObjectKind}. */
  readonly kind: string;
  /** For a kind of the scope `table`, and only for one. */
  readonly table?: TableRef;
  /** The name of the object that holds these, for a kind with `within`, and only for one. */
  readonly within?: string;
}

/** One object. */
export interface ObjectRef extends ObjectPlace {
  /** 1 to 1,000 characters. */
  readonly name: string;
}

/** An object in a list. */
export interface ObjectSummary {
  readonly name: string;
  /** By the id of a column, each at most 1,000 characters; a fact that the object lacks is absent. */
  readonly facts: Readonly<Record<string, string>>;
}

/** A part of a list. */
export interface ObjectPage {
  /** At most 1,000. */
  readonly objects: readonly ObjectSummary[];
  /** For the next part; absent at the end. */
  readonly next?: string;
}

/** An object as a whole. */
export interface ObjectDocument {
  readonly name: string;
  /** The text of a JSON object without the name, with numbers digit for digit. Saving it as it is changes nothing. */
  readonly document: string;
}

/** A change of one object. */
export type ObjectChange =
  | {
      readonly action: 'save';
      readonly object: ObjectRef;
      /** The text of a JSON object, without the name. */
      readonly document: string;
      /** The document that the change began from, as `get` returned it; null: there was none. Where it is another by now, nothing is changed. */
      readonly was: string | null;
    }
  | {
      readonly action: 'remove';
      readonly object: ObjectRef;
      /**
       * The document that the person agreed to lose, as `get` returned it. Where it is another by now, nothing is removed. The host compares as well,
       * just before it asks, for drivers that ignore this. Absent: whatever the object is.
       */
      readonly was?: string;
    };

/** A change, ready to be confirmed. */
export interface PlannedChange {
  /** Its effect, as of a statement. */
  readonly effect: Exclude<StatementEffect, 'read'>;
  /** One to three sentences: what changes, and what else changes by it. */
  readonly consequence: string;
  /** Its texts in other languages: `consequence`. */
  readonly texts?: DriverTexts;
  /** To the letter and without credentials, in the order in which they are sent; 1 to 10. */
  readonly requests: readonly DescribedRequest[];
}

/** A hit of a ranked search, and the place that searches for the same words are to give it from then on. */
export type HitPlacement = {
  readonly table: TableRef;
  /** The words of the search, not blank; at most 4,000 characters. */
  readonly text: string;
  readonly key: RowKey;
} & (
  | {
      readonly action: 'pin';
      /** 1 is the first; at most 10,000. */
      readonly rank: number;
    }
  /** It is no longer found by these words. */
  | { readonly action: 'hide' }
  /** Neither pinned nor hidden any more: where the search itself puts it. */
  | { readonly action: 'release' }
);

/** The facet of a session that lists, makes, changes and removes named objects. */
export interface ObjectsFacet {
  /** The kinds that this server has, in the order to show them; at most 50. */
  kinds(options: CallOptions): Promise<readonly ObjectKind[]>;

  /**
   * The objects of a place, in a stable order.
   *
   * @param next - of the part before; absent: from the beginning
   * @throws DriverError `INVALID_INPUT` for a place that its kind does not have, `NOT_FOUND` for a table or holder that is not there,
   *   `ACCESS_REFUSED` when the credentials may not list them (never an empty list)
   */
  list(place: ObjectPlace, next: string | undefined, options: CallOptions): Promise<ObjectPage>;

  /** One object. @throws DriverError `NOT_FOUND`, `ACCESS_REFUSED` */
  get(object: ObjectRef, options: CallOptions): Promise<ObjectDocument>;

  /**
   * Looks at what a change would do now, without doing it.
   *
   * @throws DriverError `INVALID_INPUT` for a document that the database would refuse, as far as is known; `CONFLICT` for a change that another one must
   *   go before, saying which, or that began from another document; `NOT_FOUND`, `UNSUPPORTED`, `ACCESS_REFUSED`
   */
  plan(change: ObjectChange, options: CallOptions): Promise<PlannedChange>;

  /** Makes it. @throws DriverError as {@link ObjectsFacet.plan} */
  apply(change: ObjectChange, options: CallOptions): Promise<void>;

  /**
   * The change of one object, for {@link ObjectsFacet.plan}, that gives a hit this place in searches for exactly these words. Asking changes nothing.
   * An object that places hits of these words is changed and keeps everything else that it does; one that would do nothing any more is removed; where
   * there is none, the change adds one. Absent where the database has no objects that place hits.
   *
   * @throws DriverError `CONFLICT` where nothing would change, or where an object that acts on other words too would have to; `UNSUPPORTED` where
   *   something has to be made first, saying what; `NOT_FOUND` for a table that is not there; `INVALID_INPUT` for blank words; `ACCESS_REFUSED`
   */
  placeHit?(hit: HitPlacement, options: CallOptions): Promise<ObjectChange>;
}
