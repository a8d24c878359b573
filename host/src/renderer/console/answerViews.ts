import { indentJson } from '../grid/model/jsonText.ts';
import { parseTree } from '../grid/model/jsonTree.ts';
import type { JsonNode } from '../grid/model/jsonTree.ts';
import type { Answer } from './runs.ts';

/** The ways to look at an answer, in the order in which they are offered. */
export const ANSWER_VIEWS = ['rows', 'tree', 'text'] as const;
export type AnswerViewName = (typeof ANSWER_VIEWS)[number];

/** A larger answer is shown as text: a tree of it would take seconds and hundreds of megabytes. */
export const LARGEST_TREE = 4_000_000;

/** The text of an answer: all of it, or the JSON that its rows were read from; undefined where it is its rows alone. */
export function answerText(answer: Answer): string | undefined {
  if (answer.is === 'rows') return answer.whole;
  return answer.is === 'text' ? answer.text : undefined;
}

/** Undefined for what is not JSON, and for what is too large for a tree. */
export function answerTree(text: string): JsonNode | undefined {
  if (text.length > LARGEST_TREE) return undefined;
  try {
    const root = parseTree(text);
    return root.is === 'object' || root.is === 'array' ? root : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a text is a JSON object or list, however large. */
export function isJsonText(answer: Answer): boolean {
  if (answer.is === 'rows') return answer.whole !== undefined;
  return answer.is === 'text' && answer.mediaType === 'application/json';
}

/** The text as it is read: JSON on lines of its own. */
export function readableText(answer: Answer): string {
  const text = answerText(answer) ?? '';
  return isJsonText(answer) ? indentJson(text) : text;
}

/** The view after this one; the first behind the last. */
export function nextView(views: readonly AnswerViewName[], view: AnswerViewName): AnswerViewName {
  return views[(views.indexOf(view) + 1) % views.length] ?? view;
}
