import type { SearchForm, SearchOption, SearchOptionValue, SearchRequest, TableRef } from '@tabularium/sdk';
import { z } from 'zod';

const fieldSchema = z.object({ name: z.string().max(1_000), weight: z.number().int().optional() });
const valueSchema = z.union([z.boolean(), z.number(), z.string().max(20_000)]);

const optionSetSchema = z.object({
  /** Absent: the form's defaults. */
  fields: z.array(fieldSchema).max(1_000).optional(),
  options: z.record(z.string().max(40), valueSchema),
});
/** One way to search: the fields, and the options that differ from the defaults. */
export type OptionSet = z.output<typeof optionSetSchema>;

const searchSettingsSchema = optionSetSchema.extend({
  text: z.string().max(4_000),
  /** How many characters the text had before it was cut. */
  cutFrom: z.number().int().optional(),
  /** Absent: the first ones of the form. */
  facets: z.array(z.string().max(1_000)).max(100).optional(),
  /** Other tables that are looked in, too. */
  alsoIn: z
    .array(z.object({ namespace: z.array(z.string().max(1_000)).max(10), name: z.string().max(1_000) }))
    .max(99)
    .optional(),
  /** The other way to search, while two are compared. */
  other: optionSetSchema.optional(),
  /** The query set that hits are judged for; null: they are judged for none yet; absent: they are not judged. */
  judging: z.string().max(100).nullable().optional(),
  /** By rank, or in the order of the rows in the table's other view. */
  order: z.enum(['rank', 'data']),
  shows: z.enum(['cards', 'rows']),
  /** Undefined: open where there is room. */
  hasOptions: z.boolean().optional(),
});

/** The choices of a person in the search of one table. */
export type SearchSettings = z.output<typeof searchSettingsSchema>;

const NO_SETTINGS: SearchSettings = { text: '', options: {}, order: 'rank', shows: 'cards' };

/** Facets that are counted until others are chosen. */
const FIRST_FACETS = 4;

/** The other tables of a search: none where the server searches one at a time, and no more than it takes. */
export function chosenTables({ mostTables = 1 }: SearchForm, { alsoIn }: Pick<SearchSettings, 'alsoIn'>): readonly TableRef[] {
  return (alsoIn ?? []).slice(0, mostTables - 1);
}

type Chosen<Member extends 'fields' | 'facets'> = { readonly [Name in Member]?: SearchSettings[Name] | undefined };

export const searchSettingsName = (tableKey: string): string => `search ${tableKey}`;

/** The settings as they were left, or none where nothing readable was stored. */
export function readSearchSettings(stored: unknown): SearchSettings {
  const parsed = searchSettingsSchema.safeParse(stored);
  return parsed.success ? parsed.data : NO_SETTINGS;
}

/** The fields that are looked in: the chosen ones that are still there, else the form's defaults. */
export function chosenFields(form: SearchForm, { fields }: Chosen<'fields'>): SearchRequest['fields'] {
  const names = new Set(form.fields.map(({ name }) => name));
  const chosen = fields?.filter(({ name }) => names.has(name)) ?? [];
  if (chosen.length > 0) return chosen.map(({ name, weight }) => ({ name, ...(weight === undefined ? {} : { weight }) }));
  return form.fields.filter(({ isDefault }) => isDefault).map(({ name }) => ({ name }));
}

export function chosenFacets(form: SearchForm, { facets }: Chosen<'facets'>): readonly string[] {
  return facets?.filter((name) => form.facets.includes(name)) ?? form.facets.slice(0, FIRST_FACETS);
}

/** Whether a value fits an option: a server of another version may have other options, or others of the same name. */
function fits(option: SearchOption, value: SearchOptionValue): boolean {
  switch (option.type) {
    case 'switch':
      return typeof value === 'boolean';
    case 'number':
      return typeof value === 'number' && Number.isInteger(value) && value >= option.minimum && value <= option.maximum;
    case 'text':
      return typeof value === 'string';
    case 'choice':
      return option.choices.some((choice) => choice.value === value);
  }
}

/** The options that differ from the form's defaults. */
export function chosenOptions(
  form: SearchForm,
  { options }: Pick<SearchSettings, 'options'>,
): Readonly<Record<string, SearchOptionValue>> {
  const entries = form.options.flatMap((option): [string, SearchOptionValue][] => {
    const value = Object.hasOwn(options, option.id) ? options[option.id] : undefined;
    return value === undefined || value === option.default || !fits(option, value) ? [] : [[option.id, value]];
  });
  return Object.fromEntries(entries);
}
