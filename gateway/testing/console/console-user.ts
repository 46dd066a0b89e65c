/** Signs users of the sandbox's console in, without a browser. */

import { beginSession } from '../../../console/sessions/begin-session.ts'
import { listSandboxUsers } from '../../../console/sign-in/sign-in-page.ts'
import type { ConsoleRole } from '../../config/console-roles.ts'
import type { BrowserUser } from '../browser/browser-user.ts'
import { type FormBrowser, openFormBrowser, type SeenPage } from '../browser/form-browser.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'

type Gateway = Pick<TestGateway, 'url' | 'context'>

const SESSION_COOKIE = 'havn_console'

/**
 * A browser in which the sandbox's user of the role has signed in. It has opened no page: that of a sign-in is the
 * overview, which costs more than most pages that are tested.
 */
export async function signInAs(gateway: Gateway, role: ConsoleRole): Promise<FormBrowser> {
  return openFormBrowser(gateway, new Map([[SESSION_COOKIE, await beginSessionAs(gateway, role)]]))
}

/** The same in Chromium. */
export async function signInChromium({ page }: BrowserUser, gateway: Gateway, role: ConsoleRole): Promise<void> {
  const value = await beginSessionAs(gateway, role)
  await page.context().addCookies([{ name: SESSION_COOKIE, value, url: gateway.url }])
}

/** The token of a new session. */
async function beginSessionAs({ context }: Gateway, role: ConsoleRole): Promise<string> {
  const user = (await listSandboxUsers(context)).find((one) => one.role === role)
  if (user === undefined) {
    throw new Error(`The sandbox has no user of the role ${role}`)
  }
  return (await beginSession(context, user, { userAgent: 'node', former: undefined })).token
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
