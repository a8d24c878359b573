import { randomBytes } from 'node:crypto';

/** A nonce for the style elements of one page. */
export function newNonce(): string {
  return randomBytes(18).toString('base64');
}

/**
 * What the window's page may load: its own files, and what talks to its own host. Scripts never stand in the page. The component library
 * writes style elements, so those that carry the page's nonce are let in, and no others; `styleNonce` is absent for pages without any.
 */
export function contentSecurityPolicy(styleNonce?: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    styleNonce === undefined ? "style-src 'self'" : `style-src 'self' 'nonce-${styleNonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/**
 * The window's page with its nonce, in the element that Vite and others look for. A script reads it by the `nonce` property; the attribute
 * is hidden from style sheets.
 */
export function withNonce(html: string, nonce: string): string {
  return html.replace(/<head>/i, (head) => `${head}<meta property="csp-nonce" nonce="${nonce}">`);
}

/** Sent with every answer of a carrier. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};
