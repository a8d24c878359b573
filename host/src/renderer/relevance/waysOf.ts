import type { RelevanceWay, SearchConfiguration } from '../../common/relevance.ts';
import { strings } from '../i18n/index.ts';
import type { SearchSettings } from '../search/searchSettings.ts';

/** Ways to search that can be run: the default, the search view's own, and the saved ones. */
export function waysOf(saved: readonly SearchConfiguration[], search: SearchSettings): readonly RelevanceWay[] {
  const words = strings.relevance;
  const way = (name: string, { fields, options }: Pick<SearchSettings, 'fields' | 'options'>): RelevanceWay => ({
    name,
    options: { ...options },
    ...(fields === undefined ? {} : { fields: [...fields] }),
  });
  const isChanged = search.fields !== undefined || Object.keys(search.options).length > 0;
  const names = new Set<string>();
  return [
    way(words.defaultWay, { options: {} }),
    ...saved.map(({ name, fields, options }) => way(name, { options, ...(fields === undefined ? {} : { fields: [...fields] }) })),
    ...(isChanged ? [way(words.nowWay, search)] : []),
    ...(search.other === undefined ? [] : [way(words.nowWayB, search.other)]),
  ].filter(({ name }) => {
    const isNew = !names.has(name.toLowerCase());
    names.add(name.toLowerCase());
    return isNew;
  });
}
