/** Renders the start page of the documentation. */
import { html } from 'ghtml'
import type { DocsSettings } from './docs-settings.ts'
import { GUIDE_GROUPS } from './guides/guide-list.ts'
import type { Guide } from './guides/read-guides.ts'
import { type PageContent, POSTMAN_PATH } from './layout/page-layout.ts'
import type { OperationGroup } from './operation-groups.ts'

export function homePage(
  place: DocsSettings,
  guides: readonly Guide[],
  groups: readonly OperationGroup[],
): PageContent {
  const { mode, baseUrl } = place
  const chapters = GUIDE_GROUPS.map(({ title, guides: entries }) => {
    const cards = guides.filter(({ slug }) => entries.some((entry) => entry.slug === slug)).map(card)
    return html`<h2>${title}</h2><ul class="cards">!${cards.join('')}</ul>`
  })
  const reference = groups.map(({ tag, path, description }) => card({ title: tag, path, description }))
  return {
    title: 'Havn documentation',
    description: 'Payments and account information at the banks of companies in the Nordics, behind one HTTP API.',
    main: html`<h1>Havn documentation</h1>
<p class="lead">Payments and account information at the banks of companies in the Nordics, behind one HTTP API.</p>
<dl>
<div><dt>Base URL</dt><dd><code>${baseUrl}</code></dd></div>
<div><dt>Environment</dt><dd>${mode === 'sandbox' ? 'Sandbox: no real bank, no real money' : 'Production'}</dd></div>
<div><dt>For programs</dt><dd><a href="/openapi.json">OpenAPI document</a> · <a href="${POSTMAN_PATH}" download>Postman collection</a> · <a href="/llms.txt">llms.txt</a></dd></div>
</dl>
!${chapters.join('')}
<h2><a href="/docs/reference">API reference</a></h2>
<ul class="cards">!${reference.join('')}</ul>`,
  }
}

function card({ title, path, description }: { title: string; path: string; description: string }): string {
  return html`<li><a href="${path}">${title}</a><p>${description}</p></li>`
}
