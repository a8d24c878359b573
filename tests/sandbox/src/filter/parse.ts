import { badRequest } from '../errors.ts';
import type { Field } from '../schema/field.ts';
import type { Features } from '../versions.ts';
import { readLeaf } from './leaf.ts';
import type { LeafContext } from './leaf.ts';
import { lexFilter } from './lexer.ts';
import type { FilterToken } from './lexer.ts';
import type { FilterNode } from './syntax.ts';

const UNBALANCED = 'Could not parse the filter query: unbalanced parentheses.';

/**
 * `&&` and `||` have one precedence and associate to the left, as they do on a real server. Parentheses are checked before
 * anything else and fields only then, so that the error is the one the server would give.
 */
class Parser {
  readonly #tokens: readonly FilterToken[];
  readonly #context: LeafContext;
  readonly #inner: (text: string, prefix: string) => FilterNode | undefined;
  #at = 0;

  constructor(
    tokens: readonly FilterToken[],
    context: LeafContext,
    inner: (text: string, prefix: string) => FilterNode | undefined,
  ) {
    this.#tokens = tokens;
    this.#context = context;
    this.#inner = inner;
  }

  /** Operands next to each other without an operator are all read, and the last of them counts. */
  group(): FilterNode | undefined {
    let stack: FilterNode[] = [];
    let pending: '&&' | '||' | undefined;
    const reduce = (): void => {
      if (pending === undefined) return;
      const right = stack.pop();
      const left = stack.pop();
      if (right === undefined || left === undefined) {
        throw badRequest(`Could not parse the filter query: unbalanced \`${pending}\` operands.`);
      }
      stack = [...stack, { kind: pending === '&&' ? 'and' : 'or', left, right }];
      pending = undefined;
    };
    for (;;) {
      const token = this.#tokens[this.#at];
      if (token === undefined || token.kind === ')') break;
      this.#at += 1;
      if (token.kind === '&&' || token.kind === '||') {
        reduce();
        pending = token.kind;
      } else {
        const node = this.#operand(token);
        if (node !== undefined) stack.push(node);
      }
    }
    reduce();
    return stack.at(-1);
  }

  #operand(token: FilterToken): FilterNode | undefined {
    if (token.kind === '(') {
      const node = this.group();
      this.#at += 1;
      return node;
    }
    if (token.kind === 'reference') return token;
    if (token.kind === 'object') {
      const brace = token.text.indexOf('{');
      const prefix = token.text.slice(0, brace).trim();
      const inner = this.#inner(token.text.slice(brace + 1, -1), prefix);
      return inner === undefined ? undefined : { kind: 'object', field: prefix.slice(0, -1), inner };
    }
    return token.kind === 'expression' ? { kind: 'leaf', leaf: readLeaf(token.text, this.#context) } : undefined;
  }
}

const checkParentheses = (tokens: readonly FilterToken[]): void => {
  let depth = 0;
  for (const { kind } of tokens) {
    if (kind === '(') depth += 1;
    if (kind === ')') depth -= 1;
    if (depth < 0) throw badRequest(UNBALANCED);
  }
  if (depth !== 0) throw badRequest(UNBALANCED);
};

/** Each comparison is one, and so is each `&&` and `||`; a list is one comparison. */
const MAX_OPERATIONS = 100;

const checkOperations = (tokens: readonly FilterToken[]): void => {
  const operations = tokens.filter(({ kind }) => kind !== '(' && kind !== ')').length;
  if (operations <= MAX_OPERATIONS) return;
  throw badRequest(
    `\`filter_by\` has too many operations. Maximum allowed: ${MAX_OPERATIONS}. ` +
      'Use `--filter-by-max-ops` command line argument to customize this value.',
  );
};

/** Undefined for a filter that says nothing. */
export const parseFilter = (
  query: string,
  fields: ReadonlyMap<string, Field>,
  features: Features,
  prefix = '',
): FilterNode | undefined => {
  if (query.trim() === '') return undefined;
  const tokens = lexFilter(query, features);
  checkParentheses(tokens);
  checkOperations(tokens);
  const inner = (text: string, innerPrefix: string): FilterNode | undefined => parseFilter(text, fields, features, innerPrefix);
  const parser = new Parser(tokens, { fields, int32RangeCheck: features.int32RangeCheck, prefix }, inner);
  const node = parser.group();
  if (node === undefined) throw badRequest('Filter query cannot be empty.');
  return node;
};
