import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

/** An error of a driver that is made with a text. */
export interface MadeError {
  /** Relative to the driver's sources, with the line. */
  readonly place: string;
  /** The ids of the translations of its message and advice; a `*` is a part that is known only while the driver runs. */
  readonly ids: readonly string[];
  /** Why it has no translation; undefined where it names one. */
  readonly lacks?: string;
}

/** A function that makes an error, or its translations, with ids that its caller gives. */
interface Maker {
  readonly parameters: ReadonlySet<number>;
  /** Whether it has a translation without those of its caller. */
  readonly hasOwn: boolean;
}

interface Found {
  readonly ids: readonly string[];
  /** Places of the parameters of the function around it that give further ids. */
  readonly parameters: readonly number[];
  /** Whether it is the translation of something that has its own. */
  readonly isPassedOn: boolean;
}

const NOTHING: Found = { ids: [], parameters: [], isPassedOn: false };
/** Whatever looks like an id: words with a dot between them. */
const ID = /^[A-Za-z][\w-]*(?:\.[\w*-]+)+$/;

/** Parameters that a function has for translations. */
const GIVES_ID = /^(?:id|adviceId|texts?|translation|details|options|refusal|reason|fixed|why)$/;

/** Members that make an object of the contract a refusal. */
const REFUSALS: readonly (readonly [member: string, value: RegExp])[] = [
  ['allowed', /^false$/],
  ['ready', /^false$/],
  ['outcome', /^'(?:rejected|failed|unknown)'/],
];

type Function =
  ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression | ts.MethodDeclaration | ts.ConstructorDeclaration;

function isFunction(node: ts.Node): node is Function {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isArrowFunction(node) ||
    ts.isFunctionExpression(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isConstructorDeclaration(node)
  );
}

function joined(found: readonly Found[]): Found {
  return {
    ids: found.flatMap(({ ids }) => ids),
    parameters: found.flatMap(({ parameters }) => parameters),
    isPassedOn: found.some(({ isPassedOn }) => isPassedOn),
  };
}

/** The sources of one driver, without its tests. */
export class DriverErrors {
  readonly #files: readonly ts.SourceFile[];
  /** Functions by the file that declares them and their name. */
  readonly #functions = new Map<string, Function>();
  /** The file and name of what a file imports, by its own file and name. */
  readonly #imports = new Map<string, string>();
  /** Constants by the function or file that they are in. */
  readonly #constants = new Map<ts.Node, Map<string, ts.Expression>>();
  readonly #makers = new Map<Function, Maker>();
  readonly #made = new Map<ts.Node, MadeError>();

  /** @param change - of a source before it is read; for tests of this check */
  constructor(root: string, change: (text: string, file: string) => string = (text) => text) {
    this.#files = globSync('**/*.ts', { cwd: root })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => !/\.(?:test|test-helper|d)\.ts$|\.test\./.test(file))
      .sort()
      .map((file) => {
        const text = change(readFileSync(join(root, file), 'utf8'), file);
        return ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
      });
    for (const file of this.#files) this.#declare(file);
    // A function that calls a maker with its own parameter is one itself.
    for (let known = -1; known !== this.#makers.size;) {
      known = this.#makers.size;
      this.#made.clear();
      for (const file of this.#files) this.#visit(file);
    }
  }

  /** Every error that is made with a text, in the order of the sources. */
  get made(): readonly MadeError[] {
    return [...this.#made.values()];
  }

  #declare(file: ts.SourceFile): void {
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionDeclaration(node) && node.name !== undefined)
        this.#functions.set(`${file.fileName}:${node.name.text}`, node);
      if (ts.isClassDeclaration(node) && node.name !== undefined) {
        const constructor = node.members.find(ts.isConstructorDeclaration);
        if (constructor !== undefined) this.#functions.set(`${file.fileName}:${node.name.text}`, constructor);
      }
      if (ts.isImportDeclaration(node)) this.#import(file, node);
      if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
        const { text } = node.name;
        if (isFunction(node.initializer)) this.#functions.set(`${file.fileName}:${text}`, node.initializer);
        else {
          const scope = functionAround(node) ?? file;
          const known = this.#constants.get(scope) ?? new Map<string, ts.Expression>();
          this.#constants.set(scope, known.set(text, node.initializer));
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }

  #import(file: ts.SourceFile, { moduleSpecifier, importClause }: ts.ImportDeclaration): void {
    const bindings = importClause?.namedBindings;
    if (!ts.isStringLiteral(moduleSpecifier) || bindings === undefined || !ts.isNamedImports(bindings)) return;
    const from = posix.join(posix.dirname(file.fileName), moduleSpecifier.text);
    for (const { name, propertyName } of bindings.elements)
      this.#imports.set(`${file.fileName}:${name.text}`, `${from}:${(propertyName ?? name).text}`);
  }

  #functionOf(callee: ts.Expression): Function | undefined {
    if (!ts.isIdentifier(callee)) return undefined;
    const own = `${callee.getSourceFile().fileName}:${callee.text}`;
    return this.#functions.get(this.#imports.get(own) ?? own);
  }

