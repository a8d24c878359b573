import { useEffect } from 'react';
import { focusWorkplace, hasLostFocus, hasWorkplace, OPENING } from './regions.ts';

const REMEMBERED = 12;
/** After the kit's own return of the focus (10 ms) and a frame in which the rest of a step is drawn. */
const SETTLE_MILLISECONDS = 60;
const OVERLAY = '[data-portal]';

const canHold = (element: HTMLElement): boolean =>
  element.isConnected &&
  element.closest('[inert]') === null &&
  !element.matches(':disabled') &&
  element.checkVisibility({ visibilityProperty: true });

/** Whether an element is in a tab that another one has taken the place of. */
function isOfHiddenTab(element: HTMLElement): boolean {
  const panel = element.isConnected ? element.closest('[inert]') : null;
  return panel?.closest('[data-region="content"]') instanceof HTMLElement && panel.parentElement?.closest('[inert]') === null;
}

const MODAL = '[role="dialog"][aria-modal="true"]';

/**
 * The uppermost dialog while the focus is behind it, as it stays where the button that was to have it is disabled at first, or where the second press
 * of a double click went to the dialog below just before this one was drawn. Menus and lists of choices are layers of their own, beside the dialog.
 */
export function uppermostModal(): HTMLElement | undefined {
  const uppermost = [...document.querySelectorAll<HTMLElement>(MODAL)].at(-1);
  const at = document.activeElement;
  if (at === null || at === document.body || at.closest(OVERLAY) === null) return uppermost;
  const own = at.closest(MODAL);
  return own === null || own === uppermost ? undefined : uppermost;
}

/**
 * Puts the keyboard back to where it was before, when what had it went off the screen: a dialog that closed, a button that its own press took
 * away; and into a dialog that opened without taking it. Where nothing is left that had it, such as after a question that came with another page, it goes
 * to the place where a person works, and so it does where a press opened another tab. The kit returns the focus only for dialogs that were there, closed, before they opened; nearly all of ours come when they are asked for.
 */
export function useLostFocus(): void {
  useEffect(() => {
    let held: HTMLElement[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const remember = ({ target }: FocusEvent): void => {
      if (!(target instanceof HTMLElement) || target === document.body) return;
      held = [target, ...held.filter((element) => element !== target && element.isConnected)].slice(0, REMEMBERED);
    };
    const check = (): void => {
      timer = undefined;
      const [last] = held;
      const modal = uppermostModal();
      if (modal !== undefined && !(last !== undefined && modal.contains(last) && canHold(last))) {
        const field = held.find((element) => canHold(element) && modal.contains(element));
        (field ?? modal.querySelector<HTMLElement>('[data-autofocus]:enabled') ?? modal).focus({ preventScroll: true });
        return;
      }
      // A click onto empty ground leaves the field, which is still there.
      if (!hasLostFocus() || last === undefined || canHold(last)) return;
      if (isOfHiddenTab(last)) {
        // A tab that opens has its rows later, and the keyboard then.
        if (document.querySelector(OPENING) === null || hasWorkplace()) focusWorkplace();
        return;
      }
      const dialog = [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].at(-1);
      const back = held.find(
        (element) => canHold(element) && (dialog === undefined ? element.closest(OVERLAY) === null : dialog.contains(element)),
      );
      if (back !== undefined) back.focus({ preventScroll: true });
      else if (dialog === undefined) focusWorkplace();
    };
    const checkSoon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(check, SETTLE_MILLISECONDS);
    };
    // A dialog that closes, after something was saved for example, leaves the layer over the window.
    const overlays = new MutationObserver((records) => {
      for (const { addedNodes } of records) addedNodes.forEach((node) => watch(node));
      checkSoon();
    });
    const watch = (node: Node): void => {
      if (node instanceof HTMLElement && node.matches(OVERLAY)) overlays.observe(node, { childList: true });
    };
    overlays.observe(document.body, { childList: true });
    // A page that takes the place of another, and its button with it.
    const pages = new MutationObserver(() => {
      const [last] = held;
      if (timer !== undefined || !hasLostFocus() || last === undefined) return;
      if (!last.isConnected || isOfHiddenTab(last)) checkSoon();
    });
    // A tab that is open already comes to the front without a new element.
    pages.observe(document.body, { childList: true, subtree: true, attributeFilter: ['inert'] });
    document.querySelectorAll(OVERLAY).forEach(watch);
    document.addEventListener('focusin', remember);
    document.addEventListener('click', checkSoon);
    document.addEventListener('keyup', checkSoon);
    return () => {
      clearTimeout(timer);
      overlays.disconnect();
      pages.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('click', checkSoon);
      document.removeEventListener('keyup', checkSoon);
    };
  }, []);
}
