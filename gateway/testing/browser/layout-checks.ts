/** Checks the layout of a page in the browser, from a phone to a large screen: width, rows, words and controls. */
import type { Page } from 'playwright-core'
import { checkPage } from './evaluate-in-page.ts'

export type PageSize = { readonly width: number; readonly height: number }
export const PHONE: PageSize = { width: 390, height: 844 }
export const DESKTOP: PageSize = { width: 1280, height: 800 }
/**
 * Cards and one column are narrowest on a phone, tables and columns on a desktop; between them, and on larger screens, there is
 * more room for the same: those are checked in long runs.
 */
export const OTHER_SIZES: readonly PageSize[] = [768, 1440, 1920]
  .slice(0, Number(process.env['HAVN_OTHER_PAGE_WIDTHS'] ?? 0))
  .map((width) => ({ width, height: 900 }))
/** From here on lists are tables: a row of more than five lines is a column that has collapsed. Documents have prose in tables. */
const DESKTOP_MIN = 1024
const ROW_PIXELS_MAX = 120
/** Longer runs of letters and digits are tokens, which have to break somewhere on a phone. */
const WORD_CHARACTERS_MAX = 28
/** What is wrong on a page is usually wrong in every row. */
const FAULTS_MAX = 6

/** Run in the page, the only place with a `document`. */
const TEXT_FAULTS = `
const faults = []
const nameOf = (element) => element.tagName.toLowerCase() + ' "' + (element.textContent.trim() || element.name || '').slice(0, 60) + '"'
const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
const root = document.documentElement
if (root.scrollWidth > innerWidth) faults.push('is ' + root.scrollWidth + ' pixels wide')
if (innerWidth >= ${DESKTOP_MIN}) {
  for (const row of document.querySelectorAll('main tr:not(.rows *)')) {
    const { height } = row.getBoundingClientRect()
    if (height > ${ROW_PIXELS_MAX}) faults.push('a row is ' + Math.round(height) + ' pixels high: ' + nameOf(row))
  }
}
for (const button of document.querySelectorAll('[data-copy=""]')) faults.push('a button copies nothing: ' + nameOf(button.parentElement))
for (const cell of document.querySelectorAll('td[data-column=""]')) {
  if (getComputedStyle(cell, '::before').content !== 'none') faults.push('a label has no words: ' + nameOf(cell))
}
const range = document.createRange()
const lines = () => new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
  // Lines of code, and URLs to be copied, break where they must.
  if (text.data.trim() === '' || !shown(text.parentElement) || text.parentElement.closest('pre') !== null) continue
  if (text.data.includes('://')) continue
  range.selectNodeContents(text)
  if (range.getClientRects().length < 2) continue
  for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\p{N}_]+/gu)) {
    range.setStart(text, index)
    range.setEnd(text, index + word.length)
    if (word.length <= ${WORD_CHARACTERS_MAX} && lines() > 1) faults.push('breaks a word: ' + word + ' in ' + nameOf(text.parentElement))
  }
}`
const CONTROL_FAULTS = `
const centreHit = (control) => {
  const { left, top, width, height } = control.getClientRects()[0]
  return document.elementFromPoint(left + width / 2, top + height / 2)
}
// What an open list of results covers is reached when it is closed.
for (const control of document.querySelectorAll('a[href]:not(.skip), button, input:not([type=hidden]), select, textarea, summary')) {
  if (!shown(control)) continue
  if (control.contains(centreHit(control))) continue
  control.scrollIntoView({ block: 'center', behavior: 'instant' })
  const hit = centreHit(control)
  if (!control.contains(hit) && hit?.closest('#search-results') == null) faults.push('a control is covered or out of sight: ' + nameOf(control) + (hit === null ? '' : ' by ' + nameOf(hit)))
}
scrollTo(0, 0)`

const checkOf = (code: string) => `(() => {${code}\nreturn faults.slice(0, ${FAULTS_MAX})\n})()`

/** Of texts only: a menu that is open covers some controls. */
export const TEXT_CHECK = checkOf(TEXT_FAULTS)
export const LAYOUT_CHECK = checkOf(TEXT_FAULTS + CONTROL_FAULTS)

/** Gives the window this size, unless it has it: a resize lays the page out, and paints it, again. */
export async function resize(page: Page, size: PageSize): Promise<void> {
  const shown = page.viewportSize()
  if (shown?.width !== size.width || shown.height !== size.height) {
    await page.setViewportSize(size)
  }
}

/** The faults at each width; the page is not loaded again. */
export async function layoutErrors(page: Page, devices = [PHONE, DESKTOP]): Promise<readonly string[]> {
  const found: string[] = []
  for (const size of [...devices, ...OTHER_SIZES]) {
    await resize(page, size)
    found.push(...(await checkPage(page, [LAYOUT_CHECK])).map((fault) => `${size.width} px: ${fault}`))
  }
  return found
}
