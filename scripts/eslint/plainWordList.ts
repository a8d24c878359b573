/** A word or phrase that sounds translated, and its plain replacement. */
export interface PlainWord {
  readonly pattern: RegExp;
  readonly instead: string;
}

type PlainWordFault = Readonly<Record<'found' | 'instead', string>>;

const word = (pattern: RegExp, instead: string): PlainWord => ({ pattern, instead });

/** Phrases to avoid in every sentence that a person reads: window, errors, command line, documentation, test names. */
const PLAIN_WORDS: readonly PlainWord[] = [
  word(/(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b)/iu, "isn't a / aren't"),
  word(/\b(?:is|are|was|were) not [^.,;:]{1,40},? but\b/iu, 'say what it is'),
  word(/\bnone such\b|\bthere (?:is|are) no such\b/iu, "X doesn't exist"),
  word(/\bst(?:ands?|ood)\b(?! for\b)/iu, 'is, appears'),
  word(/\b(?:tells?|told|telling)\b/iu, 'reports, shows, says'),
  word(/\bknows\b/iu, 'has, supports'),
  word(/\bwants\b/iu, 'needs, requires'),
  word(/\bwhoever\b/iu, 'a person who, clients that'),
  word(/\bnobody\b/iu, 'a named subject'),
  word(/\b(?:goes|go|going|went|gone) on\b/iu, 'continues'),
  word(/\banew\b/iu, 'again'),
  word(/\bby (?:itself|themselves)\b/iu, 'automatically'),
  word(/\bunder way\b/iu, 'in progress, running'),
  word(/\bfigures\b/iu, 'metrics'),
  word(/\bremarks?\b/iu, 'warning, notice'),
  word(/\bcarriers?\b/iu, 'transport'),
  word(/\b(?:approval|consent) desks?\b/iu, 'approval queue'),
  word(/\blanes?\b/iu, 'worker, driver process pool'),
  word(/\bhome folder of the host\b/iu, 'data directory'),
  word(/\b(?:has|have|lost) (?:its|no|the) right\b|\bthe rights of\b/iu, 'permission'),
  word(/\bin clear\b/iu, 'unencrypted'),
  word(/\bwhat can be done with\b/iu, 'actions for'),
  word(/\bwithout a word\b/iu, 'without an error'),
  word(/\bletter for letter\b/iu, 'character by character, exactly'),
  word(/\b(?:hand(?:s|ed)?|handing) on\b/iu, 'passes on'),
  word(/\bin truth\b/iu, 'really'),
];

/** The phrases to avoid that a text has, each with its replacement. */
export function plainWordFaults(text: string): readonly PlainWordFault[] {
  return faultsOf(text, PLAIN_WORDS);
}

function faultsOf(text: string, words: readonly PlainWord[]): readonly PlainWordFault[] {
  return words.flatMap(({ pattern, instead }) => {
    const found = pattern.exec(text)?.[0].trim();
    return found === undefined ? [] : [{ found, instead }];
  });
}

/** A comment says why, or a fact: a subject of its own, and never a clause for one. */
const COMMENT_BEGINNINGS: readonly PlainWord[] = [word(/^(?:What|Who|Whoever|Whom|Whose)\b/u, 'the fact, with its subject')];

/** The phrases to avoid that a comment has. Its code, in backticks or braces, isn't a sentence. */
export function plainCommentFaults(comment: string): readonly PlainWordFault[] {
  const text = comment
    .replace(/^\*/u, '')
    .replaceAll(/\n\s*\*?/gu, ' ')
    .replaceAll(/`[^`]*`|\{@[^}]*\}/gu, 'X')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return faultsOf(text, [...COMMENT_BEGINNINGS, ...PLAIN_WORDS]);
}
