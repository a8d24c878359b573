/** Opens a page of another server in a new tab of the browser. That page learns neither this window's address nor gets a hold of it. */
export function openOutside(href: string): void {
  window.open(href, '_blank', 'noopener,noreferrer');
}
