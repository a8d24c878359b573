/** The window's own colours and type, for both colour schemes. */
const STYLE = `
:root { color-scheme: light dark; --ground: #fff; --text: #1b1f24; --dim: #59636e; --line: #d1d9e0; --code: #f1f3f5; --link: #0a58ca; }
@media (prefers-color-scheme: dark) { :root { --ground: #16191d; --text: #e6e9ed; --dim: #9aa4af; --line: #343a41; --code: #22272d; --link: #7cb3ff; } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 30rem; margin: 1.5rem; padding: 1.5rem 2rem; border: 1px solid var(--line); border-radius: 8px; }
h1 { margin: 0 0 0.75rem; font-size: 20px; line-height: 1.3; font-weight: 600; }
p { margin: 0.5rem 0 0; color: var(--dim); }
a { color: var(--link); }
code { padding: 0.1em 0.35em; border-radius: 4px; background: var(--code); color: var(--text); font-size: 13px; }
.number { display: grid; gap: 0.25rem; margin-top: 1.25rem; padding: 0.75rem 1rem; border-radius: 6px; background: var(--code); }
.number span { font-size: 13px; }
.number strong { color: var(--text); font-size: 28px; line-height: 1.2; letter-spacing: 0.06em; font-variant-numeric: tabular-nums; }
`;

export interface PlainPage {
  readonly language: string;
  readonly title: string;
  /** HTML, without values from outside. */
  readonly body: string;
  /** Of the one style element. */
  readonly nonce: string;
  /** HTML of further elements of the head. */
  readonly head?: string;
}

/** A page that the host itself shows beside the window. */
export function plainPage({ language, title, body, nonce, head = '' }: PlainPage): string {
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<title>${title}</title><style nonce="${nonce}">${STYLE}</style>${head}</head><body><main><h1>${title}</h1>${body}</main></body></html>`
  );
}
