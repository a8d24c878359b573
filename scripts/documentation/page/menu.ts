/** The widths at which the style sheet puts navigation and contents above the page. */
const HAS_CONTENTS_BESIDE = '(min-width: 75em)';

/** The button that shows the navigation where there is no room for it beside the page. */
export function addMenu(): void {
  const button = document.querySelector<HTMLButtonElement>('.menu');
  const navigation = document.querySelector<HTMLElement>('#navigation');
  if (button === null || navigation === null) return;
  const show = (isShown: boolean): void => {
    button.setAttribute('aria-expanded', String(isShown));
    navigation.classList.toggle('shown', isShown);
  };
  button.addEventListener('click', () => show(button.getAttribute('aria-expanded') !== 'true'));
  const close = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || button.getAttribute('aria-expanded') !== 'true') return;
    show(false);
    button.focus();
  };
  button.addEventListener('keydown', close);
  navigation.addEventListener('keydown', close);
  const current = navigation.querySelector<HTMLElement>('[aria-current]');
  // In a long list, the page is in the middle of what is seen.
  if (current !== null) navigation.scrollTop = current.offsetTop - navigation.clientHeight / 2;
}

/** The contents of the page are open where they have a column of their own. Above the page they would take the whole screen. */
export function foldContents(): void {
  const contents = document.querySelector<HTMLDetailsElement>('.toc details');
  if (contents === null) return;
  const wide = matchMedia(HAS_CONTENTS_BESIDE);
  const follow = (): void => {
    contents.open = wide.matches;
  };
  wide.addEventListener('change', follow);
  follow();
}
