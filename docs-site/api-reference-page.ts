/** Lays out the reference of the interface: a map of everything at the side, the guides, and every operation by its group. */
import { html } from 'ghtml'
import { operationTags } from '../contract/openapi/openapi-document.ts'
import type { Operation } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import type { Guide, Place } from './guides/guide.ts'
import { guidesOf } from './guides/guides.ts'
import { operationPart } from './operation-section.ts'
import { frame } from './page-layout.ts'

type Group = { readonly tag: string; readonly description: string; readonly operations: readonly Operation[] }

/** The page as this gateway shows it: production knows nothing of the sandbox's operations. */
export function referencePage(place: Place): string {
  const guides = guidesOf(place)
  const groups = groupsOf(place)
  return frame({
    title: 'Havn: the interface',
    description: 'The interface of Havn: payments and account information at the banks of companies in the Nordics.',
    contents: mapOf(guides, groups),
    main: [opening(place), ...guides.map(guidePart), ...groups.map(groupPart)].join('\n'),
  })
}

function opening({ mode, baseUrl }: Place): string {
  return html`<div class="opening">
<h1>The interface of Havn</h1>
<p class="lead">Payments and account information at the banks of companies in the Nordics, behind one HTTP interface.</p>
<dl>
<div><dt>Address</dt><dd><code>${baseUrl}</code></dd></div>
<div><dt>Environment</dt><dd>${mode === 'sandbox' ? 'Sandbox: no real bank, no real money' : 'Production'}</dd></div>
<div><dt>For programs</dt><dd><a href="/openapi.json">OpenAPI document</a></dd></div>
</dl>
</div>`
}

function groupsOf({ mode }: Place): readonly Group[] {
  const all: readonly Operation[] = Object.values(operations)
  const present = all.filter(({ sandboxOnly }) => mode === 'sandbox' || !sandboxOnly)
  return operationTags
    .map(([tag, description]) => ({ tag, description, operations: present.filter((entry) => entry.tag === tag) }))
    .filter((group) => group.operations.length > 0)
}

function mapOf(guides: readonly Guide[], groups: readonly Group[]): string {
  const guideLinks = guides.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)
  const parts = groups.map(
    ({ tag, operations: entries }) => html`<p><a href="#${idOf(tag)}">${tag}</a></p>
<ul>!${entries.map(({ id, method, summary }) => html`<li><a href="#${id}"><span class="verb ${method.toLowerCase()}">${method}</span> ${summary}</a></li>`).join('')}</ul>`,
  )
  return html`<p>Guides</p><ul>!${guideLinks.join('')}</ul>!${parts.join('')}`
}

function guidePart({ id, title, body }: Guide): string {
  return html`<section class="guide" id="${id}"><h2><a href="#${id}">${title}</a></h2>!${body}</section>`
}

function groupPart({ tag, description, operations: entries }: Group): string {
  return html`<section class="group" id="${idOf(tag)}">
<h2><a href="#${idOf(tag)}">${tag}</a></h2>
<p>${description}</p>
!${entries.map(operationPart).join('\n')}
</section>`
}

/** Apart from the guides, one of which is called like a group. */
function idOf(tag: string): string {
  return `group-${tag.toLowerCase()}`
}
