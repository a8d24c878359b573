import type { Ability, DriverTextList, DriverTexts, PrincipalField, TableDescription } from '@tabularium/sdk';
import { driverMessages } from '@tabularium/sdk/manifest';
import type { Manifest } from '@tabularium/sdk/manifest';
import type { ErrorReport } from '../../common/errorReport.ts';
import { formatDriverMessage } from '../i18n/formatDriverMessage.ts';
import { language } from '../i18n/language.ts';

/** Messages in the window's language by their ids, by connection: what a driver says while it runs is translated by its manifest. */
const messagesOf = new Map<string, ReadonlyMap<string, string>>();

const NO_MESSAGES: ReadonlyMap<string, string> = new Map();

/** Takes the translations of the driver that serves a connection from now on. */
export function learnDriverTexts(connectionId: string, manifest: Manifest, spoken = language): void {
  messagesOf.set(connectionId, driverMessages(manifest, spoken));
}

/**
 * Something that a connection's driver said, with its texts in the language of the window. A text stays English where the driver names no
 * translation, or one that is missing or wrong.
 */
export function inDriverWords<T extends { readonly texts?: DriverTexts | undefined }>(connectionId: string, said: T): T {
  return inWordsOf(messagesOf.get(connectionId) ?? NO_MESSAGES, said);
}

/** The same where there is no connection yet, of a driver with this manifest. */
export function inManifestWords<T extends { readonly texts?: DriverTexts | undefined }>(manifest: Manifest, said: T): T {
  return said.texts === undefined ? said : inWordsOf(driverMessages(manifest, language), said);
}

function inWordsOf<T extends { readonly texts?: DriverTexts | undefined }>(messages: ReadonlyMap<string, string>, said: T): T {
  if (messages.size === 0 || said.texts === undefined) return said;
  const translated: Record<string, string> = {};
  for (const [member, reference] of Object.entries(said.texts)) {
    const english: unknown = Object.hasOwn(said, member) ? said[member as keyof T] : undefined;
    const message = reference === undefined ? undefined : messages.get(reference.id);
    if (typeof english !== 'string' || message === undefined) continue;
    const text = formatDriverMessage(message, reference?.values);
    if (text !== undefined) translated[member] = text;
  }
  return { ...said, ...translated };
}

/** A refusal with its reason in the language of the window. */
export function abilityInDriverWords(connectionId: string, ability: Ability): Ability {
  return ability.allowed ? ability : inDriverWords(connectionId, ability);
}

/** Something with notes, each in the language of the window where it has a translation. */
export function notesInDriverWords<
  T extends { readonly notes?: readonly string[] | undefined; readonly noteTexts?: DriverTextList | undefined },
>(connectionId: string, said: T): T {
  const { notes, noteTexts } = said;
  if (notes === undefined || noteTexts === undefined) return said;
  const translated = notes.map((note, place) => {
    const reference = noteTexts[place] ?? undefined;
    return reference === undefined ? note : inDriverWords(connectionId, { note, texts: { note: reference } }).note;
  });
  return { ...said, notes: translated };
}

/** A table's description with its notes, those of its columns, indexes and triggers, and the reasons of its columns, in the language of the window. */
export function tableInDriverWords(connectionId: string, description: TableDescription): TableDescription {
  const { indexes, triggers } = description;
  return {
    ...notesInDriverWords(connectionId, description),
    ...(indexes === undefined ? {} : { indexes: indexes.map((index) => inDriverWords(connectionId, index)) }),
    ...(triggers === undefined ? {} : { triggers: triggers.map((trigger) => inDriverWords(connectionId, trigger)) }),
    columns: description.columns.map((column) => ({
      ...inDriverWords(connectionId, column),
      editable: abilityInDriverWords(connectionId, column.editable),
      sortable: abilityInDriverWords(connectionId, column.sortable),
      ...(column.marks === undefined ? {} : { marks: column.marks.map((mark) => inDriverWords(connectionId, mark)) }),
    })),
  };
}

/** The fields of a driver's form, with their choices, in the language of the window. */
export function fieldsInDriverWords(connectionId: string, fields: readonly PrincipalField[]): readonly PrincipalField[] {
  return fields.map((field) => ({
    ...inDriverWords(connectionId, field),
    ...(field.ability === undefined ? {} : { ability: abilityInDriverWords(connectionId, field.ability) }),
    ...(field.options === undefined ? {} : { options: field.options.map((option) => inDriverWords(connectionId, option)) }),
  }));
}

/** Which parts of a report a driver's manifest has translated. */
export interface TranslatedReport {
  readonly translated?: { readonly message: boolean; readonly advice: boolean };
}

/** A report of a driver's error, with the driver's own message and advice in the language of the window. */
export function reportInDriverWords<T extends Pick<ErrorReport, 'message' | 'advice' | 'details'>>(
  connectionId: string,
  report: T,
): T & TranslatedReport {
  const { message, advice, details } = report;
  const said = inDriverWords(connectionId, { message, advice, texts: details.texts });
  const translated = { message: said.message !== message, advice: said.advice !== advice };
  return { ...report, message: said.message, advice: said.advice, translated };
}
