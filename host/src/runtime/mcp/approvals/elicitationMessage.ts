import { approvalSummary, askedName } from '../../../common/approvalText.ts';
import { lookAlikeWords } from '../../../common/lookAlike.ts';
import type { ApprovalQuestion } from './approvalQuestion.ts';
import { TICKET_MILLISECONDS } from './approvalTickets.ts';

const EFFECTS = { read: 'read data', write: 'change data', destructive: 'destroy data' } as const;

/**
 * The text of a question that a client's host draws, in English. Every name is bounded and has its hidden characters marked, and each line of the
 * statement begins with a bar, so that nothing in it can pass for a line of the question. The statement is whole.
 */
export function elicitationMessage({ principal, client, connection, effect, summary, text, shown }: ApprovalQuestion): string {
  const name = client === undefined ? 'a client without a name' : `"${askedName(client.name)}"`;
  const strange = lookAlikeWords(text);
  return [
    `Allow ${name} to ${EFFECTS[effect]} in "${askedName(connection.name, 100)}"?`,
    `Effect: ${approvalSummary(summary)}`,
    `It uses the token "${askedName(principal.name, 100)}". Your answer holds for this once, within ${TICKET_MILLISECONDS / 60_000} minutes.`,
    ...(shown.marked ? ['Marks such as ⟨U+200B⟩ stand for characters that cannot be seen, ⟨⏎×9⟩ for blank lines.'] : []),
    ...(strange.length === 0 ? [] : [`Mixed alphabets, so they may mislead: ${strange.join(', ')}`]),
    `The whole of it, ${shown.characters} characters:`,
    ...shown.shown.split('\n').map((line) => `| ${line}`),
  ].join('\n');
}
