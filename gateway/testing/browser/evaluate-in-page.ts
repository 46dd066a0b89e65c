/** Evaluates an expression in a completely loaded page, and repeats it if the page reloads in the meantime. */
import type { Page } from 'playwright-core'

const ATTEMPTS_MAX = 5

/** The value of an expression or promise. `first` is evaluated in the same call, without a navigation in between. */
export async function evaluateInPage<Answer>(page: Page, expression: string, first = ''): Promise<Answer> {
  const question = `(async () => {
    if (document.readyState !== 'complete') { return null }
    ${first};
    return { answer: await (${expression}) }
  })()`
  for (let attempt = 1; ; attempt += 1) {
    await page.waitForLoadState()
    const found = await page
      .evaluate<{ readonly answer: Answer } | null>(question)
      .catch((error: unknown) => (isNavigationError(error) ? null : Promise.reject(error)))
    if (found !== null) {
      return found.answer
    }
    if (attempt === ATTEMPTS_MAX) {
      throw new Error(`The page ${page.url()} navigates too often to be evaluated`)
    }
  }
}

/** The faults that checks find, in one round trip: each is an expression whose value is a list of texts. */
export async function checkPage(page: Page, checks: readonly string[]): Promise<readonly string[]> {
  return await evaluateInPage(page, `[${checks.join(', ')}].flat()`)
}

function isNavigationError(error: unknown): boolean {
  return /context was destroyed|navigation/i.test(String(error))
}
