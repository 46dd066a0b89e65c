/** Searches the documentation with MiniSearch: one index for the server's result page and for browsers. */
import MiniSearch from 'minisearch'
import type { SearchDocument } from './search-documents.ts'
import { RESULTS_MAX, SEARCH_OPTIONS } from './search-options.mjs'

const DOCUMENTS_AT_ONCE = 20

/** A result as it is shown. */
export type SearchResult = { readonly id: string; readonly title: string; readonly place: string }

/** An index. */
export type SearchIndex = {
  search(query: string): readonly SearchResult[]
  /** For browsers. */
  readonly json: string
}

/** In small parts, because the gateway serves payments meanwhile. */
export async function buildSearchIndex(documents: readonly SearchDocument[]): Promise<SearchIndex> {
  const index = new MiniSearch<SearchDocument>(SEARCH_OPTIONS)
  await index.addAllAsync(documents, { chunkSize: DOCUMENTS_AT_ONCE })
  return {
    search: (query) =>
      index
        .search(query)
        .slice(0, RESULTS_MAX)
        .map((result) => ({ id: String(result.id), title: String(result['title']), place: String(result['place']) })),
    json: JSON.stringify(index),
  }
}
