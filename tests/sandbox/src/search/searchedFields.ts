import { badRequest, notFound } from '../errors.ts';
import { isObjectType, isStringType } from '../schema/field.ts';
import type { Collection } from '../store/collection.ts';
import { list } from './params.ts';
import type { SearchParams } from './params.ts';
import type { SearchedField } from './textMatches.ts';

const MAX_WEIGHT = 15;

/** The fields that `query_by` names, the leaves of an object for the object; the first weighs most. */
export const readSearchedFields = (params: SearchParams, collection: Collection): SearchedField[] => {
  const infixes = list(params, 'infix');
  return list(params, 'query_by').flatMap((name, at) => {
    const weight = Math.max(0, MAX_WEIGHT - at);
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
    if (!isStringType(field.type)) throw badRequest(`Field \`${name}\` should be a string or a string array.`);
    if (infix && !field.infix) {
      throw badRequest(
        `Could not find \`${name}\` in the infix index. Make sure to enable infix search by specifying \`infix: true\` in the schema.`,
      );
    }
    return [{ field, weight, infix }];
  });
};
