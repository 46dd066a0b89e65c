/** Searches the documentation with MiniSearch: one index for the server's result page and for browsers. */
import MiniSearch from 'minisearch'
import type { SearchDocument } from './search-documents.ts'
import { SEARCH_OPTIONS, search } from './search-options.mjs'

const DOCUMENTS_AT_ONCE = 20

/** A result as it is shown. */
export type SearchResult = Pick<SearchDocument, 'id' | 'title' | 'place' | 'excerpt'>

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
    search: (query) => search(index, query).map(({ id, title, place, excerpt }) => ({ id, title, place, excerpt })),
    json: JSON.stringify(index),
  }
}
