import type { CallOptions } from '../callOptions.ts';
import type { Ability } from '../model/column.ts';
import type { DriverTextList, DriverTexts } from '../model/driverText.ts';

/** Somebody or something that may use the database: a user, a role, an API key. */
export interface Principal {
  /** Unique among all; for `remove`. */
  readonly id: string;
  /** How people know it. */
  readonly label: string;
  /** Its scope, in a few words, such as `Server-wide` or `products, articles`. */
  readonly reach: string;
  /** Whether it reaches everything, also what is made later. */
  readonly serverWide: boolean;
  /** Its permissions, each in the database's own term. */
  readonly actions: readonly string[];
  /** Further facts in the order to show them, such as a prefix or a description. Never a secret. */
  readonly attributes: readonly { readonly label: string; readonly value: string }[];
  /** ISO 8601; absent: never. */
  readonly expiresAt?: string;
  /** Whether these credentials may remove it, as far as is known. */
  readonly removable: Ability;
  /** Whether these credentials may change it. Absent: as the whole facet says. */
  readonly editable?: Ability;
}

/** One field of a form about a principal. */
export interface PrincipalField {
  /** The name of the value in a {@link PrincipalInput}; 1 to 40 characters. */
  readonly id: string;
  /** A few words, shown above the field. */
  readonly label: string;
  /** One sentence, shown below it. */
  readonly help?: string;
  /** Without a value the driver refuses with `INVALID_INPUT`, naming the field. */
  readonly required: boolean;
  /**
   * `list`: several values, chosen from `options` or typed; `time`: ISO 8601 or empty; `secret`: shown nowhere; `flag`: the value `true`, or none;
   * `choice`: one of `options`, or none.
   */
  readonly type: 'text' | 'list' | 'time' | 'secret' | 'flag' | 'choice';
  /** Values to choose from, in this order. */
  readonly options?: readonly {
    readonly value: string;
    readonly label: string;
    readonly group?: string;
    readonly texts?: DriverTexts;
  }[];
  /** Where these credentials can't set it: why, as far as is known. Such a field is shown, and not sent. */
  readonly ability?: Ability;
  /** The initial value of the field. */
  readonly default?: readonly string[];
  /** Its texts in other languages. */
  readonly texts?: DriverTexts;
}

/** Entered values by field id: a list of values for `list`, one value or none for the others. */
export type PrincipalInput = Readonly<Record<string, readonly string[]>>;

/** A principal that was just made. */
export interface CreatedPrincipal {
  /** As `list` returns it from now on: without its secret. */
  readonly principal: Principal;
  /** A value that is returned only once and cannot be read again. */
  readonly secret?: { readonly label: string; readonly value: string };
}

/** A credential that was just computed. */
export interface GeneratedCredential {
  /** The credential, which is returned only once. */
  readonly secret: { readonly label: string; readonly value: string };
  /** Sentences on what it may do and how long, such as that it ends with the one it was made of. */
  readonly notes: readonly string[];
}

/** Makes credentials of others by computing them: the server keeps no list of them. */
export interface CredentialGenerator {
  /** The database's names for them. */
  readonly term: { readonly one: string; readonly other: string };
  /** The purpose of such a credential and the use of the form's secrets, in one or two sentences. */
  readonly help: string;
  /** Its texts in other languages. */
  readonly texts?: DriverTexts;

  /** The form for a new one. */
  form(options: CallOptions): Promise<readonly PrincipalField[]>;

  /**
   * Computes one. Nothing is changed on the server, and no secret of the input is sent to it, kept or logged.
   *
   * @throws DriverError `INVALID_INPUT` (with the field)
   */
  generate(input: PrincipalInput, options: CallOptions): Promise<GeneratedCredential>;
}

/** Something to do with a principal. */
export type PrincipalAction =
  | { readonly is: 'add' }
  /** `id` is that of a {@link Principal}. */
  | { readonly is: 'change' | 'remove'; readonly id: string };

