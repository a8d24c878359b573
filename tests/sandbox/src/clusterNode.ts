/** A server's place in a cluster. The sandbox has no cluster: it passes nothing on to other nodes. */
export interface ClusterNode {
  readonly leads: boolean;
  readonly committed: number;
  readonly queued: number;
}

/** A server that is the only one of its cluster. */
export const ALONE: ClusterNode = { leads: true, committed: 1, queued: 0 };

const LEADER = 1;
const FOLLOWER = 4;

/** The `state` of `/debug`. */
export const debugState = ({ leads }: ClusterNode): number => (leads ? LEADER : FOLLOWER);

/** The answer of `/status`. */
export const statusText = ({ leads, committed, queued }: ClusterNode): string =>
  JSON.stringify({ committed_index: committed, queued_writes: queued, state: leads ? 'LEADER' : 'FOLLOWER' });
