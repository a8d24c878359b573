import { expect, it } from 'vitest';
import { bridgesNamedIn } from './bridgesNamedIn.ts';

it.each([
  ['{"mcpServers":{"tabularium":{"command":"/opt/tab/bin/tabularium-mcp","env":{"A":"1"}}}}', ['/opt/tab/bin/tabularium-mcp']],
  [
    '{ "command": "C:\\\\Program Files\\\\Tabularium\\\\tabularium-mcp.exe" }',
    ['C:\\Program Files\\Tabularium\\tabularium-mcp.exe'],
  ],
  ['{"command":"/a/node","args":["/my folder/tabularium-mcp.mjs"]}', ['/my folder/tabularium-mcp.mjs']],
  ['extensions:\n  tabularium:\n    cmd: /my folder/tabularium-mcp\n    enabled: true\n', ['/my folder/tabularium-mcp']],
  ['{"command":"/x/tabularium-mcp"} {"command":"/x/tabularium-mcp"}', ['/x/tabularium-mcp']],
  ['{"mcpServers":{"tabularium":{"url":"http://127.0.0.1:23508/mcp"}}}', []],
  ['', []],
])('finds the bridges in %j', (settings, bridges) => {
  expect(bridgesNamedIn(settings)).toEqual(bridges);
});