/** An action with what was entered. Of a change, only the fields that a person changed: what is absent stays as it is, an empty list empties it. */
export type PrincipalRequest = PrincipalAction & { readonly input: PrincipalInput };

/** An action, ready to be confirmed. */
export interface PrincipalPlan {
  /** In their order and to the letter, but for secrets: a placeholder is in their place. 1 to 1,000. */
  readonly statements: readonly string[];
  /** Sentences on the consequences, such as what an owner loses; at most 50. */
  readonly notes: readonly string[];
  /** Translations of the notes. */
  readonly noteTexts?: DriverTextList;
}

/** Facts about one principal, as a small table. */
export interface PrincipalFacts {
  /** A few words, such as `Owned objects`. */
  readonly title: string;
  /** Its texts in other languages: `title`, `note`. */
  readonly texts?: DriverTexts;
  /** 1 to 8. */
  readonly columns: readonly { readonly label: string; readonly texts?: DriverTexts }[];
  /** Each with one text for each column; at most 1,000. */
  readonly rows: readonly (readonly string[])[];
  /** The rows that are left out, and why. */
  readonly note?: string;
}

/** Adds, changes and removes principals by statements that are shown before they run. */
export interface PrincipalChanges {
  /** Whether these credentials may add one, as far as is known. */
  readonly addable: Ability;

  /** Its objects and permissions, by kind; a kind without facts is left out. At most 20. @throws DriverError `NOT_FOUND` */
  details(id: string, options: CallOptions): Promise<readonly PrincipalFacts[]>;

  /** The form of an action, with the values as they are now. At most 50 fields. @throws DriverError `NOT_FOUND`, `ACCESS_REFUSED` */
  form(action: PrincipalAction, options: CallOptions): Promise<readonly PrincipalField[]>;

  /** Looks at what an action would do now, and changes nothing. @throws DriverError `INVALID_INPUT` (with the field), `CONFLICT`, `NOT_FOUND` */
  plan(request: PrincipalRequest, options: CallOptions): Promise<PrincipalPlan>;

  /**
   * Does all of it, or nothing. Secrets of the input are sent in no form that could be used to sign in, where the database allows that, and are kept
   * and logged nowhere.
   *
   * @param confirmed - the statements of the plan that a person agreed to
   * @returns the principal as it is now; none where it was removed
   * @throws DriverError `CONFLICT` where the statements would be others by now; and as {@link PrincipalChanges.plan}
   */
  run(request: PrincipalRequest, confirmed: readonly string[], options: CallOptions): Promise<readonly Principal[]>;
}

/** The facet of a session that manages who may use the database. */
export interface PrincipalsFacet {
  /** The database's names for them. */
  readonly term: { readonly one: string; readonly other: string };
  /** Whether one can be changed after it was made, and why not. */
  readonly editable: Ability;

  /** All of them, in a stable order. @throws DriverError `ACCESS_REFUSED` when the credentials may not list them (never an empty list) */
  list(options: CallOptions): Promise<readonly Principal[]>;

  /** The form for a new one, with choices as they are now. */
  form(options: CallOptions): Promise<readonly PrincipalField[]>;

  /** Makes one. Its secret is handed out in the answer and kept nowhere. @throws DriverError `INVALID_INPUT` (with the field), `CONFLICT`, `ACCESS_REFUSED` */
  create(input: PrincipalInput, options: CallOptions): Promise<CreatedPrincipal>;

  /** Credentials that are computed from others. Absent where there are none. */
  readonly generator?: CredentialGenerator;

  /** For databases whose principals can be changed, or whose statements are to be seen first. Where it is there, the window uses it for all actions. */
  readonly changes?: PrincipalChanges;

  /** Removes one. @throws DriverError `NOT_FOUND`, `ACCESS_REFUSED` */
  remove(id: string, options: CallOptions): Promise<void>;
}
