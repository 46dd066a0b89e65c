/** Remembers which kinds of elements pages have shown, so that a short run makes a dear check once for each kind. */
import type { Page } from 'playwright-core'
import { evaluateInPage } from './evaluate-in-page.ts'

/** Of all pages of the process. */
const CHECKED_KINDS = new Set<string>()

/** Whether pages before have shown all kinds that an expression finds in this one. They count as checked from now on. */
export async function isOfCheckedKinds(
  page: Page,
  kindsInPage: string,
  checkedKinds: Set<string> = CHECKED_KINDS,
): Promise<boolean> {
  const kinds = new Set(await evaluateInPage<readonly string[]>(page, kindsInPage))
  const isChecked = kinds.isSubsetOf(checkedKinds)
  for (const kind of kinds) {
    checkedKinds.add(kind)
  }
  return isChecked
}
