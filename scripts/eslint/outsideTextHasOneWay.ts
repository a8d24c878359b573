import type { Rule } from 'eslint';

/** Properties of page elements that show what is assigned to them. */
const SHOWING_PROPERTIES = [
  'textContent',
  'innerText',
  'outerText',
  'innerHTML',
  'outerHTML',
  'nodeValue',
  'ariaLabel',
  'placeholder',
  'alt',
];
/** Methods that show their argument. */
const SHOWING_METHODS = [
  'insertAdjacentHTML',
  'insertAdjacentText',
  'createTextNode',
  'createContextualFragment',
  'setHTMLUnsafe',
  'writeln',
];
/** The methods of the global console that print. A driver's console facet has other methods. */
const PRINTING_METHODS = [
  'assert',
  'debug',
  'dir',
  'error',
  'group',
  'groupCollapsed',
  'info',
  'log',
  'table',
  'timeEnd',
  'timeLog',
  'trace',
  'warn',
];
const SHOWING_FUNCTIONS = ['alert', 'confirm', 'prompt'];
/** The functions that make a text fit to be shown. */
const MAKES_VISIBLE = ['visibleText', 'shownText'];

interface Node {
  readonly type: string;
  readonly name?: unknown;
  readonly property?: Node;
  readonly object?: Node;
  readonly callee?: Node;
  readonly computed?: boolean;
}

/** `title` of `document.title`, `stdout` of `context.terminal.stdout`. */
function lastName(node: Node | undefined): string | undefined {
  if (node?.type === 'Identifier') return String(node.name);
  return node?.type === 'MemberExpression' && node.computed !== true ? lastName(node.property) : undefined;
}

function isMadeVisible(node: Node): boolean {
  return node.type === 'CallExpression' && MAKES_VISIBLE.includes(lastName(node.callee) ?? '');
}

/**
 * Text from outside reaches a person through one function. Option `terminal`: only the module that makes text visible may write to stdout and
 * stderr. Option `page`: text reaches the page through JSX, whose runtime makes it visible, or through `visibleText`.
 */
export const outsideTextHasOneWay: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [{ enum: ['terminal', 'page'] }],
    messages: {
      terminal:
        'This goes to the terminal as it is. Use write, writeJson or rewriteLine of cli/terminal.ts, which make hidden characters visible.',
      page: 'This reaches the page beside JSX, with hidden characters in it. Render it with JSX, or pass it through visibleText.',
    },
  },
  create(context) {
    if (context.options[0] === 'terminal') {
      return {
        CallExpression(node) {
          const callee = node.callee as Node;
          if (callee.type !== 'MemberExpression') return;
          const owner = lastName(callee.object);
          const method = lastName(callee);
          const writes = (method === 'write' || method === 'end') && (owner === 'stdout' || owner === 'stderr');
          const prints = callee.object?.type === 'Identifier' && owner === 'console' && PRINTING_METHODS.includes(method ?? '');
          if (writes || prints) context.report({ node, messageId: 'terminal' });
        },
      };
    }
    return {
      AssignmentExpression(node) {
        const left = node.left as Node;
        const property = lastName(left);
        if (left.type !== 'MemberExpression' || property === undefined || isMadeVisible(node.right)) return;
        const title = property === 'title' && lastName(left.object) === 'document';
        if (title || SHOWING_PROPERTIES.includes(property)) context.report({ node, messageId: 'page' });
      },
      CallExpression(node) {
        const callee = node.callee as Node;
        const name = lastName(callee);
        if (name === undefined) return;
        const owner = callee.type === 'MemberExpression' ? lastName(callee.object) : undefined;
        const asks = SHOWING_FUNCTIONS.includes(name) && (owner === undefined || owner === 'window' || owner === 'globalThis');
        const writes = name === 'write' && owner === 'document';
        if (SHOWING_METHODS.includes(name) || asks || writes) context.report({ node, messageId: 'page' });
      },
      NewExpression(node) {
        if (lastName(node.callee) === 'Notification') context.report({ node, messageId: 'page' });
      },
      JSXAttribute(node: Rule.Node) {
        const { name } = node as unknown as { name: { name?: unknown } };
        if (name.name === 'dangerouslySetInnerHTML') context.report({ node, messageId: 'page' });
      },
      ImportDeclaration(node) {
        const runtime = /^react\/jsx-(dev-)?runtime$/.test(String(node.source.value));
        const builds =
          node.source.value === 'react' &&
          node.specifiers.some(
            (specifier) =>
              specifier.type === 'ImportSpecifier' &&
              ['createElement', 'cloneElement'].includes(lastName(specifier.imported) ?? ''),
          );
        if (runtime || builds) context.report({ node, messageId: 'page' });
      },
    };
  },
};