  #visit(node: ts.Node): void {
    if (ts.isNewExpression(node) && node.expression.getText() === 'DriverError') this.#construct(node, node.arguments ?? []);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword && extendsDriverError(node))
      this.#construct(node, node.arguments);
    else if (ts.isCallExpression(node) || ts.isNewExpression(node)) this.#call(node);
    else if (ts.isObjectLiteralExpression(node)) this.#refusal(node);
    ts.forEachChild(node, (child) => this.#visit(child));
  }

  /** `new DriverError(code, message, options)`. */
  #construct(node: ts.Node, [, message, options]: readonly ts.Expression[]): void {
    if (message === undefined || message.getText() === 'undefined') return;
    const texts = options === undefined ? NOTHING : this.#textsIn(options);
    // The words of another error, or of the language itself.
    const repeats = /^\w+(?:\.reason)?\.message$/.test(message.getText());
    this.#add(node, texts, repeats);
  }

  #call(node: ts.CallExpression | ts.NewExpression): void {
    const made = this.#functionOf(node.expression);
    const maker = made === undefined ? undefined : this.#makers.get(made);
    if (maker === undefined) return;
    const given = [...maker.parameters].map((place) => node.arguments?.[place]);
    this.#add(node, joined(given.map((argument) => (argument === undefined ? NOTHING : this.#idsOf(argument)))), maker.hasOwn);
  }

  /** A refusal that an answer has in place of an error: of a change, of an imported row, of something at a column. */
  #refusal(node: ts.ObjectLiteralExpression): void {
    const values = new Map(
      node.properties.filter(ts.isPropertyAssignment).map(({ name, initializer }) => [name.getText(), initializer]),
    );
    const isRefusal = REFUSALS.some(([member, value]) => value.test(values.get(member)?.getText() ?? ''));
    const text = values.get('message') ?? values.get('reason');
    const isSaid = node.properties.some(({ name }) => name?.getText() === 'message' || name?.getText() === 'reason');
    if (!isRefusal || !isSaid) return;
    // A thing that is spread into it brings its translation along.
    const passes = node.properties.some(ts.isSpreadAssignment) && (text === undefined || !isWritten(text));
    this.#add(node, this.#textsIn(node), passes);
  }

  #add(node: ts.Node, { ids, parameters, isPassedOn }: Found, repeats: boolean): void {
    const around = functionAround(node);
    if (parameters.length > 0 && around !== undefined) {
      const known = this.#makers.get(around);
      this.#makers.set(around, {
        parameters: new Set([...(known?.parameters ?? []), ...parameters]),
        hasOwn: (known?.hasOwn ?? true) && ids.length > 0,
      });
      if (ids.length === 0) return;
    }
    const file = node.getSourceFile();
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    this.#made.set(node, {
      place: `${file.fileName}:${line + 1}`,
      ids: [...new Set(ids)],
      ...(ids.length > 0 || parameters.length > 0 || isPassedOn || repeats
        ? {}
        : { lacks: node.getText().replaceAll(/\s+/g, ' ').slice(0, 200) }),
    });
  }

  /** The ids below each `texts` of an error's options, and of what is spread into them. */
  #textsIn(node: ts.Node): Found {
    const found: Found[] = [];
    const visit = (inner: ts.Node): void => {
      if (ts.isPropertyAssignment(inner) && inner.name.getText() === 'texts') found.push(this.#idsOf(inner.initializer));
      else if (ts.isShorthandPropertyAssignment(inner) && ['texts', 'details'].includes(inner.name.text))
        found.push(this.#idsOf(inner.name));
      else if (
        ts.isPropertyAssignment(inner) &&
        inner.name.getText() === 'details' &&
        !ts.isObjectLiteralExpression(inner.initializer)
      )
        found.push(this.#idsOf(inner.initializer));
      else if (ts.isSpreadAssignment(inner) && /\b(?:details|options)$/.test(inner.expression.getText()))
        found.push(this.#idsOf(inner.expression));
      else ts.forEachChild(inner, visit);
    };
    visit(node);
    if (found.length === 0 && ts.isIdentifier(node)) found.push(this.#idsOf(node));
    return joined(found);
  }

  /** The ids that an expression gives. */
  #idsOf(node: ts.Node, seen: ReadonlySet<ts.Node> = new Set()): Found {
    if (seen.has(node)) return NOTHING;
    const further = new Set(seen).add(node);
    const of = (inner: ts.Node): Found => this.#idsOf(inner, further);
    if (ts.isStringLiteralLike(node)) return ID.test(node.text) ? { ...NOTHING, ids: [node.text] } : NOTHING;
    if (ts.isTemplateExpression(node)) {
      const pattern = [node.head.text, ...node.templateSpans.map(({ literal }) => `*${literal.text}`)].join('');
      return ID.test(pattern) ? { ...NOTHING, ids: [pattern] } : NOTHING;
    }
    if (ts.isIdentifier(node)) return this.#ofName(node, of);
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
      const text = node.getText();
      // The translation of another error, or of the reason at a column.
      if (/\b(?:details|texts|fixed)\b(?:[?.[\]'"\w]*)$/.test(text)) return { ...NOTHING, isPassedOn: true };
      return of(node.expression);
    }
    if (ts.isCallExpression(node)) {
      const called = this.#functionOf(node.expression);
      const own =
        called?.body === undefined || further.has(called) ? NOTHING : this.#idsOf(called.body, new Set(further).add(called));
      return joined([...node.arguments.map(of), { ...own, parameters: [] }]);
    }
    const inner: Found[] = [];
    ts.forEachChild(node, (child) => {
      if (!ts.isTypeNode(child) && !(ts.isPropertyAssignment(node) && child === node.name)) inner.push(of(child));
    });
    // The values of a translation name no other one.
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'values') return NOTHING;
    return joined(inner);
  }

  #ofName(node: ts.Identifier, of: (inner: ts.Node) => Found): Found {
    const { text } = node;
    for (let around = functionAround(node); around !== undefined; around = functionAround(around)) {
      const constant = this.#constants.get(around)?.get(text);
      if (constant !== undefined) return of(constant);
      const place = around.parameters.findIndex(({ name }) => declares(name, text));
      if (place >= 0) return GIVES_ID.test(text) ? { ...NOTHING, parameters: [place] } : NOTHING;
    }
    const file = node.getSourceFile();
    const [from = '', name = ''] = this.#imports.get(`${file.fileName}:${text}`)?.split(':') ?? [];
    const other = this.#files.find(({ fileName }) => fileName === from);
    const constant =
      this.#constants.get(file)?.get(text) ?? (other === undefined ? undefined : this.#constants.get(other)?.get(name));
    return constant === undefined ? NOTHING : of(constant);
  }
}

/** Whether an expression is a text, and not another one's. */
function isWritten(node: ts.Expression): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

function declares(name: ts.BindingName, wanted: string): boolean {
  if (ts.isIdentifier(name)) return name.text === wanted;
  return name.elements.some((element) => ts.isBindingElement(element) && declares(element.name, wanted));
}

function functionAround(node: ts.Node): Function | undefined {
  for (let around = node.parent as ts.Node | undefined; around !== undefined; around = around.parent as ts.Node | undefined)
    if (isFunction(around)) return around;
  return undefined;
}

function extendsDriverError(node: ts.Node): boolean {
  for (let around = node.parent as ts.Node | undefined; around !== undefined; around = around.parent as ts.Node | undefined)
    if (ts.isClassDeclaration(around)) return /\bextends DriverError\b/.test(around.heritageClauses?.[0]?.getText() ?? '');
  return false;
}
