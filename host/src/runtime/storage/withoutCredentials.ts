const HIDDEN = '•••';

/** The forms of credentials, wherever they appear. The first group is the text before one. */
const PATTERNS: readonly RegExp[] = [
  // User and password of an address.
  /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@]{1,2000}(?=@)/gi,
  // A header, or a scheme with its value.
  /(\b(?:bearer|basic|digest)\s+)[\w.~+/=-]{6,}/gi,
  // A name that says what its value is: in JSON, in a header, in an address, in an assignment.
  /((?:password|passwd|passphrase|secret|token|api[-_ ]?key|private[-_ ]?key|access[-_ ]?key|authorization|cookie|[?&](?:key|code))["']?\s*[:=]\s*["']?)[^\s"'&,;)}]+/gi,
  // A key file.
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];

/**
 * A text that is to be given away, without what looks like a credential, whatever its origin. It goes beyond the redaction of known values, and it may
 * hide too much.
 */
export function withoutCredentials(text: string): string {
  return PATTERNS.reduce((all, pattern) => all.replaceAll(pattern, `$1${HIDDEN}`), text);
}
