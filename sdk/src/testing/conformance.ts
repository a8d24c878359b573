import { FACETS } from '../protocol/methods.ts';
import type { FacetName } from '../protocol/methods.ts';
import { onBench } from './bench.ts';
import { tableText } from './cells.ts';
import { activityChecks } from './checks/activity.ts';
import { cancellingChecks } from './checks/cancelling.ts';
import { closingChecks } from './checks/closing.ts';
import { connectingChecks } from './checks/connecting.ts';
import { concurrencyChecks } from './checks/concurrency.ts';
import { consoleChecks } from './checks/console.ts';
import { consoleSessionChecks } from './checks/consoleSessions.ts';
import { countChecks } from './checks/counts.ts';
import { editChecks } from './checks/edits.ts';
import { editSafetyChecks } from './checks/editSafety.ts';
import { errorChecks } from './checks/errors.ts';
import { explainChecks } from './checks/explain.ts';
import { exportChecks } from './checks/export.ts';
import { expressionChecks } from './checks/expressions.ts';
import { filterChecks } from './checks/filters.ts';
import { hiddenSpellingChecks } from './checks/hiddenSpellings.ts';
import { hostileNameChecks } from './checks/hostileNames.ts';
import { identityChecks } from './checks/identity.ts';
import { importChecks } from './checks/import.ts';
import { metricChecks } from './checks/metrics.ts';
import { namedTableChecks } from './checks/namedTables.ts';
import { namespaceChecks } from './checks/namespaces.ts';
import { operatorChecks } from './checks/operators.ts';
import { operationChecks } from './checks/operations.ts';
import { objectChecks } from './checks/objects.ts';
import { pageChecks } from './checks/pages.ts';
import { positionChecks } from './checks/positions.ts';
import { principalChecks } from './checks/principals.ts';
import { rowChecks } from './checks/rows.ts';
import { recordedQueryChecks } from './checks/recordedQueries.ts';
import { searchChecks } from './checks/search.ts';
import { sortChecks } from './checks/sorts.ts';
import { consoleStreamChecks, exportStreamChecks } from './checks/streaming.ts';
import { structureChecks } from './checks/structure.ts';
import { suggestionChecks } from './checks/suggestions.ts';
import { tableOperationChecks } from './checks/tableOperations.ts';
import { absent, untried } from './plan.ts';
import type { ConformanceCheck, ConformancePlan, KnownConsole, NotChecked } from './plan.ts';

/** The subject of a check: the core of every driver, or a facet. */
export type CheckArea = 'core' | FacetName;

/** A check with its place in a report. */
export interface PlacedCheck extends ConformanceCheck {
  /** A facet's name, or `core`. */
  readonly area: CheckArea;
  /** The checked behaviour, without the name of the table. The same in every report of one version of the kit. */
  readonly rule: string;
  /** The table that it is checked with. */
  readonly table?: string;
}

/** The rules for every driver. */
function coreChecks(plan: ConformancePlan): readonly ConformanceCheck[] {
  return [
    ...identityChecks(plan),
    ...structureChecks(plan),
    ...plan.tables.flatMap((table) => [
      ...pageChecks(plan, table),
      ...positionChecks(plan, table),
      ...countChecks(plan, table),
      ...sortChecks(plan, table),
      ...filterChecks(plan, table),
      ...operatorChecks(plan, table),
      ...hostileNameChecks(plan, table),
    ]),
    ...errorChecks(plan),
    ...connectingChecks(plan),
    ...cancellingChecks(plan),
    ...concurrencyChecks(plan),
    ...closingChecks(plan),
  ];
}

/** The rules for a session that has the facet. The name of such a check begins with the facet's. A new facet is one line here. */
function facetChecks(plan: ConformancePlan): readonly ConformanceCheck[] {
  return [
    ...(plan.console === undefined ? [noConsole] : knownConsoleChecks(plan, plan.console)),
    ...editChecks(plan),
    ...editSafetyChecks(plan),
    ...exportChecks(plan),
    ...exportStreamChecks(plan),
    ...tableOperationChecks(plan),
    ...principalChecks(plan),
    ...metricChecks(plan),
    ...suggestionChecks(plan),
    ...expressionChecks(plan),
    ...namedTableChecks(plan),
    ...namespaceChecks(plan),
    ...rowChecks(plan),
    ...searchChecks(plan),
    ...recordedQueryChecks(plan),
    ...objectChecks(plan),
    ...operationChecks(plan),
    ...importChecks(plan),
    ...explainChecks(plan),
    ...activityChecks(plan),
  ];
}

function knownConsoleChecks(plan: ConformancePlan, known: KnownConsole): readonly ConformanceCheck[] {
  return [
    ...consoleChecks(plan, known),
    ...consoleSessionChecks(plan, known.sessions),
    ...hiddenSpellingChecks(plan, known),
    ...consoleStreamChecks(plan),
  ];
}

const noConsole: ConformanceCheck = {
  name: 'console: the plan says what is known of its language',
  run: async () => untried('The session has a console, and the plan says nothing of its statements.'),
};

/** Everything that the contract asks of a driver and that can be seen from outside, one check for each. */
export function conformanceChecks(plan: ConformancePlan): readonly PlacedCheck[] {
  let present: Promise<ReadonlySet<CheckArea>> | undefined;
  const areas = (): Promise<ReadonlySet<CheckArea>> => (present ??= presentAreas(plan));
  const changed = [...(plan.edits ?? []), ...(plan.operations ?? [])].map(({ table }) => table);
  const names = [...new Set([...plan.tables.map(({ ref }) => ref), ...changed].map(tableText))];
  const placed = (area: CheckArea, said: string, check: ConformanceCheck): PlacedCheck => {
    const table = names.find((name) => said.startsWith(`${name}: `));
    return {
      area,
      name: check.name,
      rule: table === undefined ? said : said.slice(table.length + 2),
      ...(table === undefined ? {} : { table }),
      run: async (): Promise<void | NotChecked> => {
        if (area !== 'core' && !(await areas()).has(area)) return absent(`The session has no ${area}.`);
        return check.run();
      },
    };
  };
  return [
    ...coreChecks(plan).map((check) => placed('core', check.name, check)),
    ...facetChecks(plan).map((check) => {
      const area = FACETS.find((facet) => check.name.startsWith(`${facet}: `)) ?? 'core';
      return placed(area, area === 'core' ? check.name : check.name.slice(area.length + 2), check);
    }),
  ];
}

/** The facets that a session has. */
async function presentAreas(plan: ConformancePlan): Promise<ReadonlySet<CheckArea>> {
  return onBench(plan, async ({ session }) => new Set(FACETS.filter((name) => session[name] !== undefined)));
}
