import { DriverError, listOfNames } from '@tabularium/sdk';
import type { DriverTexts, SearchRequest } from '@tabularium/sdk';
import type { CollectionSchema, SchemaField } from '../schema.ts';
import { MOST_WEIGHT, countedFields, defaultFields, optionsOf, searchedFields } from './form.ts';
import { RANKED_OPTIONS } from './options.ts';
import type { RankedOption } from './options.ts';
import { faultTexts } from '../faultTexts.ts';

/** The parameters of a search besides its filter, sorts and place. */
export type RankedParameters = Readonly<Record<string, string | number | boolean>>;

/**
 * The parameters of a ranked search: only what differs from the server's defaults, so that a request says what was chosen.
 *
 * @param schema - undefined where the key may not read it: the fields are the ones that were named
 * @throws DriverError `INVALID_INPUT` with the field or option
 */
export function parametersOf(
  { text, fields, facets, options }: Pick<SearchRequest, 'text' | 'fields' | 'facets' | 'options'>,
  schema: CollectionSchema | undefined,
  version: number | undefined,
): RankedParameters {
  const chosen = chosenOptions(options, version);
  const named = fieldsOf(fields, schema);
  const counted = facetsOf(facets, schema);
  const usesPreset = chosen['preset'] !== undefined;
  const searched = fields.length === 0 && usesPreset ? [] : named;
  const words = text.trim() === '' ? '*' : text;
  if (words !== '*' && searched.length === 0 && !usesPreset) {
    throw new DriverError('INVALID_INPUT', 'There is no field to look for words in.', {
      details: {
        advice:
          schema === undefined
            ? 'Name the fields: the API key lacks the action collections:get, so the schema is hidden.'
            : 'Words are looked for in indexed fields of text; this collection has none.',
        texts: faultTexts('fault.noSearchedField', {}, 'fault.noSearchedField.advice', {
          schema: schema === undefined ? 'hidden' : 'known',
        }),
      },
    });
  }
  const { infix, ...rest } = chosen;
  return {
    q: words,
    ...(searched.length === 0 ? {} : { query_by: searched.map(({ name }) => name).join(',') }),
    ...weightsOf(fields),
    ...(typeof infix === 'string' ? { infix: infixOf(infix, searched, schema) } : {}),
    ...(counted.length === 0 ? {} : { facet_by: counted.join(',') }),
    ...rest,
    // Off unless it was chosen: a person who tries a search isn't a user whose searches the server's rules count.
    ...(chosen['enable_analytics'] === undefined && optionsOf(version).includes('enable_analytics')
      ? { enable_analytics: false }
      : {}),
  };
}

function weightsOf(fields: SearchRequest['fields']): RankedParameters {
  if (fields.every(({ weight }) => weight === undefined)) return {};
  const heavy = fields.find(({ weight }) => (weight ?? 0) > MOST_WEIGHT);
  if (heavy !== undefined)
    throw invalid(
      heavy.name,
      `The weight of “${heavy.name}” is ${heavy.weight}; the most is ${MOST_WEIGHT}.`,
      faultTexts('fault.weight', { name: heavy.name, weight: heavy.weight ?? 0, most: MOST_WEIGHT }),
    );
  return { query_by_weights: fields.map(({ weight }) => weight ?? 1).join(',') };
}

/** Fields without an index for it are an error to the server. */
function infixOf(mode: string, searched: readonly { readonly name: string }[], schema: CollectionSchema | undefined): string {
  const having = new Set(schema?.fields.filter(({ infix }) => infix).map(({ name }) => name));
  return searched.map(({ name }) => (schema === undefined || having.has(name) ? mode : 'off')).join(',') || mode;
}

