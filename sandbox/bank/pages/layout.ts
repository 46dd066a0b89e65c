/** The layout of every page: head, bank name, content, footer; no scripts and no external resources. */
import { html } from 'ghtml'

export type PageParts = {
  readonly title: string
  /** The bank of the page; the front page has none. */
  readonly bankName: string
  readonly content: string
  readonly isWide?: boolean
}

/** Renders a complete page; `content` is escaped HTML. */
export function page({ title, bankName, content, isWide }: PageParts): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – ${bankName}</title>
<link rel="stylesheet" href="/style.css">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="${isWide === true ? 'wide' : ''}"><div>
<svg viewBox="0 0 32 32" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linejoin="round"><path d="M2 20 10 7l5 8 4-6 11 11"/><path d="M2 25c3 0 3 2 6 2s3-2 6-2 3 2 6 2 3-2 6-2 2 1 4 1"/></svg>
<a class="name" href="/">${bankName}</a><span class="mark">Sandbox<span class="more"> – no real money</span></span>
</div></header>
<main id="content" class="${isWide === true ? 'wide' : ''}">
!${content}
</main>
</body>
</html>`
}

/** A page with a single message. */
export function messagePage(bankName: string, title: string, text: string): string {
  return page({ title, bankName, content: html`<h1>${title}</h1><p>${text}</p>` })
}
