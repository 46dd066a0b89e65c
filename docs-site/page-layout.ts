/** The layout of a documentation page: the table of contents at the side, or behind a link in narrow windows. */
import { html } from 'ghtml'
import { LOGO_SVG } from '../gateway/platform/http/pages/page.ts'

/** The path of the style sheet. */
export const DOCS_STYLE_PATH = '/assets/reference.css'

/** The title, description and markup of a page. */
export type LayoutContent = {
  readonly title: string
  readonly description: string
  readonly contents: string
  readonly main: string
}

/** The HTML page; narrow windows show the contents while their anchor is the target (no script needed). */
export function frame({ title, description, contents, main }: LayoutContent): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="stylesheet" href="${DOCS_STYLE_PATH}">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<p class="brand">!${LOGO_SVG} Havn</p>
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
