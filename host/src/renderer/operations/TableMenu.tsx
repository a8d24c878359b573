import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Operation, OperationPlace, TableOperation, TableRef } from '@tabularium/sdk';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { OpenConnectionInfo } from '../../common/api.ts';
import { tableName } from '../../common/tableName.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { PointMenu } from '../ui/PointMenu.tsx';
import { openImport } from '../importing/openImport.ts';
import { useImportRefusal } from '../importing/useImportRefusal.ts';
import { strings } from '../i18n/index.ts';
import { copyText } from '../ui/copyText.ts';
import type { TabView } from '../../common/views.ts';
import { OperationDialog } from '../tables/OperationDialog.tsx';
import { operationInDriverWords, tableOperationInDriverWords } from './operationWords.ts';
import styles from './operations.module.css';
import { onDemand } from '../ui/onDemand.tsx';

const OperationFormDialog = onDemand(async () => (await import('./OperationFormDialog.tsx')).OperationFormDialog);

/** Where a menu opens, and for which table. */
export interface OpenTableMenu {
  readonly table: TableRef;
  readonly x: number;
  readonly y: number;
}

interface Props {
  readonly connection: Pick<OpenConnectionInfo, 'connectionId' | 'facets'>;
  readonly at: OpenTableMenu;
  /** Offered where the table is not on the screen. */
  readonly onOpen?: (view?: TabView) => void;
  /** Offered where rows can be found by a text. */
  readonly onFind?: () => void;
  /** Offered for a table that is in a list because it was opened by name. */
  readonly onForget?: () => void;
  /** The menu was left, or what was chosen in it has ended. */
  readonly onClose: () => void;
}

/** The operations on a table as a whole. An unavailable one is dimmed, with its reason. */
export function TableMenu({ connection, at, onOpen, onFind, onForget, onClose }: Props): ReactNode {
  const { connectionId, facets } = connection;
  const words = strings.operations;
  const importRefusal = useImportRefusal(connection);
  const [chosen, setChosen] = useState<TableOperation>();
  const [filled, setFilled] = useState<Operation>();
  const { table } = at;
  const operations = useQuery({
    queryKey: ['tableOperations', connectionId, ...table.namespace, table.name],
    queryFn: async ({ signal }) => {
      const known = await api.tableOperations.list.query({ connectionId, table }, { signal });
      return known.map((one) => tableOperationInDriverWords(connectionId, one));
    },
    gcTime: 0,
    staleTime: 0,
  });
  const place: OperationPlace = { on: 'table', table };
  const newer = useQuery({
    queryKey: ['operations', connectionId, 'list', place],
    queryFn: async ({ signal }) => {
      const known = await api.operations.list.query({ connectionId, place }, { signal });
      return known.map((one) => operationInDriverWords(connectionId, one));
    },
    enabled: facets.includes('operations'),
    gcTime: 0,
    staleTime: 0,
  });
  if (filled !== undefined) {
    return <OperationFormDialog connectionId={connectionId} place={place} operation={filled} onClose={onClose} />;
  }
  if (chosen !== undefined) {
    return <OperationDialog connectionId={connectionId} table={table} operation={chosen} onClose={onClose} />;
  }
  return (
    <PointMenu label={words.menu(tableName(table))} at={at} width={280} closeOnItemClick={false} onClose={onClose}>
      {onOpen === undefined ? null : (
        <>
          <Menu.Item
            onClick={() => {
              onOpen();
              onClose();
            }}
          >
            {words.open}
          </Menu.Item>
          <Menu.Item
            onClick={() => {
              onOpen('structure');
              onClose();
            }}
          >
            {strings.shell.openStructure}
          </Menu.Item>
          <Menu.Item
            onClick={() => {
              void copyText(tableName(table), strings.shell.copiedName(tableName(table)));
              onClose();
            }}
          >
            {strings.shell.copyName}
          </Menu.Item>
          {onFind === undefined ? null : (
            <Menu.Item
              onClick={() => {
                onFind();
                onClose();
              }}
            >
              {strings.finding.inTable}
            </Menu.Item>
          )}
          {onForget === undefined ? null : (
            <Menu.Item
              onClick={() => {
                onForget();
                onClose();
              }}
            >
              {strings.sidebar.forget}
            </Menu.Item>
          )}
          <Menu.Divider />
        </>
      )}
      {connection.facets.includes('import') ? (
        <Menu.Item
          className={styles.item}
          disabled={importRefusal !== undefined}
          onClick={() => {
            onClose();
            openImport({ connectionId, table });
          }}
        >
          {strings.importing.open}
          {importRefusal === undefined ? null : <span className={styles.reason}>{importRefusal}</span>}
        </Menu.Item>
      ) : null}
      {connection.facets.includes('export') ? (
        <Menu.Item
          onClick={() => {
            onClose();
            openImport({ connectionId, table, copies: true });
          }}
        >
          {strings.importing.copy}
        </Menu.Item>
      ) : null}
      {/* Operations without an input have a dialog of their own. */}
      {newer.data
        ?.filter(({ id }) => operations.data?.some((one) => one.id === id) !== true)
        .map((operation) => (
          <OperationItem key={operation.id} operation={operation} onChoose={() => setFilled(operation)} />
        ))}
      {newer.error === null ? null : <Menu.Label>{words.listFailed(problemOf(newer.error).message)}</Menu.Label>}
      {operations.data === undefined ? (
        <Menu.Label>
          {operations.error === null ? words.loading : words.listFailed(problemOf(operations.error).message)}
        </Menu.Label>
      ) : null}
      {operations.data?.length === 0 ? <Menu.Label>{words.none}</Menu.Label> : null}
      {operations.data?.map((operation) => (
        <OperationItem key={operation.id} operation={operation} onChoose={() => setChosen(operation)} />
      ))}
    </PointMenu>
  );
}

interface ItemProps {
  readonly operation: Pick<Operation, 'ability' | 'effect' | 'label'>;
  readonly onChoose: () => void;
}

function OperationItem({ operation, onChoose }: ItemProps): ReactNode {
  return (
    <Menu.Item
      className={styles.item}
      {...(operation.effect === 'destructive' && operation.ability.allowed ? { color: 'red' } : {})}
      disabled={!operation.ability.allowed}
      onClick={onChoose}
    >
      {`${operation.label}…`}
      {operation.ability.allowed ? null : <span className={styles.reason}>{operation.ability.reason}</span>}
    </Menu.Item>
  );
}
