/** The layout of a documentation page: search and navigation, next to the content or behind a link in narrow windows. */
import { html } from 'ghtml'
import { faviconLink } from '../../gateway/platform/http/pages/favicon.ts'
import { LOGO_SVG } from '../../gateway/platform/http/pages/page.ts'
import type { OperationGroup } from '../operation-groups.ts'

export type PageContent = {
  readonly title: string
  /** One sentence, for search engines and the list of pages. */
  readonly description: string
  /** The markup of the main part. */
  readonly main: string
}

/** What surrounds the content; `query` is the text in the search field. */
type Layout = { readonly navigation: string; readonly query?: string }

/** The HTML page; narrow windows show the navigation while its anchor is the target (no script needed). */
export function frame({ title, description, navigation, main, query = '' }: PageContent & Layout): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<title>${title}</title>
!${faviconLink()}
<link rel="stylesheet" href="${STYLE_PATH}">
<script type="module" src="${SCRIPT_PATHS.page}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="/docs">!${LOGO_SVG} Havn <span class="quiet">docs</span></a>
<form class="search" role="search" action="/docs/search">
<label class="unseen" for="search">Search the documentation</label>
<input id="search" name="q" type="search" value="${query}" placeholder="Search" maxlength="100" autocomplete="off" spellcheck="false">
</form>
<a class="button" href="#contents">Contents</a>
</header>
<div class="frame">
<nav id="contents" aria-label="Documentation"><a class="button close" href="#closed">Close</a>!${navigation}</nav>
<main id="content" tabindex="-1">
!${main}
</main>
</div>
</body>
</html>
`
}

export const STYLE_PATH = '/docs/assets/docs.css'

export const SCRIPT_PATHS = {
  /** Copy buttons, language tabs and the search field. */
  page: '/docs/assets/page.mjs',
  /** The forms that send examples. */
  tryIt: '/docs/assets/try-it.mjs',
  /** Imported by that one. */
  days: '/docs/assets/day-from-today.mjs',
  search: '/docs/assets/minisearch.mjs',
} as const

export const SEARCH_INDEX_PATH = '/docs/assets/search-index.json'
export const SEARCH_OPTIONS_PATH = '/docs/assets/search-options.mjs'
/** The business time of the sandbox, from which examples count their days: its clock may have been moved. */
export const SANDBOX_TIME_PATH = '/docs/sandbox-time'
export const POSTMAN_PATH = '/docs/havn.postman_collection.json'

type NavigationLink = { readonly path: string; readonly title: string }

/** A heading with its links. */
export type NavigationPart = { readonly title: string; readonly links: readonly NavigationLink[] }

/** The list of links; the group of the current page shows its operations. */
export function navigation(
  parts: readonly NavigationPart[],
  groups: readonly OperationGroup[],
  current: string,
): string {
  const guides = parts
    .map(({ title, links }) =>
      linkList(
        title,
        links.map((each) => `<li>${link(each, current)}</li>`),
      ),
    )
    .join('')
  return `${guides}${linkList(
    'API reference',
    groups.map((group) => groupItem(group, current)),
  )}`
}

function linkList(title: string, items: readonly string[]): string {
  return html`<p>${title}</p><ul>!${items.join('')}</ul>`
}

function link({ path, title }: NavigationLink, current: string): string {
  return html`<a href="${path}"!${path === current ? ' aria-current="page"' : ''}>${title}</a>`
}

function groupItem({ tag, path, operations }: OperationGroup, current: string): string {
  const inside =
    path === current
      ? `<ul class="operations">${operations.map(({ id, method, summary }) => html`<li><a href="#${id}"><span class="verb ${method.toLowerCase()}">${method}</span> ${summary}</a></li>`).join('')}</ul>`
      : ''
  return `<li>${link({ path, title: tag }, current)}${inside}</li>`
}
