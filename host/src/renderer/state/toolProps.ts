import type { OpenConnectionInfo } from '../../common/api.ts';

/** The properties of a tool's tab. */
export interface ToolProps {
  readonly name: string;
  readonly connection: OpenConnectionInfo;
  readonly isShown: boolean;
}
