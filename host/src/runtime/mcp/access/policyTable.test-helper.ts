import type { AiPolicy, ExternalClients } from '../../../common/access.ts';
import type { AccessAction } from './policy.ts';
import type { ExternalClient } from './externalClient.ts';

/**
 * The policy as a person would write it down, by hand and not from the code. One row per combination of connection and token; columns in
 * the order of {@link TABLE_ACTIONS}. Each cell is one letter, or two where a person's approval makes a difference (before/after):
 * `+` allowed, `-` hidden, `F` not open to this client, `R` the connection is read only, `r` the token is read only, `D` destructive
 * statements have another door, `B` never for the bridge, `X` needs full access, `O` the owner's alone, `?` a person is asked.
 */
export const POLICY_TABLE = `
  External    AI            in list  token             see  describe  read  run:read  run:write  run:destructive  confirm  manage
  blocked     *             *        *                 -    F         F     F         F          F                F        F
  *           never         *        *                 -    F         F     F         F          F                F        F
  *           *             no       *                 -    F         F     F         F          F                F        F
  readOnly    askEachTime   yes      user-readOnly     +    +         +     +         R          R                R        O
  readOnly    askEachTime   yes      user-readWrite    +    +         +     +         R          R                R        O
  readOnly    askEachTime   yes      user-fullAccess   +    +         +     +         R          R                R        O
  readOnly    askEachTime   yes      bridge-readWrite  +    +         +     +         R          R                R        O
  readOnly    alwaysAllow   yes      user-readOnly     +    +         +     +         R          R                R        O
  readOnly    alwaysAllow   yes      user-readWrite    +    +         +     +         R          R                R        O
  readOnly    alwaysAllow   yes      user-fullAccess   +    +         +     +         R          R                R        O
  readOnly    alwaysAllow   yes      bridge-readWrite  +    +         +     +         R          R                R        O
  readWrite   askEachTime   yes      user-readOnly     +    +         +     +         r          r                r        O
  readWrite   askEachTime   yes      user-readWrite    +    +         +     +         ?/+        D                X        O
  readWrite   askEachTime   yes      user-fullAccess   +    +         +     +         ?/+        D                ?/+      O
  readWrite   askEachTime   yes      bridge-readWrite  +    +         +     +         ?/+        D                B        O
  readWrite   alwaysAllow   yes      user-readOnly     +    +         +     +         r          r                r        O
  readWrite   alwaysAllow   yes      user-readWrite    +    +         +     +         +          D                X        O
  readWrite   alwaysAllow   yes      user-fullAccess   +    +         +     +         +          D                +        O
  readWrite   alwaysAllow   yes      bridge-readWrite  +    +         +     +         +          D                B        O
`;

export const TABLE_ACTIONS: readonly AccessAction[] = [
  { kind: 'see' },
  { kind: 'describe' },
  { kind: 'read' },
  { kind: 'run', effect: 'read' },
  { kind: 'run', effect: 'write' },
  { kind: 'run', effect: 'destructive' },
  { kind: 'confirmDestructive' },
  { kind: 'manage' },
];

export const TABLE_EXTERNAL: readonly ExternalClients[] = ['blocked', 'readOnly', 'readWrite'];
export const TABLE_AI: readonly AiPolicy[] = ['never', 'askEachTime', 'alwaysAllow'];
/** The connection that is asked about. */
export const TABLE_CONNECTION = '7d1c3f2e-4c1d-4c75-9f0e-0c2f4b8f7a11';
/** Each allowlist, and whether it names the connection. */
export const TABLE_LISTS: readonly { readonly list: ExternalClient['connections']; readonly inList: 'yes' | 'no' }[] = [
  { list: 'all', inList: 'yes' },
  { list: [TABLE_CONNECTION], inList: 'yes' },
  { list: ['0d4f4f0a-5b38-4b49-8a39-1c1de1a6f3f2', TABLE_CONNECTION], inList: 'yes' },
  { list: [], inList: 'no' },
  { list: ['0d4f4f0a-5b38-4b49-8a39-1c1de1a6f3f2'], inList: 'no' },
];
export const TABLE_TOKENS = ['user-readOnly', 'user-readWrite', 'user-fullAccess', 'bridge-readWrite'] as const;
export type TableToken = (typeof TABLE_TOKENS)[number];

export function tablePrincipal(token: TableToken, connections: ExternalClient['connections']): ExternalClient {
  const [kind, scope] = token.split('-') as [ExternalClient['kind'], ExternalClient['scope']];
  const tokenId = `token-of-${token}`;
  return { id: kind === 'bridge' ? 'bridge' : tokenId, tokenId, kind, name: token, scope, connections };
}

interface TableRow {
  readonly external: string;
  readonly ai: string;
  readonly inList: string;
  readonly token: string;
  readonly cells: readonly string[];
}

const rows: readonly TableRow[] = POLICY_TABLE.trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [external = '', ai = '', inList = '', token = '', ...cells] = line.trim().split(/\s+/);
    return { external, ai, inList, token, cells };
  });

/** The table's letter for one case. The first row that fits decides. */
export function expectedLetter(
  external: ExternalClients,
  ai: AiPolicy,
  inList: 'yes' | 'no',
  token: TableToken,
  actionIndex: number,
  approved: boolean,
): string {
  const fits = (pattern: string, value: string): boolean => pattern === '*' || pattern === value;
  const row = rows.find(
    (candidate) =>
      fits(candidate.external, external) &&
      fits(candidate.ai, ai) &&
      fits(candidate.inList, inList) &&
      fits(candidate.token, token),
  );
  const cell = row?.cells[actionIndex];
  if (cell === undefined) throw new Error(`The table has no cell for ${external} ${ai} ${inList} ${token} #${actionIndex}.`);
  const [before = '', after = before] = cell.split('/');
  return approved ? after : before;
}