function fieldsOf(wanted: SearchRequest['fields'], schema: CollectionSchema | undefined): readonly Pick<SchemaField, 'name'>[] {
  if (schema === undefined) {
    for (const { name } of wanted) plainName(name);
    return wanted;
  }
  if (wanted.length === 0) return defaultFields(schema);
  const known = new Set(searchedFields(schema).map(({ name }) => name));
  const seen = new Set<string>();
  for (const { name } of wanted) {
    if (!known.has(name)) throw unknown(name, 'Words cannot be looked for in', 'words', [...known]);
    if (seen.has(name)) throw invalid(name, `The field “${name}” is there twice.`, faultTexts('fault.searchedTwice', { name }));
    seen.add(name);
  }
  return wanted;
}

function facetsOf(wanted: readonly string[], schema: CollectionSchema | undefined): readonly string[] {
  const known = schema === undefined ? undefined : new Set(countedFields(schema).map(({ name }) => name));
  for (const name of wanted) {
    if (known === undefined) plainName(name);
    else if (!known.has(name)) throw unknown(name, 'The server does not count the values of', 'values', [...known]);
  }
  return [...new Set(wanted)];
}

function chosenOptions(options: SearchRequest['options'], version: number | undefined): RankedParameters {
  const known = optionsOf(version);
  const chosen: Record<string, string | number | boolean> = {};
  for (const [id, value] of Object.entries(options)) {
    const option = Object.hasOwn(RANKED_OPTIONS, id) ? RANKED_OPTIONS[id] : undefined;
    if (option === undefined || !known.includes(id)) {
      const where = option === undefined ? '' : ' of this server version';
      throw invalid(
        id,
        `There is no option “${id}”${where}.`,
        faultTexts('fault.noOption', { id, of: option === undefined ? 'all' : 'version' }, 'fault.thereAre', {
          count: known.length,
          names: known,
        }),
        `The options are: ${listOfNames(known)}.`,
      );
    }
    checkOption(id, option, value);
    if (value !== option.default) chosen[id] = value;
  }
  return chosen;
}

function checkOption(id: string, option: RankedOption, value: string | number | boolean): void {
  switch (option.type) {
    case 'switch':
      if (typeof value !== 'boolean')
        throw invalid(id, `The option “${id}” is true or false.`, faultTexts('fault.optionSwitch', { id }));
      return;
    case 'number':
      if (typeof value === 'number' && Number.isInteger(value) && value >= option.minimum && value <= option.maximum) return;
      throw invalid(
        id,
        `The option “${id}” is a whole number from ${option.minimum} to ${option.maximum}.`,
        faultTexts('fault.optionNumber', { id, least: option.minimum, most: option.maximum }),
      );
    case 'text':
      if (typeof value !== 'string') throw invalid(id, `The option “${id}” is a text.`, faultTexts('fault.optionText', { id }));
      return;
    case 'choice':
      if (typeof value === 'string' && Object.hasOwn(option.choices, value)) return;
      throw invalid(
        id,
        `The option “${id}” is one of ${listOfNames(Object.keys(option.choices))}.`,
        faultTexts('fault.optionChoice', { id, choices: Object.keys(option.choices) }),
      );
  }
}

/** A name that would be read as two, or as something else. */
function plainName(name: string): void {
  if (name.includes(',') || name.trim() === '')
    throw invalid(name, `“${name}” isn't the name of a field.`, faultTexts('fault.noFieldName', { name }));
}

function unknown(name: string, what: string, of: 'words' | 'values', known: readonly string[]): DriverError {
  const list = known.length === 0 ? 'There are none.' : `There are: ${listOfNames(known)}.`;
  return invalid(
    name,
    `${what} “${name}”.`,
    faultTexts('fault.fieldNotFor', { of, name }, 'fault.thereAre', { count: known.length, names: known }),
    list,
  );
}

function invalid(field: string, message: string, texts: DriverTexts, advice?: string): DriverError {
  return new DriverError('INVALID_INPUT', message, {
    details: { field, ...(advice === undefined ? {} : { advice }), texts },
  });
}
