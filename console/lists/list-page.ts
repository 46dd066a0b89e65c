/** Answers with a list of rows: as a page with filters, a table and the link to the next page, or as a CSV file. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import type { ConsolePermission } from '../access/console-role.ts'
import type { Viewer } from '../access/viewer.ts'
import { type ConsoleRequest, type ConsoleRoute, get } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { type Columns, dataTable } from '../markup/data-table.ts'
import { consoleText } from '../texts/console-texts.ts'
import { type CsvCells, csvFile } from './csv-file.ts'
import { type FilterField, filterForm, hasFilter } from './filter-form.ts'
import { type FilterReader, filterReader } from './filter-reader.ts'
import { formatPosition, LIST_ROWS, nextPageLink, type Position } from './next-page.ts'
import { partnerFields } from './partner-field.ts'

/** `next` is where the next page begins; `note` is markup about a page that ends before its rows do. */
type ListPage<Row, At> = {
  readonly rows: readonly Row[]
  readonly next: At | undefined
  readonly note?: string
  /** What is shown where it has no rows, if not the text of the list. */
  readonly none?: string
  /** The label of the link to the next page, where it is not the usual one. */
  readonly nextLabel?: string
}

/** A list, with its filters as they are in the URL. */
export type ConsoleList<Row, Filter extends { readonly after?: At | undefined }, At extends Position> = {
  readonly path: string
  readonly title: string
  /** Markup above the filters. */
  readonly about?: string
  /** Without that of the partner, which operators have; `isOfOnePartner` leaves it out. */
  readonly fields: readonly FilterField[]
  readonly isOfOnePartner?: true
  readonly filterOf: (filters: FilterReader, viewer: Viewer) => Filter | Promise<Filter>
  readonly read: (filter: Filter, limit: number) => Promise<ListPage<Row, At>>
  readonly columns: Columns<Row>
  /** What is shown without rows: without a filter, and with one. */
  readonly none: string
  readonly noMatch?: string
  /** The rows as a file, with texts as in the API; its path is that of the list unless given. */
  readonly file?: {
    readonly name: string
    readonly path?: string
    readonly cells: CsvCells<Row>
  }
}

/** The list as a page, and as a file. */
export function listRoutes<Row, Filter extends { readonly after?: At | undefined }, At extends Position>(
  context: Context,
  permission: ConsolePermission,
  list: ConsoleList<Row, Filter, At>,
): readonly ConsoleRoute[] {
  const read = get(permission)
  return [
    read(list.path, (request) => listPage(context, list, request)),
    read(`${list.path}.csv`, (request) => exportList(list, request)),
  ]
}

/** A page of the list. */
export async function listPage<Row, Filter extends { readonly after?: At | undefined }, At extends Position>(
  context: Context,
  list: ConsoleList<Row, Filter, At>,
  request: ConsoleRequest,
): Promise<ConsoleAnswer> {
  const { markup, isValid } = await listMarkup(context, list, request)
  return { kind: 'page', status: isValid ? 200 : 422, title: list.title, body: markup }
}

/** The same as a part of a page, and whether its filters make sense. */
export async function listMarkup<Row, Filter extends { readonly after?: At | undefined }, At extends Position>(
  context: Context,
  list: ConsoleList<Row, Filter, At>,
  { viewer, query }: ConsoleRequest,
): Promise<{ readonly markup: string; readonly isValid: boolean }> {
  const { path, about = '', file } = list
  const filters = filterReader(query)
  const filter = await list.filterOf(filters, viewer)
  const isValid = filters.errors.size === 0
  const page: ListPage<Row, At> = isValid ? await list.read(filter, LIST_ROWS) : { rows: [], next: undefined }
  const fields = [...(list.isOfOnePartner ? [] : await partnerFields(context, viewer)), ...list.fields]
  const emptyText = page.none ?? (hasFilter(query) ? (list.noMatch ?? list.none) : list.none)
  const next = page.next === undefined ? undefined : formatPosition(page.next)
  const markup = html`!${about}
!${fields.length === 0 ? '' : filterForm(path, { query, errors: filters.errors }, fields)}
!${dataTable(page.rows, visibleColumns(list.columns, viewer), isValid ? emptyText : consoleText('filters.correct'))}
!${page.note ?? ''}
!${nextPageLink(path, query, next, page.nextLabel)}
!${file === undefined || page.rows.length === 0 ? '' : html`<p class="actions"><a href="${file.path ?? path}.csv?${query}">${consoleText('lists.export')}</a></p>`}`
  return { markup, isValid }
}

/** The columns that the user sees. */
export function visibleColumns<Row>(columns: Columns<Row>, { session }: Viewer): Columns<Row> {
  const who = session.partnerId === null ? 'operators' : 'partners'
  return Object.fromEntries(
    Object.entries(columns).filter(([, column]) => typeof column !== 'object' || (column.isOf ?? who) === who),
  )
}

/** All rows of the filter as a file; filters that make no sense are shown on the page. */
export async function exportList<Row, Filter extends { readonly after?: At | undefined }, At extends Position>(
  list: ConsoleList<Row, Filter, At>,
  { viewer, query }: ConsoleRequest,
): Promise<ConsoleAnswer> {
  const { file, path } = list
  const filters = filterReader(query)
  const filter = await list.filterOf(filters, viewer)
  if (filters.errors.size > 0 || file === undefined) {
    return { kind: 'redirect', to: `${path}?${query}` }
  }
  return await csvFile<Row, At>({
    ...file,
    after: filter.after,
    readPage: (after, limit) => list.read({ ...filter, after }, limit),
  })
}
