/** Asks a page that the browser has whole, style sheet and all; one that loads itself again meanwhile is asked anew. */
import type { Page } from 'playwright-core'

const ATTEMPTS_MAX = 5

/** The answer to an expression, which may be a promise. `first` is run in the same piece, lest the page goes in between. */
export async function askLoadedPage<Answer>(page: Page, expression: string, first = ''): Promise<Answer> {
  const question = `(async () => {
    if (document.readyState !== 'complete') { return null }
    ${first};
    return { answer: await (${expression}) }
  })()`
  for (let attempt = 1; ; attempt += 1) {
    await page.waitForLoadState()
    const found = await page
      .evaluate<{ readonly answer: Answer } | null>(question)
      .catch((error: unknown) => (hasGone(error) ? null : Promise.reject(error)))
    if (found !== null) {
      return found.answer
    }
    if (attempt === ATTEMPTS_MAX) {
      throw new Error(`The page ${page.url()} does not stay long enough to be asked`)
    }
  }
}

function hasGone(error: unknown): boolean {
  return /context was destroyed|navigation/i.test(String(error))
}
