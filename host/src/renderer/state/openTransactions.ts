import { createStore, useStore } from 'zustand';
import type { TabPlace } from './TabPlaceContext.ts';

/** A transaction that a person began in a tab of a console and has not ended. */
export interface OpenTransaction {
  /** The console's tab in the connection. */
  readonly place: TabPlace;
  /** The tab of the console. */
  readonly id: string;
  /** As that tab is called. */
  readonly title: string;
  /** The name of the connection. */
  readonly connection: string;
  /** The requests that changed something in it, each by its first line, in their order. */
  readonly changes: readonly string[];
}

/** A step of a person that would roll back transactions. */
export interface RollingBackStep {
  readonly transactions: readonly OpenTransaction[];
  readonly goOn: () => void;
}

const open = createStore<{
  readonly transactions: readonly OpenTransaction[];
  readonly asked?: RollingBackStep | undefined;
}>(() => ({ transactions: [] }));

/** @returns takes it out again */
export function noteTransaction(transaction: OpenTransaction): () => void {
  open.setState(({ transactions }) => ({ transactions: [...transactions, transaction] }));
  return () => open.setState(({ transactions }) => ({ transactions: transactions.filter((one) => one !== transaction) }));
}

/**
 * Takes a step that ends sessions of a connection's console, at once where no transaction is open in them, else when the person has agreed that it is
 * rolled back.
 */
export function endTransactions(
  connectionId: string,
  goOn: () => void,
  isEnded: (transaction: OpenTransaction) => boolean = () => true,
): void {
  const transactions = open
    .getState()
    .transactions.filter((transaction) => transaction.place.connectionId === connectionId && isEnded(transaction));
  if (transactions.length === 0) goOn();
  else open.setState({ asked: { transactions, goOn } });
}

export function useRollingBackStep(): RollingBackStep | undefined {
  return useStore(open, ({ asked }) => asked);
}

export function forgetRollingBackStep(): void {
  open.setState({ asked: undefined });
}

/** Whether a transaction is open in a tab of a console. */
export function useHasTransaction(id: string): boolean {
  return useStore(open, ({ transactions }) => transactions.some((transaction) => transaction.id === id));
}
