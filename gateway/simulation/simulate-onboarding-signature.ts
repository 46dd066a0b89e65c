/** Signs an onboarding as a browser would: from our link through the sandbox's identity provider and back. */

import { request } from 'undici'
import type { Context } from '../context.ts'
import { beginSignature } from '../onboarding/signatures/begin-signature.ts'
import type { Signer } from '../onboarding/store/onboarding-signer.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { parseJson } from '../platform/parse-json.ts'
import { type Arrival, openSandboxBrowser, type SandboxBrowser } from './sandbox-browser.ts'

/** Our pages between the link and the provider, and between the provider and the end. */
const PAGES_MAX = 6

/** The signer named by the company identifies and signs. Throws `conflict` where that is not possible now. */
export async function simulateOnboardingSignature(context: Context, signer: Signer): Promise<void> {
  const { config } = context
  const callbackUrl = `${config.baseUrl}/healthz`
  const begun = await beginSignature(context, signer, { callbackUrl })
  if (begun.outcome !== 'begun' || config.sandboxIdentityControlUrl === null) {
    const why =
      begun.outcome === 'closed'
        ? 'no signature is requested'
        : 'this gateway runs without HAVN_SANDBOX_IDENTITY_CONTROL_URL'
    throw apiError('conflict', `The signer cannot sign: ${why}`)
  }
  const browser = openSandboxBrowser(config.baseUrl)
  const away = await submitNextPage(browser, await browser.open(begun.url))
  await submitNextPage(
    browser,
    await browser.open(await identify(config.sandboxIdentityControlUrl, away.address, signer)),
  )
}

/** Presses the button that continues, for as long as a page has one. */
async function submitNextPage(browser: SandboxBrowser, arrived: Arrival): Promise<Arrival> {
  let arrival = arrived
  for (let pages = 0; arrival.at === 'page' && pages < PAGES_MAX; pages += 1) {
    const onward = arrival.actions.find((action) => !/\/(leave|refuse)$/.test(action))
    if (onward === undefined) {
      return arrival
    }
    arrival = await browser.post(onward)
  }
  return arrival
}

/** The URL to which the provider redirects the browser. */
async function identify(controlUrl: string, address: string, { name, birthDate }: Signer): Promise<string> {
  const words = name.split(' ')
  const person = { given: words.slice(0, -1).join(' '), family: words.at(-1) ?? '', birthDate }
  const { statusCode, body } = await request(`${controlUrl}/control/browser`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address, decision: 'sign', ...person }),
  })
  const answer = parseJson(await body.text())
  const { redirect, message } = Object(answer)
  if (statusCode !== 200 || typeof redirect !== 'string') {
    throw apiError('conflict', `The sandbox’s identity provider says: ${String(message ?? statusCode)}`)
  }
  return redirect
}
