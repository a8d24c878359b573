import { DriverError, NO_FILTER } from '@tabularium/sdk';
import type { SearchForm, SearchRequest } from '@tabularium/sdk';
import type { RelevanceWay } from '../../common/relevance.ts';

/** The search of one way, without its words. @throws DriverError `INVALID_INPUT` */
export function wayRequest(
  form: SearchForm,
  { name, fields, options }: RelevanceWay,
  { table, limit }: Pick<SearchRequest, 'table' | 'limit'>,
): SearchRequest {
  const known = new Set(form.fields.map((field) => field.name));
  const lacking = fields?.find((field) => !known.has(field.name));
  if (lacking !== undefined) throw lacks(name, `the field "${lacking.name}"`, lacking.name);
  const ids = new Set(form.options.map(({ id }) => id));
  const unknown = Object.keys(options).find((id) => !ids.has(id));
  if (unknown !== undefined) throw lacks(name, `the option "${unknown}"`, unknown);
  return {
    ...{ table, text: '', facets: [], filter: NO_FILTER, sorts: [], offset: 0, limit, options },
    fields: (fields ?? form.fields.filter(({ isDefault }) => isDefault)).map((field) => ({
      name: field.name,
      ...('weight' in field && field.weight !== undefined ? { weight: field.weight } : {}),
    })),
  };
}

function lacks(way: string, part: string, field: string): DriverError {
  return new DriverError('INVALID_INPUT', `"${way}" has ${part}, which the search of this table doesn't have.`, {
    details: { field, advice: 'Change the configuration in the search, and save it again.' },
  });
}
