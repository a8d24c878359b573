import { askedName } from '../../../common/approvalText.ts';
import type { CallReport } from '../server/callReport.ts';
import type { TurnedAway } from '../http/requestGuard.ts';
import type { ActivityLog } from './activityLog.ts';

/** Requests turned away that are kept a minute: who knocks without end must not fill the log. */
export const TURNED_AWAY_PER_MINUTE = 60;

/** Writes the events of the MCP server into the log. */
export class ActivityRecorder {
  readonly #log: ActivityLog;
  readonly #now: () => number;
  #minute = 0;
  #recorded = 0;

  constructor(log: ActivityLog, now: () => number = Date.now) {
    this.#log = log;
    this.#now = now;
  }

  call(report: CallReport): void {
    const { client, connection, principal } = report;
    this.#log.add({
      time: report.time,
      kind: report.kind,
      tokenId: principal.tokenId,
      tokenName: principal.name,
      action: report.tool,
      outcome: report.outcome,
      milliseconds: report.milliseconds,
      ...(client === undefined ? {} : { client: `${askedName(client.name)} ${askedName(client.version)}`.trim() }),
      ...(connection === undefined ? {} : { connectionId: connection.id, connectionName: connection.name }),
      ...(report.code === undefined ? {} : { code: report.code }),
      ...(report.approvedBy === undefined ? {} : { approvedBy: report.approvedBy }),
      ...(report.statement === undefined ? {} : { statement: report.statement }),
    });
  }

  turnedAway({ outcome, code, principal }: TurnedAway): void {
    const minute = Math.floor(this.#now() / 60_000);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#recorded = 0;
    }
    this.#recorded += 1;
    if (this.#recorded > TURNED_AWAY_PER_MINUTE) return;
    this.#log.add({
      kind: 'authentication',
      action: 'request',
      outcome,
      code,
      ...(principal === undefined ? {} : { tokenId: principal.tokenId, tokenName: principal.name }),
    });
  }

  /** The owner's actions: tokens, approvals, the server itself. */
  administered(
    action: string,
    about: { readonly tokenId?: string; readonly tokenName?: string; readonly connectionId?: string } = {},
  ): void {
    this.#log.add({ kind: 'administration', action, outcome: 'done', ...about });
  }
}
