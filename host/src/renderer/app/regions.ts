const FOCUSABLE = 'button:not(:disabled), input:not(:disabled), [href], select, textarea, [tabindex]:not([tabindex="-1"])';

/** The parts of the window, marked `data-region`, that are on the screen and hold something to go to. */
function regions(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(
    (region) =>
      region.closest('[inert]') === null && region.checkVisibility({ visibilityProperty: true }) && firstOf(region) !== undefined,
  );
}

/** The place where a person works comes before the buttons above it. */
const WORKPLACE = '[role="grid"], [contenteditable="true"]';

function firstOf(region: HTMLElement): HTMLElement | undefined {
  return [...region.querySelectorAll<HTMLElement>(WORKPLACE), ...region.querySelectorAll<HTMLElement>(FOCUSABLE)].find(
    (element) =>
      element.tabIndex >= 0 && element.closest('[inert]') === null && element.checkVisibility({ visibilityProperty: true }),
  );
}

/** Puts the focus into the next part of the window, or the one before. */
export function focusRegion(step: 1 | -1): void {
  const all = regions();
  const here = all.findIndex((region) => region.contains(document.activeElement));
  const next = all[(here === -1 && step === -1 ? all.length - 1 : here + step + all.length) % all.length];
  if (next !== undefined) firstOf(next)?.focus();
}

/** Gives the focus back to the element that had it, or to the place where a person works when that is gone. */
export function giveFocusBack(to: Element | null): void {
  const isThere = to instanceof HTMLElement && to !== document.body && to.isConnected && to.closest('[inert]') === null;
  if (isThere && to.checkVisibility({ visibilityProperty: true })) to.focus({ preventScroll: true });
  else focusWorkplace();
}

/** The parts of the window in which a person works, the nearest first. */
const WORK_REGIONS = ['content', 'list', 'sidebar'];

/** A part that is about to give its place to another has the focus itself: a key that is still held would press its button. */
const RESTING = '[data-rest]';

/** Whether a part in which a person works is on the screen with its rows or its text. */
export function hasWorkplace(): boolean {
  const [content] = regions().filter(({ dataset }) => dataset['region'] === 'content');
  return content !== undefined && firstOf(content)?.matches(WORKPLACE) === true;
}

/** A tab whose rows or text are not here yet. */
export const OPENING = '[data-region="content"] [aria-busy="true"]:not([inert] *)';

/** Whether nothing on the screen has the keyboard. The browser takes the focus from a tab that was hidden only when it draws again. */
export function hasLostFocus(): boolean {
  const at = document.activeElement;
  return at === null || at === document.body || at.closest('[inert]') !== null;
}

/** How long a tab that opens is waited for. */
const OPENING_MILLISECONDS = 10_000;

/** Puts the focus where a person works as soon as the tab in front has its rows, unless the person goes elsewhere before. */
export function focusWorkplaceSoon(): void {
  const from = document.activeElement;
  const end = performance.now() + OPENING_MILLISECONDS;
  const look = (): void => {
    if (document.activeElement !== from && !hasLostFocus()) return;
    if (document.querySelector(OPENING) === null && hasWorkplace()) focusWorkplace();
    else if (performance.now() < end) requestAnimationFrame(look);
  };
  look();
}

/** Puts the focus where a person works. Without such a place on the screen it stays. */
export function focusWorkplace(): void {
  const resting = [...document.querySelectorAll<HTMLElement>(RESTING)].find((element) => element.closest('[inert]') === null);
  if (resting !== undefined) {
    resting.focus({ preventScroll: true });
    return;
  }
  const all = regions();
  const [place] = WORK_REGIONS.flatMap((name) => all.filter(({ dataset }) => dataset['region'] === name));
  if (place !== undefined) firstOf(place)?.focus({ preventScroll: true });
}
