/** Has a signer of an onboarding sign as a browser would: our link, the sandbox's identity provider, and back. */

import { request } from 'undici'
import type { IdentityContext } from '../identity/identity-context.ts'
import { beginSignature } from '../onboarding/signatures/begin-signature.ts'
import type { Signer } from '../onboarding/signatures/onboarding-signer.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { parseJson } from '../platform/parse-json.ts'
import type { RegistryContext } from '../registries/registry-context.ts'
import { type Arrival, openSandboxBrowser, type SandboxBrowser } from './sandbox-browser.ts'

/** Pages of ours between the link and the provider, and between the provider and the end. */
const PAGES_MAX = 6

/** The person whom the company named identifies and signs. Throws `conflict` where that is not possible now. */
export async function signAsNamed(context: IdentityContext & RegistryContext, signer: Signer): Promise<void> {
  const { config } = context
  const callbackUrl = `${config.baseUrl}/healthz`
  const begun = await beginSignature(context, signer, { callbackUrl })
  if (begun.outcome !== 'begun' || config.sandboxIdentityUrl === null) {
    const why = begun.outcome === 'closed' ? 'nothing is being signed' : 'no identity provider runs beside this gateway'
    throw refuse('conflict', `The signer cannot sign: ${why}`)
  }
  const browser = openSandboxBrowser(config.baseUrl)
  const away = await pressOn(browser, await browser.open(begun.url))
  await pressOn(browser, await browser.open(await identify(config.sandboxIdentityUrl, away.address, signer)))
}

/** Presses the button that leads on, for as long as a page of ours has one. */
async function pressOn(browser: SandboxBrowser, arrived: Arrival): Promise<Arrival> {
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

/** The address that the provider sends the browser back to. */
async function identify(providerUrl: string, address: string, { name, birthDate }: Signer): Promise<string> {
  const words = name.split(' ')
  const person = { given: words.slice(0, -1).join(' '), family: words.at(-1) ?? '', birthDate }
  const { statusCode, body } = await request(`${providerUrl}/control/browser`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address, decision: 'sign', ...person }),
  })
  const answer = parseJson(await body.text())
  const { redirect, message } = Object(answer)
  if (statusCode !== 200 || typeof redirect !== 'string') {
    throw refuse('conflict', `The sandbox’s identity provider says: ${String(message ?? statusCode)}`)
  }
  return redirect
}
