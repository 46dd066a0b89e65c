/** Pages of lists: each begins after the last row of the page before (keyset paging), whose position is in the URL. */
import { html } from 'ghtml'
import type { ListPosition } from '../../gateway/partners/partner-rows.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { consoleText } from '../texts/console-texts.ts'

/** The parameter with the position of the last row of the page before. */
export const AFTER_PARAMETER = 'after'
/** Rows of a page. A query reads one more, which shows whether there is another page. */
export const LIST_ROWS = 50

/** The rows of a page, and its last one if more rows follow. */
export function pageOf<Row>(
  found: readonly Row[],
  limit = LIST_ROWS,
): { readonly rows: readonly Row[]; readonly last: Row | undefined } {
  const rows = found.slice(0, limit)
  return { rows, last: found.length > limit ? rows.at(-1) : undefined }
}

/** Links to the next page with the filters of this one; nothing when this page is the last one. */
export function nextPageLink(
  path: string,
  query: URLSearchParams,
  after: string | undefined,
  label = consoleText('lists.nextPage'),
): string {
  if (after === undefined) {
    return ''
  }
  const next = new URLSearchParams([...query].filter(([, value]) => value !== ''))
  next.set(AFTER_PARAMETER, after)
  return html`<p class="actions"><a class="button second" rel="next" href="${path}?${next}">${label}</a></p>`
}

const POSITION = /^(\d{1,16})_(.+)$/

/** Of the last row of a page, where the next one begins: its place in the order of the list. */
export type Position = ListPosition | string | number

/** A position as it is in the URL of the next page. */
export function formatPosition(position: Position): string {
  return typeof position === 'object'
    ? `${position.createdAt.epochNanoseconds / 1_000n}_${position.id}`
    : String(position)
}

/** Undefined for a text that is no position. */
export function parsePosition(text: string): ListPosition | undefined {
  const [, microseconds = '', id = ''] = POSITION.exec(text) ?? []
  return isId(id) ? { createdAt: Temporal.Instant.fromEpochNanoseconds(BigInt(microseconds) * 1_000n), id } : undefined
}
