import { SERVER_NAME } from './clients.ts';

/** The lines of an entry below its top-level key: an item of a list for Continue, a key of a mapping for the others. */
export function yamlBlock(clientId: string, entry: Readonly<Record<string, unknown>>): string {
  const lines = fields(entry);
  return clientId === 'continue'
    ? lines.map((line, index) => `  ${index === 0 ? '- ' : '  '}${line}\n`).join('')
    : `  ${SERVER_NAME}:\n${lines.map((line) => `    ${line}\n`).join('')}`;
}

function fields(entry: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(entry).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null
      ? [`${key}:`, ...fields(value as Readonly<Record<string, unknown>>).map((line) => `  ${line}`)]
      : [`${key}: ${scalar(value)}`],
  );
}

/** JSON is YAML: a text in its quotes means the same in both. Plain words need none. */
function scalar(value: unknown): string {
  return typeof value === 'string' && /^[a-z][a-z-]*$/.test(value) ? value : JSON.stringify(value);
}
