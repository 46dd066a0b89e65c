/** Renders the API reference: table of contents, guides, and all operations by group. */
import { html } from 'ghtml'
import { operationTags } from '../contract/openapi/openapi-document.ts'
import type { Operation } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import type { DocsSettings, Guide } from './guides/guide.ts'
import { guidesOf } from './guides/guides.ts'
import { operationSection } from './operation-section.ts'
import { frame } from './page-layout.ts'

type Group = { readonly tag: string; readonly description: string; readonly operations: readonly Operation[] }

/** The page for this gateway's settings; in production without the sandbox operations. */
export function apiReferencePage(place: DocsSettings): string {
  const guides = guidesOf(place)
  const groups = groupsOf(place)
  return frame({
    title: 'Havn API reference',
    description: 'Havn API reference: payments and account information at the banks of companies in the Nordics.',
    contents: tableOfContents(guides, groups),
    main: [opening(place), ...guides.map(guideSection), ...groups.map(tagSection)].join('\n'),
  })
}

function opening({ mode, baseUrl }: DocsSettings): string {
  return html`<div class="opening">
<h1>Havn API reference</h1>
<p class="lead">Payments and account information at the banks of companies in the Nordics, behind one HTTP API.</p>
<dl>
<div><dt>Base URL</dt><dd><code>${baseUrl}</code></dd></div>
<div><dt>Environment</dt><dd>${mode === 'sandbox' ? 'Sandbox: no real bank, no real money' : 'Production'}</dd></div>
<div><dt>For programs</dt><dd><a href="/openapi.json">OpenAPI document</a></dd></div>
</dl>
</div>`
}

function groupsOf({ mode }: DocsSettings): readonly Group[] {
  const all: readonly Operation[] = Object.values(operations)
  const present = all.filter(({ sandboxOnly }) => mode === 'sandbox' || !sandboxOnly)
  return operationTags
    .map(([tag, description]) => ({ tag, description, operations: present.filter((entry) => entry.tag === tag) }))
    .filter((group) => group.operations.length > 0)
}

function tableOfContents(guides: readonly Guide[], groups: readonly Group[]): string {
  const guideLinks = guides.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)
  const parts = groups.map(
    ({ tag, operations: entries }) => html`<p><a href="#${idOf(tag)}">${tag}</a></p>
<ul>!${entries.map(({ id, method, summary }) => html`<li><a href="#${id}"><span class="verb ${method.toLowerCase()}">${method}</span> ${summary}</a></li>`).join('')}</ul>`,
  )
  return html`<p>Guides</p><ul>!${guideLinks.join('')}</ul>!${parts.join('')}`
}

function guideSection({ id, title, body }: Guide): string {
  return html`<section class="guide" id="${id}"><h2><a href="#${id}">${title}</a></h2>!${body}</section>`
}

function tagSection({ tag, description, operations: entries }: Group): string {
  return html`<section class="group" id="${idOf(tag)}">
<h2><a href="#${idOf(tag)}">${tag}</a></h2>
<p>${description}</p>
!${entries.map(operationSection).join('\n')}
</section>`
}

/** Prefixed, because a guide has the same name as a group. */
function idOf(tag: string): string {
  return `group-${tag.toLowerCase()}`
}
