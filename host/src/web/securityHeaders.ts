import { randomBytes } from 'node:crypto';

/** A nonce for the style elements of one page. */
export function newNonce(): string {
  return randomBytes(18).toString('base64');
}

/**
 * The window's page may load its own files and connect to its own host. It has no inline scripts. The component library
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

/** The placeholder in the window's page where its script looks for the nonce. */
const NONCE_PLACE = '__CSP_NONCE__';

/** The window's page with its nonce. */
export function withNonce(html: string, nonce: string): string {
  return html.replaceAll(NONCE_PLACE, nonce);
}

/** Sent with every answer of a transport. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};
