import type { AnyRouter } from '@trpc/server';
import { z } from 'zod';
import { inputsOf } from '../boundInputs.ts';

/** What of a JSON schema a reader of the reference needs. */
interface Shape {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape | false;
  readonly additionalProperties?: Shape | boolean;
  readonly $ref?: string;
}

/** Deeper than this a shape is shown as an ellipsis. */
const DEEPEST = 4;

/** The page of all procedures of the API, in Markdown. @param window - the router that a window is served */
export function procedureReference(owner: AnyRouter, window: AnyRouter): string {
  const inputs = inputsOf(owner);
  const windows = new Set(Object.keys(window._def.procedures as object));
  const procedures = owner._def.procedures as Readonly<Record<string, { readonly _def: { readonly type: string } }>>;
  const areas = Map.groupBy(Object.keys(procedures).sort(), (path) => path.slice(0, Math.max(0, path.lastIndexOf('.'))));
  const sections = [...areas].map(([area, paths]) =>
    [
      `## \`${area}\``,
      '| Procedure | Kind | Callers | Input |\n| --- | --- | --- | --- |\n' +
        paths
          .map((path) => {
            const callers = windows.has(path) ? 'window, owner' : 'owner';
            const input = (inputs.get(path) ?? []).map((schema) => inputText(schema)).join(' & ');
            const shown = input === '' ? 'none' : `\`${input.replaceAll('|', '\\|')}\``;
            return `| \`${path}\` | ${procedures[path]?._def.type ?? ''} | ${callers} | ${shown} |`;
          })
          .join('\n'),
    ].join('\n\n'),
  );
  return [
    '# The procedures of the API',
    '<!-- Generated from the router by "npm run api". Change that, not this page. -->',
    'Window and commands call one router. A window reaches the procedures that name it as a caller; the owner of the data directory reaches all of them over [the socket of the host](host-socket.md).',
    'The procedures belong to the application and change with it; only those that [the socket’s page](host-socket.md) describes are kept for tools. A query reads, a mutation changes something or runs something, and a subscription reports events until the caller ends it. `?` marks what may be left out.',
    ...sections,
  ].join('\n\n');
}

function inputText(schema: z.ZodType): string {
  return shapeText(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', cycles: 'ref', reused: 'inline' }) as Shape, 0);
}

function shapeText(shape: Shape, depth: number): string {
  if (depth > DEEPEST || shape.$ref !== undefined) return '…';
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum !== undefined) return shape.enum.map((value) => JSON.stringify(value)).join(' | ');
  const parts = shape.anyOf ?? shape.oneOf;
  if (parts !== undefined) return [...new Set(parts.map((part) => shapeText(part, depth)))].join(' | ');
  if (shape.allOf !== undefined) return shape.allOf.map((part) => shapeText(part, depth)).join(' & ');
  if (shape.type === 'array')
    return `[${shape.items === undefined || shape.items === false ? '…' : shapeText(shape.items, depth + 1)}]`;
  if (shape.type !== 'object') return shape.type ?? 'any';
  const fields = Object.entries(shape.properties ?? {}).map(
    ([name, field]) => `${name}${shape.required?.includes(name) === true ? '' : '?'}: ${shapeText(field, depth + 1)}`,
  );
  if (typeof shape.additionalProperties === 'object') fields.push(`[key]: ${shapeText(shape.additionalProperties, depth + 1)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
