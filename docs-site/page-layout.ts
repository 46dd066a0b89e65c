/** Frames a page of the reference: its contents at the side, or on a narrow window behind a link. */
import { html } from 'ghtml'
import { ANCHOR } from '../gateway/platform/http/pages/page.ts'

/** Where the style sheet is. */
export const REFERENCE_STYLE_PATH = '/assets/reference.css'

/** A page: title and description for those who search, markup for those who read. */
export type Framed = {
  readonly title: string
  readonly description: string
  readonly contents: string
  readonly main: string
}

/** The contents are shown on a narrow window while their address is asked for, until any other is. */
export function frame({ title, description, contents, main }: Framed): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="stylesheet" href="${REFERENCE_STYLE_PATH}">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<p class="brand">!${ANCHOR} Havn</p>
<a class="button" href="#contents">Contents</a>
</header>
<div class="frame">
<nav id="contents" aria-label="Contents"><a class="button close" href="#closed">Close</a>!${contents}</nav>
<main id="content">
!${main}
</main>
</div>
</body>
</html>
`
}
