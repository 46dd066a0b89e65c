/** Renders the pages of the API reference: the list of all operations, and one page for each group. */
import { html } from 'ghtml'
import type { DocsSettings } from '../docs-settings.ts'
import type { Guide } from '../guides/read-guides.ts'
import type { PageContent } from '../layout/page-layout.ts'
import { type OperationGroup, operationGroups, operationPath } from '../operation-groups.ts'
import { operationSection } from './operation-section.ts'

/** The page of a group, with links to the guides about it. */
export function groupPage(
  { tag, description, operations }: OperationGroup,
  place: DocsSettings,
  guides: readonly Guide[],
): PageContent {
  const links = guides
    .filter(({ tags }) => tags.some((one) => one === tag))
    .map(({ path, title }) => html`<a href="${path}">${title}</a>`)
  return {
    title: tag,
    description,
    main: html`<h1>${tag}</h1>
<p class="lead">${description}</p>
!${links.length === 0 ? '' : `<p>Guides: ${links.join(' · ')}</p>`}
<p>The commands use the variables of <a href="/docs/guides/authentication#prepare-your-shell">Prepare your shell</a>, and ids that
other commands set, such as <code>$CONSENT</code>. Destructive commands use values of your own, which you set first.</p>
!${operations.map((operation) => operationSection(operation, place)).join('\n')}`,
  }
}

/** The list of all operations. */
export function referenceIndex(place: DocsSettings): PageContent {
  return {
    title: 'API reference',
    description: 'Every operation of the Havn API.',
    main: html`<h1>API reference</h1>
<p class="lead">Every operation, by group. For programs: the <a href="/openapi.json">OpenAPI document</a>.</p>
<dl><div><dt>Base URL</dt><dd><code>${place.baseUrl}</code></dd></div>
<div><dt>Token URL</dt><dd><code>${place.authUrl}/v2/connect/token</code></dd></div></dl>
!${operationGroups(place).map(groupList).join('\n')}`,
  }
}

function groupList({ tag, path, description, operations }: OperationGroup): string {
  const rows = operations.map(
    (operation) =>
      html`<li id="${operation.id}"><a href="${operationPath(operation)}"><span class="verb ${operation.method.toLowerCase()}">${operation.method}</span> ${operation.summary}</a> <code>!${html`${operation.path}`.replaceAll('/', '/<wbr>')}</code></li>`,
  )
  return html`<section class="group"><h2><a href="${path}">${tag}</a></h2><p>${description}</p><ul class="operation-list">!${rows.join('')}</ul></section>`
}
