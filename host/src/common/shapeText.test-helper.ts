import { z } from 'zod';

/** The parts of a JSON schema that a reader of the reference needs. */
interface JsonShape {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonShape[];
  readonly oneOf?: readonly JsonShape[];
  readonly allOf?: readonly JsonShape[];
  readonly properties?: Readonly<Record<string, JsonShape>>;
  readonly required?: readonly string[];
  readonly items?: JsonShape | false;
  readonly prefixItems?: readonly JsonShape[];
  readonly additionalProperties?: JsonShape | boolean;
  readonly $ref?: string;
}

/** Lines are as long as prettier lets code be in a page. */
const WIDEST = 110;

/** Writes schemas as types, in which a schema with a name of its own is that name. */
export class ShapeWriter {
  readonly #names = z.registry<{ id: string }>();
  readonly #named = new Map<string, z.ZodType>();
  /** The names that were written and aren't described yet. */
  readonly #wanted = new Set<string>();

  /** @param modules - their exported schemas get names: `savedConnectionSchema` is `SavedConnection` */
  constructor(modules: readonly Readonly<Record<string, unknown>>[]) {
    for (const [name, schema] of modules.flatMap((module) => Object.entries(module))) {
      if (!name.endsWith('Schema') || !(schema instanceof z.ZodType) || this.#names.has(schema)) continue;
      if (schema instanceof z.ZodString || schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) continue;
      const id = `${name.slice(0, 1).toUpperCase()}${name.slice(1, -'Schema'.length)}`;
      if (this.#named.has(id)) throw new Error(`Two schemas are named ${id}.`);
      this.#names.add(schema, { id });
      this.#named.set(id, schema);
    }
  }

  /** The name of a schema; where it has none, its parts. */
  text(schema: z.ZodType, io: 'input' | 'output'): string {
    const name = this.#names.get(schema)?.id;
    return name === undefined ? this.parts(schema, io) : this.#use(name);
  }

  /** The parts of a schema, on one line where they fit. */
  parts(schema: z.ZodType, io: 'input' | 'output', width: number = Number.POSITIVE_INFINITY): string {
    const json = z.toJSONSchema(schema, { io, unrepresentable: 'any', cycles: 'ref', reused: 'inline', metadata: this.#names });
    const { $ref, $defs = {} } = json as JsonShape & { readonly $defs?: Readonly<Record<string, JsonShape>> };
    return this.#write($defs[refName($ref)] ?? (json as JsonShape), width, '');
  }

  /** Each name that was written, with its parts; names that those need are described, too. */
  described(): readonly { readonly name: string; readonly parts: string }[] {
    const parts = new Map<string, string>();
    for (let more = true; more;) {
      more = false;
      for (const name of [...this.#wanted]) {
        const schema = this.#named.get(name);
        if (schema === undefined || parts.has(name)) continue;
        parts.set(name, this.parts(schema, 'output', WIDEST));
        more = true;
      }
    }
    return [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, text]) => ({ name, parts: text }));
  }

  /** Only a schema that contains itself, such as any JSON value, is referred to without having a name of its own. */
  #reference(name: string): string {
    return this.#named.has(name) ? this.#use(name) : 'any';
  }

  #use(name: string): string {
    this.#wanted.add(name);
    return name;
  }

  #write(shape: JsonShape, width: number, indent: string): string {
    const line = this.#line(shape);
    if (indent.length + line.length <= width) return line;
    const inner = `${indent}  `;
    const parts = shape.anyOf ?? shape.oneOf;
    if (parts !== undefined) {
      const begin = indent === '' ? '' : `\n${inner}`;
      return parts
        .map((part) => `${begin}| ${this.#write(part, width, indent === '' ? '' : inner)}`)
        .join(begin === '' ? '\n' : '');
    }
    if (shape.type === 'array' && typeof shape.items === 'object') return `[${this.#write(shape.items, width, indent)}]`;
    const fields = this.#fields(shape);
    if (fields.length === 0) return line;
    const lines = fields.map(([name, field]) => `${inner}${name}: ${this.#write(field, width, inner)},\n`);
    return `{\n${lines.join('')}${indent}}`;
  }

  #line(shape: JsonShape): string {
    if (shape.$ref !== undefined) return this.#reference(refName(shape.$ref));
    if (shape.const !== undefined) return JSON.stringify(shape.const);
    if (shape.enum !== undefined) return shape.enum.map((value) => JSON.stringify(value)).join(' | ');
    const parts = shape.anyOf ?? shape.oneOf;
    if (parts !== undefined) return [...new Set(parts.map((part) => this.#line(part)))].join(' | ');
    if (shape.allOf !== undefined) return shape.allOf.map((part) => this.#line(part)).join(' & ');
    if (shape.prefixItems !== undefined) return `[${shape.prefixItems.map((item) => this.#line(item)).join(', ')}]`;
    if (shape.type === 'array') return typeof shape.items === 'object' ? `[${this.#line(shape.items)}]` : '[]';
    if (shape.type !== 'object') return [shape.type ?? 'any'].flat().join(' | ');
    const fields = this.#fields(shape).map(([name, field]) => `${name}: ${this.#line(field)}`);
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
  }

  #fields({ properties = {}, required = [], additionalProperties }: JsonShape): [string, JsonShape][] {
    const fields = Object.entries(properties).map(([name, field]): [string, JsonShape] => [
      required.includes(name) ? name : `${name}?`,
      field,
    ]);
    return typeof additionalProperties === 'object' ? [...fields, ['[key]', additionalProperties]] : fields;
  }
}

function refName(ref: string | undefined = ''): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}
