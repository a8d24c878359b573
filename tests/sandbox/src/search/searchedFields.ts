import { badRequest, notFound } from '../errors.ts';
import { isObjectType, isStringType } from '../schema/field.ts';
import type { Collection } from '../store/collection.ts';
import { list } from './params.ts';
import type { SearchParams } from './params.ts';
import type { SearchedField } from './textMatches.ts';

const MAX_WEIGHT = 15;

const UNSIGNED = /^[0-9]+$/;
const INFIXES = ['off', 'always', 'fallback'];

/** The parameters that have one value for all fields, or one for each. */
const checkLists = (params: SearchParams, fields: number): void => {
  const check = (name: string, what: string, isGood: (value: string) => boolean, forAll: boolean): void => {
    const values = list(params, name);
    if (values.length === 0) return;
    if ((values.length === fields || (forAll && values.length === 1)) && values.every(isGood)) return;
    throw badRequest(`Number of ${what} in \`${name}\` does not match number of \`query_by\` fields.`);
  };
  check('query_by_weights', 'weights', () => true, false);
  check('num_typos', 'values', (value) => UNSIGNED.test(value), true);
  check('prefix', 'prefix values', () => true, true);
  check('infix', 'infix values', (value) => INFIXES.includes(value), true);
};

/**
 * The weight of each field. Without weights the first field weighs most. Weights that fall and aren't too large count as they are; of others their order
 * counts, equal ones alike. A text that isn't a list of whole numbers counts as none.
 */
const fieldWeights = (params: SearchParams, fields: number): readonly number[] => {
  const texts = list(params, 'query_by_weights');
  if (texts.length === 0 || !texts.every((text) => UNSIGNED.test(text)))
    return Array.from({ length: fields }, (_, at) => Math.max(0, MAX_WEIGHT - at));
  const given = texts.map(Number);
  if (given.every((weight, at) => weight <= MAX_WEIGHT && weight <= (given[at - 1] ?? weight))) return given;
  const falling = [...new Set(given)].toSorted((a, b) => b - a);
  return given.map((weight) => Math.max(0, MAX_WEIGHT - falling.indexOf(weight)));
};

/** The fields that `query_by` names, the leaves of an object for the object. */
export const readSearchedFields = (params: SearchParams, collection: Collection): SearchedField[] => {
  const infixes = list(params, 'infix');
  const names = list(params, 'query_by');
  checkLists(params, names.length);
  const weights = fieldWeights(params, names.length);
  return names.flatMap((name, at) => {
    const weight = weights[at] ?? 0;
    const infix = ['always', 'fallback'].includes(infixes[at] ?? infixes[0] ?? 'off');
    const field = collection.fields.get(name);
    if (field === undefined || name.includes('.*')) throw notFound(`Could not find a field named \`${name}\` in the schema.`);
    if (!field.index) throw badRequest(`Field \`${name}\` is marked as a non-indexed field in the schema.`);
    if (isObjectType(field.type)) {
      const leaves = [...collection.fields.values()].filter(
        (leaf) => leaf.name.startsWith(`${name}.`) && isStringType(leaf.type) && leaf.index,
      );
      return leaves.map((leaf) => ({ field: leaf, weight, infix }));
    }
    if (field.numDim > 0) {
      throw badRequest(
        `Vector field \`${name}\` is not an auto-embedding field, do not use \`query_by\` with it, use \`vector_query\` instead.`,
      );
    }
    if (!isStringType(field.type)) throw badRequest(`Field \`${name}\` should be a string or a string array.`);
    if (infix && !field.infix) {
      throw badRequest(
        `Could not find \`${name}\` in the infix index. Make sure to enable infix search by specifying \`infix: true\` in the schema.`,
      );
    }
    return [{ field, weight, infix }];
  });
};
