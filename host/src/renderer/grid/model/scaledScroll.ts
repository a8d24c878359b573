/**
 * Chromium clamps the size of an element at 33,554,432 device pixels. Content that is higher gets a scroll bar of at most this many, and every
 * position of the bar stands for a position in the whole content.
 */
const MAX_SCROLL_PIXELS = 30_000_000;

/** How positions of the scroll bar and of the content belong together. */
export interface ScrollScale {
  /** The height of all rows. */
  readonly contentPixels: number;
  /** The height that the scrolled element really has. */
  readonly scrollPixels: number;
  readonly viewportPixels: number;
}

export function scrollScale(contentPixels: number, viewportPixels: number, devicePixelRatio: number): ScrollScale {
  const limit = Math.floor(MAX_SCROLL_PIXELS / Math.max(1, devicePixelRatio));
  return { contentPixels, scrollPixels: Math.min(contentPixels, limit), viewportPixels };
}

export function isScaled(scale: ScrollScale): boolean {
  return scale.scrollPixels < scale.contentPixels;
}

/** The greatest offset into the content. */
export function maxOffset(scale: ScrollScale): number {
  return Math.max(0, scale.contentPixels - scale.viewportPixels);
}

function maxScrollTop(scale: ScrollScale): number {
  return Math.max(0, scale.scrollPixels - scale.viewportPixels);
}

export function clampOffset(scale: ScrollScale, offset: number): number {
  return Math.min(Math.max(0, offset), maxOffset(scale));
}

/** The offset into the content that a position of the scroll bar stands for. */
export function offsetAt(scale: ScrollScale, scrollTop: number): number {
  const most = maxScrollTop(scale);
  if (most === 0) return 0;
  // The bar's end must be the content's end exactly: the last row is reached whatever rounding does before.
  if (scrollTop >= most - 0.5) return maxOffset(scale);
  return clampOffset(scale, isScaled(scale) ? (scrollTop * maxOffset(scale)) / most : scrollTop);
}

/** The position of the scroll bar for an offset into the content. */
export function scrollTopFor(scale: ScrollScale, offset: number): number {
  const most = maxOffset(scale);
  if (most === 0) return 0;
  const clamped = clampOffset(scale, offset);
  return isScaled(scale) ? (clamped * maxScrollTop(scale)) / most : clamped;
}
