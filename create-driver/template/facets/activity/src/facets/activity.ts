import { DriverError, isDriverError } from '@tabularium/sdk';
import type { ActivityFacet, RunningEntry } from '@tabularium/sdk';
import { pathOf } from '../link.ts';
import type { Link } from '../link.ts';

interface RunningStatement {
  /** Never used again, so that no other statement is ended by it. */
  readonly id: string;
  readonly text: string;
  readonly milliseconds: number;
}

const MOST_TEXT = 8_000;

/** Statements that run at the server, and their end. */
export function activityFacet(link: Link): ActivityFacet {
  async function running(signal: AbortSignal): Promise<readonly RunningStatement[]> {
    return (await link.json({ method: 'GET', path: '/running', isReading: true, signal })) as readonly RunningStatement[];
  }

  return {
    async list({ signal }) {
      const found = (await running(signal)).toSorted((a, b) => b.milliseconds - a.milliseconds);
      return {
        entries: found.map(({ id, text, milliseconds }): RunningEntry => ({
          id,
          kind: 'statement',
          state: 'running',
          statement: { id, text: text.slice(0, MOST_TEXT), isCut: text.length > MOST_TEXT },
          milliseconds,
          own: false,
          ways: ['cancel'],
          reason: 'This server has no sessions that could be ended.',
        })),
        notes: [],
      };
    },
    async end({ id, way, statement }, { signal }) {
      const entry = (await running(signal)).find((one) => one.id === id);
      if (entry === undefined || (statement !== undefined && statement !== entry.id)) return { outcome: 'gone' };
      if (way === 'terminate') throw new DriverError('UNSUPPORTED', 'This server has no sessions that could be ended.');
      try {
        await link.text({ method: 'DELETE', path: pathOf('running', id), isReading: false, signal });
        return { outcome: 'ended' };
      } catch (error) {
        if (isDriverError(error) && error.code === 'NOT_FOUND') return { outcome: 'gone' };
        throw error;
      }
    },
  };
}
