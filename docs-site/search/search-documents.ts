/** The search of the documentation: what can be found, its index, and the page without scripts. */

import { html } from 'ghtml'
import MiniSearch from 'minisearch'
import { ERROR_CATALOGUE } from '../../contract/errors/error-catalogue.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Guide } from '../guides/read-guides.ts'
import type { PageContent } from '../layout/page-layout.ts'
import { operationPath } from '../operation-groups.ts'
import { describeSchema, type SchemaDescription } from '../reference/field-list.ts'
import { SEARCH_OPTIONS, search } from './search-options.mjs'

/** A search result; its id is its URL. */
export type SearchDocument = {
  readonly id: string
  readonly title: string
  /** What it belongs to: the guide, the method and path, or the status. */
  readonly place: string
  readonly text: string
  /** Names that a developer copies from code: ids, fields and codes. */
  readonly names: string
  /** Descriptions of fields, and examples. */
  readonly details: string
  /** Its beginning, shown below the title. */
  readonly excerpt: string
}

const FIELD_DEPTH_MAX = 4
const EXCERPT_CHARACTERS = 140

export function guideDocuments({
  path,
  title,
  rendered,
}: Pick<Guide, 'path' | 'title' | 'rendered'>): readonly SearchDocument[] {
  const whole = rendered.passages.map(({ heading, text }) => `${heading?.title ?? ''} ${text}`).join(' ')
  return rendered.passages
    .filter(({ heading }) => heading !== undefined)
    .map(({ heading, text }) => ({
      id: heading?.level === 1 ? path : `${path}#${heading?.id}`,
      title: heading?.title ?? title,
      place: heading?.level === 1 ? 'Guide' : title,
      text: text.trim(),
      names: '',
      details: heading?.level === 1 ? whole : '',
      excerpt: excerptOf(text),
    }))
}

export function operationDocuments(served: readonly Operation[]): readonly SearchDocument[] {
  return served.map((operation) => {
    const { params, query, body, validation } = operation
    const fields = [params, query, body].flatMap((schema) => fieldsOf(describeSchema(schema), 0))
    return {
      id: operationPath(operation),
      title: operation.summary,
      place: `${operation.method} ${operation.path}`,
      text: operation.description ?? '',
      names: [operation.id, ...new Set(fields.map(({ name }) => name)), ...validation].join(' '),
      details: [...new Set(fields.map(({ description }) => description))].join(' '),
      excerpt: excerptOf(operation.description ?? ''),
    }
  })
}

export function errorDocuments(): readonly SearchDocument[] {
  return Object.entries(ERROR_CATALOGUE).map(([code, { statuses, meaning, cause, action }]) => ({
    id: `/docs/errors#${code}`,
    title: code,
    place: `Error ${statuses.join(', ')}`,
    text: `${meaning} ${cause} ${action}`,
    names: code,
    details: '',
    excerpt: excerptOf(meaning),
  }))
}

/** All fields, those of nested objects and of variants included. */
function fieldsOf({ fields, variants }: SchemaDescription, depth: number): readonly Described[] {
  return depth > FIELD_DEPTH_MAX
    ? []
    : [
        ...fields.flatMap((field) => [field, ...fieldsOf(field.inside, depth + 1)]),
        ...variants.flatMap((variant) => [variant, ...fieldsOf(variant.inside, depth + 1)]),
      ]
}

type Described = { readonly name: string; readonly description: string }

/** The first words of a text, without half a word at its end. */
function excerptOf(text: string): string {
  const plain = text.replaceAll(/[`*]|\s+/g, (found) => (found.trim() === '' ? ' ' : '')).trim()
  return plain.length <= EXCERPT_CHARACTERS ? plain : `${plain.slice(0, EXCERPT_CHARACTERS).replace(/\s\S*$/, '')} …`
}

const DOCUMENTS_AT_ONCE = 20

/** A result as it is shown. */
type SearchResult = Pick<SearchDocument, 'id' | 'title' | 'place' | 'excerpt'>

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
