/** Renders the filters of a list, which are in its URL. */
import { html } from 'ghtml'
import { type Choice, optionsOf } from '../markup/action-form.ts'
import { consoleText } from '../texts/console-texts.ts'

export type FilterField = {
  readonly name: string
  readonly label: string
  /** The values to choose from; a text field without. */
  readonly choices?: readonly Choice[]
  readonly type?: 'search' | 'date' | 'datetime-local'
  readonly isRequired?: true
  /** What the field takes, below it. */
  readonly hint?: string
}

/** The filters in the URL, and the error of each field by its name. */
export type FilterState = { readonly query: URLSearchParams; readonly errors: ReadonlyMap<string, string> }

export const NOTHING_ENTERED: FilterState = { query: new URLSearchParams(), errors: new Map() }

/**
 * More fields than this hide the list on a phone, where they are folded until one is used. On a wide screen the style
 * sheet unfolds them, in browsers that can.
 */
const UNFOLDED_FIELDS_MAX = 2

/** Sends the filters to the path of the list; a link removes them. */
export function filterForm(path: string, state: FilterState, fields: readonly FilterField[]): string {
  const isFiltered = fields.some(({ name }) => (state.query.get(name) ?? '') !== '')
  const form = html`<form class="filters" method="get" action="${path}" role="search">
!${fields.map((field) => filterField(field, state)).join('\n')}
<div class="field buttons"><button>${consoleText('filters.apply')}</button>
!${isFiltered ? html`<a class="button second" href="${path}">${consoleText('filters.remove')}</a>` : ''}</div>
</form>`
  return fields.length <= UNFOLDED_FIELDS_MAX
    ? form
    : html`<details class="foldable" !${isFiltered ? 'open' : ''}><summary>${consoleText('filters.title')}</summary>
!${form}</details>`
}

/** Whether the URL has any filter: a form sends those that are empty, too. */
export function hasFilter(query: URLSearchParams): boolean {
  return [...query.values()].some((value) => value !== '')
}

/** One field with its label, and its error or what it takes. */
export function filterField(field: FilterField, { query, errors }: FilterState): string {
  const { name, label } = field
  const error = errors.get(name)
  const id = `filter-${name}`
  // A date field would not show what is not a date.
  const shown: FilterField = error === undefined ? field : { ...field, type: 'search' }
  const described = error === undefined ? '' : html`aria-invalid="true" aria-describedby="${id}-error"`
  const hint = field.hint === undefined ? '' : html`<p class="hint" id="${id}-hint">${field.hint}</p>`
  const explained = error !== undefined || field.hint === undefined ? '' : html`aria-describedby="${id}-hint"`
  return html`<div class="field">
<label for="${id}">${label}</label>
!${controlOf(shown, query.get(name) ?? '', html`id="${id}" !${described}!${explained}`)}
!${error === undefined ? hint : html`<p class="error" id="${id}-error">${error}</p>`}
</div>`
}

function controlOf(
  { name, choices, type = 'search', isRequired }: FilterField,
  value: string,
  attributes: string,
): string {
  if (choices === undefined) {
    return html`<input type="${type}" name="${name}" value="${value}" autocomplete="off" !${attributes}!${isRequired ? ' required' : ''}>`
  }
  return html`<select name="${name}" autocomplete="off" !${attributes}>!${optionsOf(choices, value)}</select>`
}

/** The choice of any value, or of one of these. */
export function anyOf(values: readonly string[], first = consoleText('filters.any')): readonly Choice[] {
  return [{ value: '', label: first }, ...values.map((value) => ({ value, label: value }))]
}

/** The fields of a period. */
export const periodFields = (): readonly FilterField[] => [
  { name: 'from', label: consoleText('filters.from'), type: 'date' },
  { name: 'to', label: consoleText('filters.to'), type: 'date' },
]
