/** Signs users of the sandbox's console in, without a browser. */

import type { ConsoleRole } from '../../config/console-roles.ts'
import { type FormBrowser, openFormBrowser, type SeenPage } from '../browser/form-browser.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'

/** A browser in which the user of the role has signed in. */
export async function signInAs(
  gateway: Pick<TestGateway, 'url'>,
  role: ConsoleRole,
  browser: FormBrowser = openFormBrowser(gateway),
): Promise<FormBrowser> {
  await browser.open('/console/sign-in')
  await browser.send('/console/sign-in', { user: role })
  return browser
}

/** The heading of a page. */
export function titleOf({ html }: Pick<SeenPage, 'html'>): string | undefined {
  return /<h1>(.*?)<\/h1>/.exec(html)?.[1]
}

/** The text of a page's content, without markup. */
export function textOf({ html }: Pick<SeenPage, 'html'>): string {
  const [, content = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(html) ?? []
  return content
    .replaceAll('<wbr>', '')
    .replaceAll(/<code title="([^"]*)">[^<]*/g, '$1')
    .replaceAll(/<button [^>]*data-copy=[\s\S]*?<\/button>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The path of the page's link to the next one; undefined on the last page. */
export function nextPathOf({ html }: Pick<SeenPage, 'html'>): string | undefined {
  const [, path] = /rel="next" href="([^"]+)"/.exec(html) ?? []
  return path && decoded(path)
}

/** The path of the stream of the page's part that lives; empty on a page without one. */
export function livePathOf({ html }: Pick<SeenPage, 'html'>): string {
  const [, path = ''] = /hx-sse:connect="([^"]+)"/.exec(html) ?? []
  return decoded(path)
}

function decoded(attribute: string): string {
  return attribute.replaceAll(/&#(\d+);/g, (_reference, code) => String.fromCharCode(code))
}
