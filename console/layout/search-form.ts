/** Renders the search field in the header of every page. */
import { html } from 'ghtml'
import { consoleText } from '../texts/console-texts.ts'

export const SEARCH_PATH = '/console/search'
export const SEARCH_PARAMETER = 'q'

/** `searched` is what was searched for on this page. */
export function searchForm(searched: string): string {
  return html`<form class="search" method="get" action="${SEARCH_PATH}" role="search" aria-label="${consoleText('search.button')}">
<label class="unseen" for="search-everything">${consoleText('search.label')}</label>
<input type="search" id="search-everything" name="${SEARCH_PARAMETER}" value="${searched}" placeholder="${consoleText('search.placeholder')}" autocomplete="off" required maxlength="255">
<button class="second">${consoleText('search.button')}</button>
</form>`
}
