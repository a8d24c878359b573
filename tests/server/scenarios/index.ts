import type { Scenario } from '../scenario.ts';
import { aliases } from './aliases.ts';
import { beginnings } from './beginnings.ts';
import { consoleRequests } from './console.ts';
import { curations } from './curations.ts';
import { edits } from './edits.ts';
import { exports } from './exports.ts';
import { fieldTypes } from './fieldTypes.ts';
import { filters } from './filters.ts';
import { joins } from './joins.ts';
import { keys } from './keys.ts';
import { learnedFields } from './learnedFields.ts';
import { longIntegers } from './longIntegers.ts';
import { metrics } from './metrics.ts';
import { namedObjects } from './namedObjects.ts';
import { narrowKeys } from './narrowKeys.ts';
import { oddNames } from './oddNames.ts';
import { operations } from './operations.ts';
import { rankedSearch } from './rankedSearch.ts';
import { restart } from './restart.ts';
import { rowImports } from './rowImports.ts';
import { sorts } from './sorts.ts';

/** In the order in which they run. A new one is one line. */
export const SCENARIOS: readonly Scenario[] = [
  fieldTypes,
  longIntegers,
  oddNames,
  filters,
  beginnings,
  sorts,
  edits,
  learnedFields,
  keys,
  narrowKeys,
  metrics,
  consoleRequests,
  exports,
  curations,
  joins,
  aliases,
  rankedSearch,
  namedObjects,
  rowImports,
  operations,
  restart,
];
