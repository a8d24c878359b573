import type { CallOptions } from '../callOptions.ts';
import type { Ability } from '../model/column.ts';
import type { DriverTexts } from '../model/driverText.ts';
import type { StatementEffect } from '../model/statement.ts';
import type { RowCount, TableRef } from '../model/table.ts';
import type { ObjectField } from './objects.ts';

/** Where an operation is offered: for the server as a whole, for a part of it, or for one table. */
export type OperationPlace =
  | { readonly on: 'server' }
  | { readonly on: 'namespace'; readonly namespace: readonly string[] }
  | { readonly on: 'table'; readonly table: TableRef };

/** Something that can be done to a server, a namespace or a table as a whole. */
export interface Operation {
  /** Unique in its place; letters, digits, `_` and `-`, at most 40. */
  readonly id: string;
  /** A verb for a menu, such as `Reindex and swap`; at most 80 characters. */
  readonly label: string;
  /** Its purpose, in one or two sentences. */
  readonly help: string;
  /** The worst that it does, as of a statement: its plan says it for the input. */
  readonly effect: StatementEffect;
  /** Whether it can be done in this place with these credentials, as far as is known, and why not. */
  readonly ability: Ability;
  /** Whether a run gives checkpoints, so that an interrupted one can be resumed. */
  readonly resumable: boolean;
  /** Set where it makes a new table: the host offers it where it lists tables. */
  readonly makes?: 'table';
  /** Its texts in other languages: `label`, `help`. */
  readonly texts?: DriverTexts;
}

/** An input to begin with. */
export interface OperationPreset {
  /** Unique in its form; letters, digits, `_` and `-`, at most 40. */
  readonly id: string;
  readonly label: string;
  /** The text of a JSON object: a whole input. */
  readonly document: string;
  /** Its texts in other languages: `label`. */
  readonly texts?: DriverTexts;
}

/** How the input of an operation is entered. The input is the text of a JSON object, which a form and JSON show alike. */
export interface OperationForm {
  /** The input to begin with. */
  readonly document: string;
  /** A form over it; empty where the operation needs no input. At most 40. */
  readonly fields: readonly ObjectField[];
  /** Other inputs to begin with, in the order to show them; at most 20. */
  readonly presets: readonly OperationPreset[];
}

/** An operation with its input. */
export interface OperationCall {
  readonly place: OperationPlace;
  /** The id of an {@link Operation} of the place. */
  readonly operation: string;
  /** The text of a JSON object. */
  readonly input: string;
}

/** One step of an operation, in the order in which they are done. */
export interface OperationStep {
  /** A few words, such as `Copy the documents`; at most 200 characters. */
  readonly title: string;
  /** Its texts in other languages: `title`. */
  readonly texts?: DriverTexts;
  /**
   * Its statements or requests as the console takes them: to the letter, without credentials; 1 to 50. Where one is sent many times with rows of the
   * database, its rows are left out, and the title says it.
   */
  readonly statements: readonly string[];
}

/** A table that an operation affects. */
export interface AffectedTable {
  readonly table: TableRef;
  /** `emptied` and `gone`: changes of its rows that a person has staged can't be saved any more; `changed`: its structure or some of its rows are others. */
  readonly becomes: 'new' | 'changed' | 'emptied' | 'gone';
}

/** An operation, ready to be confirmed. */
export interface OperationPlan {
  /** The effect with this input. */
  readonly effect: StatementEffect;
  /** One to five sentences: what changes, what is lost and what stays. */
  readonly consequence: string;
  /** Its texts in other languages: `consequence`. */
  readonly texts?: DriverTexts;
  /** 1 to 20. */
  readonly steps: readonly OperationStep[];
  /** The name that a person types to confirm, at most 1,000 characters: of what is really affected. Wanted where the effect is destructive, and only there. */
  readonly confirm?: string;
  /** How many rows are affected, where that is known. */
  readonly count?: RowCount;
  /** At most 20. */
  readonly affected: readonly AffectedTable[];
  /** The facts that the plan rests on, opaque, at most 4,000 characters. A run whose facts are others by now does nothing (`CONFLICT`). */
  readonly basis: string;
}

/** A change that takes an operation back. It is planned and confirmed like every other. */
export interface OperationUndo {
  /** A verb and its object, such as `Move the alias products back`; at most 200 characters. */
  readonly label: string;
  /** Its texts in other languages: `label`. */
  readonly texts?: DriverTexts;
  readonly call: OperationCall;
}

/** The events of a run. `result` is the last one of a run that has ended well; one that fails throws. */
export type OperationEvent =
  | {
      readonly type: 'progress';
      /** The index of a step of the plan; never an earlier one than before. */
      readonly step: number;
      /** How much of the step is done. */
      readonly done?: number;
      /** How much there is, as far as is known. */
      readonly of?: number;
      /** The counted things, such as `documents`; at most 80 characters. */
      readonly unit?: string;
      /** Its texts in other languages: `unit`. */
      readonly texts?: DriverTexts;
    }
  | {
      readonly type: 'checkpoint';
      /** The text of a JSON object, at most 16,384 characters and without secrets. A run that is given it continues behind it. */
      readonly checkpoint: string;
    }
  | {
      /** A row that the database refused. The operation continues. */
      readonly type: 'rejected';
      /** The row's key, for people; at most 1,000 characters. */
      readonly row: string;
      readonly message: string;
    }
  | {
      readonly type: 'result';
      /** One to three sentences, such as `The alias products leads to products_2026.` */
      readonly message: string;
      /** Its texts in other languages: `message`. */
      readonly texts?: DriverTexts;
      /** Where the database reports it. */
      readonly affectedRows?: number;
      readonly undo?: OperationUndo;
    };

/** How an operation is run. */
export interface OperationRunOptions extends CallOptions {
  /** Of the plan that was confirmed. */
  readonly basis: string;
  /** The last one of a run that was interrupted: this run continues it. */
  readonly checkpoint?: string;
}

/** The facet of a session that works on servers, namespaces and tables as a whole. */
export interface OperationsFacet {
  /** The operations of a place, in the order of a menu. Asks the server for as little as it can. */
  list(place: OperationPlace, options: CallOptions): Promise<readonly Operation[]>;

  /** The form of an operation, with what the server has now. @throws DriverError `NOT_FOUND`, `UNSUPPORTED` */
  form(place: OperationPlace, operation: string, options: CallOptions): Promise<OperationForm>;

  /**
   * Looks at what an operation would do now, without doing it.
   *
   * @throws DriverError `INVALID_INPUT` for an input that can't be used (`details.field` names its member), `CONFLICT` where something else has to
   *   be done first, `NOT_FOUND`, `UNSUPPORTED`, `ACCESS_REFUSED`
   */
  plan(call: OperationCall, options: CallOptions): Promise<OperationPlan>;

  /**
   * Does it. When cancelled it rejects, and the steps that are not done stay undone. Where the session or the host is lost in the middle, the host hands
   * the last checkpoint back: no row is lost and none is doubled.
   *
   * @throws DriverError `CONFLICT` where the plan rests on other facts by now, and as {@link OperationsFacet.plan}
   */
  run(call: OperationCall, options: OperationRunOptions): AsyncIterable<OperationEvent>;
}
