import type { Names } from './names.ts';

/** Collections that are looked at: one without text to search in comes behind the others. */
const MOST_COLLECTIONS = 3;
const SEARCHED = new Set(['string', 'string[]', 'string*']);

/** Requests to begin with: a search in a collection that is there, its schema, and the list of all. */
export async function exampleRequests(names: Names): Promise<readonly string[]> {
  const collections = (await names.collections()).slice(0, MOST_COLLECTIONS);
  const searches: string[] = [];
  for (const collection of collections) {
    const fields = await names.fields(collection);
    const field = fields.find(({ name, type }) => name !== 'id' && SEARCHED.has(type) && isPlain(name));
    if (field !== undefined) {
      const query = `q=*&query_by=${encodeURIComponent(field.name)}&per_page=10`;
      searches.push(`GET /collections/${encodeURIComponent(collection)}/documents/search?${query}`);
      break;
    }
  }
  const [first] = collections;
  return [
    ...searches,
    ...(first === undefined ? [] : [`GET /collections/${encodeURIComponent(first)}`]),
    first === undefined ? 'GET /health' : 'GET /collections',
  ];
}

/** A pattern of fields is not a field that can be searched. */
function isPlain(name: string): boolean {
  return !/[*?|()\\]/.test(name);
}
