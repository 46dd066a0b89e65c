/** Checks a page in the browser with axe-core: WCAG 2.0 to 2.2, levels A and AA. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { isOfCheckedKinds } from './checked-kinds.ts'
import { evaluateInPage } from './evaluate-in-page.ts'

/** Half as long as the other form of the script, which every page has to parse. */
const SCRIPT = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const STANDARDS = JSON.stringify(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
/** Contrasts take half of the time of a check, and our own check covers them in both modes. The light mode is last. */
export const AXE_CONTRAST_SCHEMES = (['dark', 'light'] as const).slice(
  0,
  Number(process.env['HAVN_AXE_CONTRAST_SCHEMES'] ?? 0),
)
const CONTRAST_RULES = ['color-contrast']
/** The sizes of targets take two thirds of what is left, and our own check covers them on both devices. */
const COVERED_RULES = AXE_CONTRAST_SCHEMES.length > 0 ? CONTRAST_RULES : [...CONTRAST_RULES, 'target-size']
const OTHER_RULES = `axe.getRules(${STANDARDS}).map(({ ruleId }) => ruleId).filter((rule) => !${JSON.stringify(COVERED_RULES)}.includes(rule))`

/** Attributes on which a rule depends, and those of which it depends on the value; `aria-…` are the others. */
const NAMED = ['alt', 'headers', 'href', 'hidden', 'lang', 'tabindex', 'title']
const VALUED = ['autocomplete', 'role', 'scope', 'type']
/** Our own check sees that they name an element. */
const REFERENCES = ['aria-describedby', 'aria-labelledby']
/** May be in any element with text, and have any of them in them. */
const ANYWHERE = ['CODE', 'DD', 'DIV', 'FORM', 'MAIN', 'P', 'SECTION', 'SPAN', 'STRONG', 'TD']
/** Runs in the page; returns the kinds of its elements: tag, tag of a parent that matters, and what rules read of the attributes. */
const KINDS = `[...new Set([...document.querySelectorAll('*')].map(({ parentElement, tagName, attributes }) =>
  [tagName, ...${JSON.stringify(ANYWHERE)}.includes(parentElement?.tagName) ? [] : ['in ' + parentElement?.tagName],
    ...[...attributes].flatMap(({ name, value }) =>
      ${JSON.stringify(VALUED)}.includes(name) ? [name + '=' + value]
        : ${JSON.stringify(NAMED)}.includes(name) || (name.startsWith('aria-') && !${JSON.stringify(REFERENCES)}.includes(name)) ? [name] : []).sort()].join(' ')))]`

/** A check takes longer than loading the page: in short runs it is for pages with an element of a kind that no page before had. */
const EVERY_PAGE = AXE_CONTRAST_SCHEMES.length > 0

/** Whether the page shows axe-core nothing that it has not checked. The page counts as checked from now on. */
export async function isCheckedByAxe(page: Page, checkedKinds?: Set<string>): Promise<boolean> {
  return (await isOfCheckedKinds(page, KINDS, checkedKinds)) && !EVERY_PAGE
}

/** Runs in the page; returns the failed rules and their elements. */
const runOf = (
  rules: string,
  where: string,
) => `axe.run(${where}, { runOnly: ${rules}, resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => id + ' (' + help + ') at ' + target.join(' '))))`

/**
 * The violations in light mode, in which the page must be, and at length those of contrasts in both modes. The script is injected over the debugging
 * protocol, past the page's CSP. `contrastsOf`, a CSS selector, limits the contrasts on pages that are too long for them.
 */
export async function axeViolations(page: Page, contrastsOf?: string): Promise<readonly string[]> {
  const faults = (await runAxe(page, runOf(OTHER_RULES, 'document'))).map((fault) => `light: ${fault}`)
  const contrasts = runOf(
    JSON.stringify(CONTRAST_RULES),
    contrastsOf === undefined ? 'document' : JSON.stringify(contrastsOf),
  )
  for (const colorScheme of AXE_CONTRAST_SCHEMES) {
    await page.emulateMedia({ colorScheme })
    faults.push(...(await runAxe(page, contrasts)).map((fault) => `${colorScheme}: ${fault}`))
  }
  return faults
}

/** The script is injected once per page, because loading it takes as long as the check. */
async function runAxe(page: Page, run: string): Promise<readonly string[]> {
  const found = await evaluateInPage<readonly string[] | null>(page, `typeof axe === 'undefined' ? null : ${run}`)
  return found ?? (await evaluateInPage(page, run, SCRIPT))
}

/** The same for a browser without scripts: a copy of the page is checked in a browser with scripts. */
export async function axeViolationsOfCopy(page: Page, contrastsOf?: string): Promise<readonly string[]> {
  // A page that waits for the bank reloads itself, possibly at this moment.
  const body = `<!doctype html>${await evaluateInPage<string>(page, 'document.documentElement.outerHTML')}`
  const { href } = new URL(page.url())
  const copy = await pageForCopies(page.context().browser())
  await copy.setViewportSize(page.viewportSize() ?? { width: 390, height: 844 })
  // Compared as strings: a URL pattern would treat some characters as special.
  const isCopied = (requested: URL) => requested.href === href
  await copy.route(isCopied, (route) => route.fulfill({ body, contentType: 'text/html; charset=utf-8' }))
  await copy.goto(href)
  const faults = await axeViolations(copy, contrastsOf)
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
