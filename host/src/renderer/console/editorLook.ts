import { StreamLanguage } from '@codemirror/language';
import type { Extension } from '@codemirror/state';

/**
 * Colours for text of any statement language: strings, numbers, names before a colon, the words that begin a line, notices, variables. The
 * driver decides what the text means; this only helps the eye.
 */
const language = StreamLanguage.define<{ lineWords: number }>({
  name: 'statements',
  startState: () => ({ lineWords: 0 }),
  token(stream, state) {
    if (stream.sol()) state.lineWords = 0;
    if (stream.eatSpace()) return null;
    if (stream.match(/^\{\{\s*[A-Za-z_]\w*\s*\}\}/)) return 'macroName';
    if (stream.sol() && stream.match(/^(?:#|\/\/|--).*/)) return 'comment';
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return stream.match(/^\s*:/, false) ? 'propertyName' : 'string';
    if (stream.match(/^'(?:[^'\\]|\\.)*'?/)) return 'string';
    if (stream.match(/^(?:true|false|null)\b/)) return 'atom';
    if (stream.match(/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/)) return 'number';
    if (stream.match(/^[A-Z]{2,}(?=\s|$)/)) {
      state.lineWords += 1;
      return state.lineWords === 1 ? 'keyword' : null;
    }
    if (stream.match(/^[{}[\],:]/)) return 'punctuation';
    if (stream.match(/^[^\s"'{}[\],:]+/) === null) stream.next();
    return null;
  },
  languageData: { commentTokens: { line: '#' }, closeBrackets: { brackets: ['(', '[', '{', '"'] } },
});

/** Colours and sizes of every editor here. */
export { codeLook as answerLook } from '../ui/codeLook.ts';

/** The same, with the language that helps the eye where no other is known. */
export const statementLanguage: Extension = language;
