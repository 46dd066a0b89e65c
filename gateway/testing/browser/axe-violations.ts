/** Judges a page in the browser by the rules of axe-core: WCAG 2.0 to 2.2, levels A and AA. */
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { askLoadedPage } from './evaluate-in-page.ts'

const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

const rulesWhere = (condition: string) =>
  `axe.getRules(${JSON.stringify(LEVELS)}).filter(({ tags }) => ${condition}).map(({ ruleId }) => ruleId)`
const COLOUR_RULES = rulesWhere("tags.includes('cat.color')")
/** What all others say is the same by day and by night. */
const OTHER_RULES = rulesWhere("!tags.includes('cat.color')")

/** Runs in the page: what fails, and where. */
const runOf = (
  rules: string,
  where: string,
) => `axe.run(${where}, { runOnly: ${rules}, resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => id + ' (' + help + ') at ' + target.join(' '))))`

/**
 * What is wrong by these rules, by day and by night. The script comes by the debugging protocol, past the page's policies.
 * `coloursOf`, a CSS selector, says where the rules of colours are tried on a page that is too long for them.
 */
export async function faultsByAxe(page: Page, coloursOf?: string): Promise<readonly string[]> {
  const colours = runOf(COLOUR_RULES, coloursOf === undefined ? 'document' : JSON.stringify(coloursOf))
  const runs = [
    ['dark', colours],
    ['light', colours],
    ['light', runOf(OTHER_RULES, 'document')],
  ] as const
  const faults: string[] = []
  for (const [colorScheme, run] of runs) {
    await page.emulateMedia({ colorScheme })
    const found = await judge(page, run)
    faults.push(...found.map((fault) => `${colorScheme}: ${fault}`))
  }
  return faults
}

/** The script is half a megabyte: to read it costs a page more than to be judged, so one that has it gets it no second time. */
async function judge(page: Page, run: string): Promise<readonly string[]> {
  const found = await askLoadedPage<readonly string[] | null>(page, `typeof axe === 'undefined' ? null : ${run}`)
  return found ?? (await askLoadedPage(page, run, axe.source))
}

/** The same for a page of a browser that runs no scripts, not even these: a copy of it is judged in one that does. */
export async function faultsOfCopyByAxe(page: Page, coloursOf?: string): Promise<readonly string[]> {
  const body = await page.content()
  const { href } = new URL(page.url())
  const copy = await pageForCopies(page.context().browser())
  await copy.setViewportSize(page.viewportSize() ?? { width: 390, height: 844 })
  // By comparison: an address as a pattern would mean something else.
  const isCopied = (asked: URL) => asked.href === href
  await copy.route(isCopied, (route) => route.fulfill({ body, contentType: 'text/html; charset=utf-8' }))
  await copy.goto(href)
  const faults = await faultsByAxe(copy, coloursOf)
  await copy.unroute(isCopied)
  return faults
}

const pages = new WeakMap<Browser, Promise<Page>>()

/** One for all copies of a browser, since a new one takes as long as the rules; no copy knows of the one before it. */
async function pageForCopies(browser: Browser | null): Promise<Page> {
  if (browser === null) {
    throw new Error('The browser has gone')
  }
  const page = pages.get(browser) ?? browser.newContext().then((context) => context.newPage())
  pages.set(browser, page)
  return await page
}
