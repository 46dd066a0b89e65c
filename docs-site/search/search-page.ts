/** Renders search results for browsers without scripts, and for queries that are sent with Enter. */
import { html } from 'ghtml'
import type { PageContent } from '../layout/page-content.ts'
import type { SearchResult } from './search-index.ts'

export function searchPage(query: string, results: readonly SearchResult[]): PageContent {
  const items = results.map(
    ({ id, title, place, excerpt }) =>
      html`<li><a href="${id}">${title}</a> <span class="quiet">${place}</span><p>${excerpt}</p></li>`,
  )
  const found =
    query === ''
      ? '<p>Enter a word, an operation, a field or an error code in the search field.</p>'
      : items.length === 0
        ? html`<p>Nothing was found for “${query}”. Try fewer or shorter words, or the <a href="/docs/reference">list of all operations</a>.</p>`
        : `<ol class="results">${items.join('')}</ol>`
  return {
    title: query === '' ? 'Search' : `Search: ${query}`,
    description: 'Search of the Havn documentation.',
    main: html`<h1>Search</h1>!${found}`,
  }
}
