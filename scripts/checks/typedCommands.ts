import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A value in a command that a text names, as it is: pasted into a shell, its characters may run something else. */
export interface UntypedValue {
  /** Relative to the root. */
  readonly file: string;
  /** The command up to the value, and the value. */
  readonly text: string;
}

const SOURCES = ['host/src/**/*.{ts,tsx}'];
const TESTS = /\.test(-helper)?\.tsx?$|\.browser\./;
/** The functions that make one word of a text, whatever is in it. */
const TYPED = new Set(['typedWord', 'typedOr', 'typedConnection']);
/** Commands of curl, run in a shell by their tests, and those of a desktop entry: functions of their own quote each word. */
const QUOTED_OTHERWISE = /^host\/src\/runtime\/(?:console\/curl|urlScheme\/desktopEntry)/;
/** A command line of the program that isn't over: up to the end of a quotation, a sentence or a line. */
const COMMAND =
  /\btabularium (?:connections|drivers|restore|secrets|mcp|tokens|tables|metrics|operations|relevance|logs|backup|import|export|copy|activity|integrations|serve|open) (?:[^\n."”“„]|\.(?! )|"$)*$/;
/** An option with its value, in a text that says more. */
const OPTION = /\S \W*--[a-z][a-z-]*[ =]["'“]?$/;

const MAY_HAVE = /\btabularium [a-z]|--[a-z][a-z-]*[ =]["'“]?\$\{/;

/** Every value in a command line of a text that isn't made one word by {@link TYPED}; sorted by file. */
export function findUntypedValues(root: string): UntypedValue[] {
  const found: UntypedValue[] = [];
  const files = globSync(SOURCES, { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  for (const file of files.filter((path) => !TESTS.test(path) && !QUOTED_OTHERWISE.test(path)).sort()) {
    const text = readFileSync(join(root, file), 'utf8');
    // Few files have one, and the compiler takes long to read them all.
    if (!MAY_HAVE.test(text)) continue;
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isTemplateExpression(node)) found.push(...valuesOf(node).map((value) => ({ file, text: value })));
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

function valuesOf({ head, templateSpans }: ts.TemplateExpression): string[] {
  const found: string[] = [];
  let before = head.text;
  for (const { expression, literal } of templateSpans) {
    const isValue = COMMAND.test(before) || OPTION.test(before);
    if (isValue && !isTyped(expression)) found.push(`${before.slice(-80)}\${${expression.getText()}}`);
    before += `word${literal.text}`;
  }
  return found;
}

/** Also several of them, in a row. */
function isTyped(expression: ts.Expression): boolean {
  const text = expression.getText();
  if (/^\w+\.map\(typedWord\)\.join\(' '\)$/.test(text)) return true;
  return ts.isCallExpression(expression) && ts.isIdentifier(expression.expression) && TYPED.has(expression.expression.text);
}
