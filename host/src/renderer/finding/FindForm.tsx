import { Button, Checkbox, MultiSelect, NativeSelect, TextInput, Tooltip } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { visibleText } from '@tabularium/sdk';
import type { TableRef } from '@tabularium/sdk';
import { useMemo } from 'react';
import type { ReactNode, RefObject } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import { LONGEST_FIND_TEXT } from '../../common/findingRows.ts';
import type { FindRows, FindScope } from '../../common/findingRows.ts';
import { namespaceKey } from '../../common/namespaces.ts';
import { tableName } from '../../common/tableName.ts';
import { useNamespaceTree } from '../api/namespaceTree.ts';
import { useTables } from '../api/queries.ts';
import { formatMilliseconds } from '../i18n/format.ts';
import { strings } from '../i18n/index.ts';
import { SearchRest } from '../ui/SearchRest.tsx';
import { narrowingNamespaces, scopeOf, scopeValue } from './findScopes.ts';
import styles from './finding.module.css';
import { searchableList } from '../ui/searchableList.ts';

/** The form as filled in. */
export type FindDraft = Omit<FindRows, 'connectionId'>;

interface Props {
  readonly connection: OpenConnectionInfo;
  readonly draft: FindDraft;
  readonly field: RefObject<HTMLInputElement | null>;
  /** The fault of the form, where a search was asked for that can't begin. */
  readonly fault: 'text' | 'tables' | undefined;
  readonly isRunning: boolean;
  readonly onChange: (draft: FindDraft) => void;
  readonly onFind: () => void;
  readonly onStop: () => void;
}

const ROWS_PER_TABLE = [10, 25, 100];
const SECONDS_PER_TABLE = [5, 20, 60, 300];
/** Tables that the list of chosen ones offers at once. */
const MOST_OFFERED = 200;

/** The text to find, where to look, and how to compare. */
export function FindForm({ connection, draft, field, fault, isRunning, onChange, onFind, onStop }: Props): ReactNode {
  const words = strings.finding;
  const { terms, filtering } = connection.manifest;
  const tables = useTables(connection.connectionId).data;
  const tree = useNamespaceTree(connection.connectionId);
  const namespaces = useMemo(() => {
    if (tree === undefined) return narrowingNamespaces(tables ?? []);
    // Those that aren't read are read by the search.
    const known = [...tree.nodes.values()].flatMap((node) => node.namespaces.map(({ path }) => path));
    return [...new Map([...known, ...narrowingNamespaces(tables ?? [])].map((path) => [namespaceKey(path), path])).values()];
  }, [tables, tree]);
  const { scope } = draft;
  const caseReason = filtering === undefined || filtering.caseControl.available ? undefined : filtering.caseControl.reason;
  const offered = [
    { value: 'all', label: words.allTables(terms.table) },
    // A namespace that was put in is offered also before the tables are there.
    ...withScope(namespaces, scope).map((namespace) => ({
      value: JSON.stringify(namespace),
      label: visibleText(namespace.join('.')),
    })),
    { value: 'tables', label: words.chosenTables(terms.table) },
  ];
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        onFind();
      }}
    >
      <div className={styles.line}>
        <TextInput
          ref={field}
          className={styles.text ?? ''}
          type="search"
          aria-label={words.text}
          placeholder={words.placeholder}
          value={draft.text}
          maxLength={LONGEST_FIND_TEXT}
          autoComplete="off"
          spellCheck={false}
          leftSection={<IconSearch size={14} stroke={1.75} aria-hidden />}
          error={fault === 'text' ? words.noText : undefined}
          onChange={(event) => onChange({ ...draft, text: event.currentTarget.value })}
        />
        {/* Keys, since one button of the page in two roles would submit the form with the click that stops. */}
        {isRunning ? (
          <Button key="stop" variant="default" onClick={onStop}>
            {words.stop}
          </Button>
        ) : (
          <Button key="find" type="submit">
            {words.find}
          </Button>
        )}
      </div>
      <div className={styles.options}>
        <NativeSelect
          size="xs"
          label={words.scope}
          data={offered}
          value={scopeValue(scope)}
          onChange={(event) => onChange({ ...draft, scope: scopeOf(event.currentTarget.value, withScope(namespaces, scope)) })}
        />
        <NativeSelect
          size="xs"
          label={words.match}
          data={[
            { value: 'contains', label: words.contains },
            { value: 'exact', label: words.exact },
          ]}
          value={draft.match}
          onChange={(event) => onChange({ ...draft, match: event.currentTarget.value === 'exact' ? 'exact' : 'contains' })}
        />
        <NativeSelect
          size="xs"
          label={words.rowsPerTable(terms.table)}
          data={ROWS_PER_TABLE.map(String)}
          value={String(draft.rowsPerTable)}
          onChange={(event) => onChange({ ...draft, rowsPerTable: Number(event.currentTarget.value) })}
        />
        <NativeSelect
          size="xs"
          label={words.timeLimit(terms.table)}
          data={SECONDS_PER_TABLE.map((seconds) => ({ value: String(seconds), label: formatMilliseconds(seconds * 1_000) }))}
          value={String(draft.secondsPerTable)}
          onChange={(event) => onChange({ ...draft, secondsPerTable: Number(event.currentTarget.value) })}
        />
        <Tooltip label={caseReason ?? ''} disabled={caseReason === undefined} multiline maw={320}>
          <Checkbox
            size="xs"
            className={styles.case ?? ''}
            label={words.matchCase}
            checked={draft.matchCase}
            disabled={caseReason !== undefined}
            aria-description={caseReason}
            onChange={(event) => onChange({ ...draft, matchCase: event.currentTarget.checked })}
          />
        </Tooltip>
      </div>
      {scope.in === 'tables' ? <SearchRest connectionId={connection.connectionId} term={terms.container} /> : null}
      {scope.in === 'tables' ? (
        <ChosenTables
          label={terms.table.other}
          error={fault === 'tables' ? words.noTables(terms.table) : undefined}
          listed={tables?.map(({ ref }) => ref) ?? []}
          chosen={scope.tables}
          onChange={(chosen) => onChange({ ...draft, scope: { in: 'tables', tables: [...chosen] } })}
        />
      ) : null}
    </form>
  );
}

function withScope(namespaces: readonly (readonly string[])[], scope: FindScope): readonly (readonly string[])[] {
  if (scope.in !== 'namespace' || namespaces.some((one) => JSON.stringify(one) === scopeValue(scope))) return namespaces;
  return [...namespaces, scope.namespace];
}

interface ChosenProps {
  readonly label: string;
  readonly error: string | undefined;
  readonly listed: readonly TableRef[];
  readonly chosen: readonly TableRef[];
  readonly onChange: (chosen: readonly TableRef[]) => void;
}

function ChosenTables({ label, error, listed, chosen, onChange }: ChosenProps): ReactNode {
  const known = useMemo(() => {
    const byName = new Map([...chosen, ...listed].map((ref) => [tableName(ref), ref]));
    return byName;
  }, [chosen, listed]);
  return (
    <MultiSelect
      size="xs"
      className={styles.chosen ?? ''}
      label={label}
      error={error}
      {...searchableList}
      limit={MOST_OFFERED}
      data={[...known.keys()].map((name) => ({ value: name, label: visibleText(name) }))}
      value={chosen.map(tableName)}
      onChange={(names) => onChange(names.flatMap((name) => known.get(name) ?? []))}
    />
  );
}
