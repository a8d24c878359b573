const DIALOG = '[role="dialog"][aria-modal="true"], dialog[open]';

/** Calls back once no dialog is open: the one from which something was started may still be closing. The result cancels it. */
export function whenNoDialog(then: () => void): () => void {
  if (document.querySelector(DIALOG) === null) {
    then();
    return () => undefined;
  }
  const observer = new MutationObserver(() => {
    if (document.querySelector(DIALOG) !== null) return;
    observer.disconnect();
    then();
  });
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['open'] });
  return () => observer.disconnect();
}
