/** Renders the layout of every page of the console: navigation at the side, or behind a link in narrow windows. */
import { html } from 'ghtml'
import { faviconLink } from '../../gateway/platform/http/pages/favicon.ts'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import { LOGO_SVG } from '../../gateway/platform/http/pages/page.ts'
import { isPermitted } from '../access/console-role.ts'
import type { Viewer } from '../access/viewer.ts'
import { formatTimeWithZone } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'
import { CONSOLE_STYLE_PATH } from './console-style.ts'
import { NAVIGATION, NAVIGATION_GROUPS } from './navigation.ts'

type Layout = {
  readonly title: string
  readonly body: string
  readonly scripts?: readonly string[]
  /** What the search field shows. */
  readonly searched?: string
}

/** The HTML document. Narrow windows show the navigation while its anchor is the target: no script is needed. */
export function renderLayout({ title, body, scripts = [], searched = '' }: Layout, viewer: Viewer | undefined): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="htmx-config" content="includeIndicatorCSS:false history:false">
<title>${title} – ${consoleText('layout.brand')}</title>
!${faviconLink()}
<link rel="stylesheet" href="${CONSOLE_STYLE_PATH}">
!${scripts.map((path) => html`<script type="module" src="${path}"></script>`).join('\n')}
</head>
<body>
<a class="skip" href="#content">${consoleText('layout.skip')}</a>
<header class="top">
<p class="brand">!${LOGO_SVG} ${consoleText('layout.brand')}</p>
!${viewer === undefined ? '' : accountMenu(viewer)}
</header>
<div class="!${viewer === undefined ? 'single' : 'frame'}">
!${viewer === undefined ? '' : `${navigationOf(viewer)}\n${searchForm(searched)}`}
<main id="content">
<h1>${title}</h1>
!${body}
</main>
</div>
</body>
</html>
`
}

/** Opened by a click, so that users do not sign out by mistake; narrow windows have the link to the navigation, too. */
function accountMenu({ session, token, partnerName }: Viewer): string {
  return html`<details class="account"><summary>${session.name}</summary>
<div><p><span>${partnerName ?? consoleText('layout.operators')}</span><span>${session.roles.map((role) => consoleText(`roles.${role}`)).join(', ')}</span></p>
<form method="post" action="/console/sign-out">!${tokenField(token)}<button class="second">${consoleText('layout.signOut')}</button></form></div></details>
<a class="button second" href="#navigation">${consoleText('layout.menu')}</a>`
}

function navigationOf({ session, path, isSandbox, businessTime }: Viewer): string {
  const items = NAVIGATION.filter(
    ({ permission, isSandboxOnly }) => isPermitted(session.roles, permission) && (isSandbox || isSandboxOnly !== true),
  )
  const groups = NAVIGATION_GROUPS.map((group) =>
    groupOf(
      group,
      items.filter((item) => item.group === group),
      path,
    ),
  )
  return html`<nav id="navigation" aria-label="${consoleText('layout.navigation')}">
<a class="button second close" href="#closed">${consoleText('layout.closeMenu')}</a>
!${isSandbox ? html`<p class="badge">${consoleText('layout.sandbox')}</p>` : ''}
!${businessTime === undefined ? '' : html`<p class="badge">${consoleText('layout.businessTime', { time: formatTimeWithZone(businessTime) })} ${consoleText('layout.wallTime')}</p>`}
!${groups.join('\n')}
</nav>`
}

function groupOf(group: (typeof NAVIGATION_GROUPS)[number], items: typeof NAVIGATION, path: string): string {
  if (items.length === 0) {
    return ''
  }
  const links = items.map(
    (item) =>
      html`<li><a href="${item.path}" !${isCurrent(item.path, path) ? 'aria-current="page"' : ''}>${consoleText(item.label)}</a></li>`,
  )
  if (group === 'start' || group === 'account') {
    return html`<ul>!${links.join('')}</ul>`
  }
  return html`<p class="group" id="group-${group}">${consoleText(`navigation.groups.${group}`)}</p>
<ul aria-labelledby="group-${group}">!${links.join('')}</ul>`
}

/** A page below that of a link belongs to it; everything is below the overview. */
function isCurrent(linked: string, path: string): boolean {
  return path === linked || (linked !== '/console' && path.startsWith(`${linked}/`))
}

export const SEARCH_PATH = '/console/search'
export const SEARCH_PARAMETER = 'q'

/** `searched` is what was searched for on this page. */
function searchForm(searched: string): string {
  return html`<form class="search" method="get" action="${SEARCH_PATH}" role="search" aria-label="${consoleText('search.button')}">
<label class="unseen" for="search-everything">${consoleText('search.label')}</label>
<input type="search" id="search-everything" name="${SEARCH_PARAMETER}" value="${searched}" placeholder="${consoleText('search.placeholder')}" autocomplete="off" required maxlength="255">
<button class="second">${consoleText('search.button')}</button>
</form>`
}
