/** Checks a page in the browser with axe-core: WCAG 2.0 to 2.2, levels A and AA. */
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { evaluateInPage } from './evaluate-in-page.ts'

const ALL_RULES = JSON.stringify(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])

const rulesWhere = (condition: string) =>
  `axe.getRules(${ALL_RULES}).filter(({ tags }) => ${condition}).map(({ ruleId }) => ruleId)`
const COLOUR_RULES = rulesWhere("tags.includes('cat.color')")
/** All other rules give the same result in light and dark mode. */
const OTHER_RULES = rulesWhere("!tags.includes('cat.color')")
/** Half of the time of a check goes into colours, which our own check of contrasts covers in both modes. */
export const AXE_COLOUR_SCHEMES = (['light', 'dark'] as const).slice(
  0,
  Number(process.env['HAVN_AXE_COLOUR_SCHEMES'] ?? 1),
)

/** Runs in the page; returns the failed rules and their elements. */
const runOf = (
  rules: string,
  where: string,
) => `axe.run(${where}, { runOnly: ${rules}, resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => id + ' (' + help + ') at ' + target.join(' '))))`

/**
 * The violations in light mode, and at length those of colours in dark mode. The script is injected over the debugging
 * protocol, past the page's CSP. `coloursOf`, a CSS selector, limits the colour rules on pages that are too long for
 * them.
 */
export async function axeViolations(page: Page, coloursOf?: string): Promise<readonly string[]> {
  const colours = runOf(COLOUR_RULES, coloursOf === undefined ? 'document' : JSON.stringify(coloursOf))
  const light = coloursOf === undefined ? [runOf(ALL_RULES, 'document')] : [colours, runOf(OTHER_RULES, 'document')]
  const faults: string[] = []
  for (const colorScheme of AXE_COLOUR_SCHEMES.toReversed()) {
    await page.emulateMedia({ colorScheme })
    for (const run of colorScheme === 'light' ? light : [colours]) {
      const found = await runAxe(page, run)
      faults.push(...found.map((fault) => `${colorScheme}: ${fault}`))
    }
  }
  return faults
}

/** The script is injected once per page: it has half a megabyte, and loading it takes longer than the check. */
async function runAxe(page: Page, run: string): Promise<readonly string[]> {
  const found = await evaluateInPage<readonly string[] | null>(page, `typeof axe === 'undefined' ? null : ${run}`)
  return found ?? (await evaluateInPage(page, run, axe.source))
}

/** The same for a browser without scripts: a copy of the page is checked in a browser with scripts. */
export async function axeViolationsOfCopy(page: Page, coloursOf?: string): Promise<readonly string[]> {
  const body = await page.content()
  const { href } = new URL(page.url())
  const copy = await pageForCopies(page.context().browser())
  await copy.setViewportSize(page.viewportSize() ?? { width: 390, height: 844 })
  // Compared as strings: a URL pattern would treat some characters as special.
  const isCopied = (requested: URL) => requested.href === href
  await copy.route(isCopied, (route) => route.fulfill({ body, contentType: 'text/html; charset=utf-8' }))
  await copy.goto(href)
  const faults = await axeViolations(copy, coloursOf)
  await copy.unroute(isCopied)
  return faults
}

const pages = new WeakMap<Browser, Promise<Page>>()

/** One context for all copies, because creating one takes as long as the check; copies do not affect each other. */
async function pageForCopies(browser: Browser | null): Promise<Page> {
  if (browser === null) {
    throw new Error('The browser has gone')
  }
  return await pages.getOrInsertComputed(browser, () => browser.newContext().then((context) => context.newPage()))
}
