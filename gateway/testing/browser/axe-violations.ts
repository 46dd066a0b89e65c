/** Checks a page in the browser with axe-core: WCAG 2.0 to 2.2, levels A and AA. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { isOfCheckedKinds } from './checked-kinds.ts'
import { evaluateInPage } from './evaluate-in-page.ts'
import { PHONE, resize } from './layout-checks.ts'

const SCRIPT = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const STANDARDS = JSON.stringify(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
/** Contrasts take half of the time of a check, and our own check covers them in both modes. The light mode is last. */
export const AXE_CONTRAST_SCHEMES = (['dark', 'light'] as const).slice(
  0,
  Number(process.env['HAVN_AXE_CONTRAST_SCHEMES'] ?? 0),
)
const CONTRAST_RULES = ['color-contrast']
/** Sizes of targets and links among text take two thirds of what is left, and our own check covers them on both devices. */
const COVERED_RULES =
  AXE_CONTRAST_SCHEMES.length > 0 ? CONTRAST_RULES : [...CONTRAST_RULES, 'target-size', 'link-in-text-block']
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
 * Runs in the page, also in one without scripts; returns its document, without what loads, and with the rules of its style
 * sheets.
 */
const COPY = `(() => {
  const copy = document.documentElement.cloneNode(true)
  for (const loading of copy.querySelectorAll('script, link')) loading.remove()
  const style = document.createElement('style')
  style.textContent = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]).map(({ cssText }) => cssText).join('\\n')
  copy.querySelector('head').append(style)
  return '<!doctype html>' + copy.outerHTML
})()`

/**
 * The violations in light mode, in which the page must be, and at length those of contrasts in both modes. `contrastsOf`, a
 * CSS selector, limits the contrasts on pages that are too long for them.
 */
export async function axeViolations(page: Page, contrastsOf?: string): Promise<readonly string[]> {
  const html = await evaluateInPage<string>(page, COPY)
  const copy = await pageForCopies(page.context().browser())
  await resize(copy, page.viewportSize() ?? PHONE)
  // The window, and with it the script, remains.
  await copy.evaluate(`document.open(); document.write(${JSON.stringify(html)}); document.close()`)
  const faults = (await copy.evaluate<string[]>(runOf(OTHER_RULES, 'document'))).map((fault) => `light: ${fault}`)
  const contrasts = runOf(
    JSON.stringify(CONTRAST_RULES),
    contrastsOf === undefined ? 'document' : JSON.stringify(contrastsOf),
  )
  for (const colorScheme of AXE_CONTRAST_SCHEMES) {
    await copy.emulateMedia({ colorScheme })
    faults.push(...(await copy.evaluate<string[]>(contrasts)).map((fault) => `${colorScheme}: ${fault}`))
  }
  return faults
}

const pages = new WeakMap<Browser, Promise<Page>>()

/** One empty page for the copies of all pages: to load the script takes longer than a check. */
async function pageForCopies(browser: Browser | null): Promise<Page> {
  if (browser === null) {
    throw new Error('The browser has gone')
  }
  return await pages.getOrInsertComputed(browser, async () => {
    const page = await (await browser.newContext()).newPage()
    await page.evaluate(`${SCRIPT};0`)
    return page
  })
}
