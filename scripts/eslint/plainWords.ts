import type { Rule } from 'eslint';
import { plainCommentFaults, plainWordFaults } from './plainWordList.ts';

/** A template, as far as its texts go; this project doesn't depend on the parser's own types. */
interface Template {
  readonly quasis: readonly { readonly value: { readonly cooked?: string | null } }[];
}

/** Functions whose first argument is the name of a test. */
const TEST = /^(?:it|test|describe)\b/;

const textOf = ({ quasis }: Template): string => quasis.map(({ value }) => value.cooked ?? '').join('…');

/**
 * Sentences that a person reads use plain words: string literals, templates, JSX text, test names or comments. A literal without a space is an identifier,
 * unless the option is `labels`, for files that hold labels of one word.
 */
export const plainWords: Rule.RuleModule = {
  meta: {
    type: 'suggestion',
    schema: [{ enum: ['sentences', 'labels', 'testNames', 'comments'] }],
    messages: { plain: 'Write plain English: "{{instead}}" instead of "{{found}}".' },
  },
  create(context) {
    const kind: unknown = context.options[0] ?? 'sentences';
    function check(node: Rule.Node, text: string): void {
      if (kind !== 'labels' && !/\s/.test(text.trim())) return;
      for (const data of plainWordFaults(text)) context.report({ node, messageId: 'plain', data });
    }
    if (kind === 'comments') {
      return {
        Program() {
          for (const { loc, value } of context.sourceCode.getAllComments())
            for (const data of plainCommentFaults(value)) if (loc) context.report({ loc, messageId: 'plain', data });
        },
      };
    }
    if (kind === 'testNames') {
      return {
        CallExpression(node) {
          const [name] = node.arguments;
          if (name === undefined || !TEST.test(context.sourceCode.getText(node.callee))) return;
          if (name.type === 'Literal' && typeof name.value === 'string') check(name as Rule.Node, name.value);
          if (name.type === 'TemplateLiteral') check(name as Rule.Node, textOf(name));
        },
      };
    }
    return {
      Literal(node) {
        if (typeof node.value === 'string' && node.parent.type !== 'ImportDeclaration') check(node, node.value);
      },
      TemplateLiteral(node) {
        check(node, textOf(node));
      },
      JSXText(node: Rule.Node) {
        check(node, String((node as unknown as { value: unknown }).value));
      },
    };
  },
};
