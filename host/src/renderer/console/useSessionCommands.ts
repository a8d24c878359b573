import { useCommands } from '../commands/registry.ts';
import { strings } from '../i18n/index.ts';
import type { TransactionEndWay } from './runs.ts';
import type { SessionOfTab } from './useConsoleSession.ts';

interface Options {
  readonly hasSession: boolean;
  readonly isShown: boolean;
  /** Why nothing can be ended now: something runs, or ends. */
  readonly busy: string | undefined;
  readonly endTransaction: (way: TransactionEndWay) => Promise<void>;
}

/** Offers the ends of transaction and session of the shown tab in the palette. */
export function useSessionCommands(session: SessionOfTab, { hasSession, isShown, busy, endTransaction }: Options): void {
  const words = strings.consoleSession;
  const { commands } = strings.console;
  const { shown } = session;
  const transaction = shown.is === 'open' ? shown.context.transaction : 'none';
  const noTransaction = transaction === 'none' ? words.noTransaction : busy;
  const group = 'console' as const;
  useCommands(
    hasSession
      ? [
          {
            id: 'console.commit',
            group,
            title: commands.commit,
            disabled: transaction === 'failed' ? words.transactionFailed : noTransaction,
            run: () => void endTransaction('commit'),
          },
          {
            id: 'console.rollBack',
            group,
            title: commands.rollBack,
            disabled: noTransaction,
            run: () => void endTransaction('rollBack'),
          },
          ...(shown.is === 'ended'
            ? [{ id: 'console.startSession', group, title: commands.startSession, run: () => void session.start() }]
            : [
                {
                  id: 'console.endSession',
                  group,
                  title: commands.endSession,
                  disabled: shown.is === 'open' ? (transaction === 'none' ? busy : words.endTransactionFirst) : words.noSession,
                  run: () => void session.end(),
                },
              ]),
        ]
      : [],
    isShown,
  );
}
