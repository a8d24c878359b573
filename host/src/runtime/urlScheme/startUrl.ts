/** The scheme of addresses that the platform brings to the application. */
export const URL_SCHEME = 'tabularium';

/** Whether an address asks for the MCP server to be started. Any page may open such an address: nothing else is ever read from it. */
export function isStartUrl(text: string): boolean {
  return /^tabularium:\/\/integrations\/start-mcp\/?$/.test(text);
}
