/** Lines that a process may send in one second, all its sessions together. One costs the host about 0.1 ms. */
const MOST_LINES = 200;
const SECOND = 1_000;

// Taken now: the driver's code may replace them.
const now = performance.now.bind(performance);
const later = setTimeout;

/** Says how many lines a process may still send in this second, and how many it did not. */
export class LogRate {
  #secondEnds = 0;
  #lines = 0;
  #dropped = 0;
  #isWaiting = false;

  /**
   * Takes the place of one line.
   *
   * @param onRoom - called once, at the end of a second that had no room, with the number of lines that it dropped
   * @returns false when this second has no room for it
   */
  take(onRoom: (dropped: number) => void): boolean {
    const time = now();
    if (time >= this.#secondEnds) {
      this.#secondEnds = time + SECOND;
      this.#lines = 0;
    }
    if (this.#lines < MOST_LINES) {
      this.#lines += 1;
      return true;
    }
    this.drop(onRoom);
    return false;
  }

  /** Counts a line that cannot be sent; the count is reported later. @param onRoom - as above */
  drop(onRoom: (dropped: number) => void): void {
    this.#dropped += 1;
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const notify = (): void => {
      this.#isWaiting = false;
      const dropped = this.#dropped;
      this.#dropped = 0;
      onRoom(dropped);
    };
    // The second is over where lines were dropped for another reason than the rate.
    const left = this.#secondEnds - now();
    later(notify, left > 0 ? left : SECOND).unref();
  }
}
