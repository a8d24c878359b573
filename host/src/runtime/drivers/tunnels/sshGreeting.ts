/** Bytes of a line, and lines before the one with the version; OpenSSH's client takes as many. */
const LONGEST_LINE = 8_192;
const MOST_LINES = 1_024;
/** RFC 4253; 1.99 is a server that speaks both versions. */
const VERSION = /^SSH-(?:2\.0|1\.99)-/;
/** Lines may come before the version. No SSH server begins one as a web or mail server does its answer. */
const OTHER = /^(?:HTTP\/\d|SSH-|220[ -]|<[!?a-z])/i;
const LINE_FEED = 10;

/** Watches the first lines of a server, so that one of another kind is found before the time to sign in is over. */
export class SshGreeting {
  #line = '';
  #lines = 0;
  #isOver = false;

  /** Whether it has named its version. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** @returns whether what has come is of no SSH server */
  isOther(chunk: Uint8Array): boolean {
    for (const byte of chunk) {
      if (this.#isOver) return false;
      if (byte !== LINE_FEED) {
        this.#line += String.fromCodePoint(byte);
        if (this.#line.length > LONGEST_LINE) return true;
        continue;
      }
      if (VERSION.test(this.#line)) {
        this.#isOver = true;
        return false;
      }
      this.#lines += 1;
      if (OTHER.test(this.#line) || this.#lines > MOST_LINES) return true;
      this.#line = '';
    }
    return false;
  }
}
