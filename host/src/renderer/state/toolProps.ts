import type { OpenConnectionInfo } from '../../common/api.ts';

/** What a tool's tab is given. */
export interface ToolProps {
  readonly name: string;
  readonly connection: OpenConnectionInfo;
  readonly isShown: boolean;
}
