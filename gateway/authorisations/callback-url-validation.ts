/** The rule on URLs that users are sent back to, for every operation that takes one. */
import { isForbiddenScheme, isWeb, registeredBy } from '../auth/callback-origin.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { Config } from '../config/config.ts'
import type { Problem } from '../platform/http/errors/api-error.ts'
import { isLoopback } from '../platform/http/loopback.ts'

/** Registered for the partner by origin or scheme; in the sandbox any https origin and loopback http, too. */
export function checkCallbackUrl(
  { mode }: Pick<Config, 'mode'>,
  { callbackOrigins }: Pick<PartnerCaller, 'callbackOrigins'>,
  callbackUrl: string,
): readonly Problem[] {
  return checkReturnUrl({ mode }, { callbackOrigins }, { path: '.callbackUrl', url: callbackUrl })
}

/** The same for a URL that has another name in its body. */
export function checkReturnUrl(
  { mode }: Pick<Config, 'mode'>,
  { callbackOrigins }: Pick<PartnerCaller, 'callbackOrigins'>,
  { path, url }: { readonly path: string; readonly url: string },
): readonly Problem[] {
  const reason = reasonAgainst(mode, callbackOrigins, url)
  return reason === undefined ? [] : [{ code: 'InvalidRequest', reason, path }]
}

function reasonAgainst(mode: Config['mode'], registered: readonly string[], text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (isWeb(url.protocol) && url.hostname === '')) {
    return 'must be a URI, for example https://erp.example/back or myerp://back'
  }
  if (isForbiddenScheme(url.protocol)) {
    return `must not have the scheme ${url.protocol}`
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not hold credentials'
  }
  return registered.includes(registeredBy(url)) || (mode === 'sandbox' && isFreeInSandbox(url))
    ? undefined
    : unregistered(mode, url)
}

function isFreeInSandbox({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

function unregistered(mode: Config['mode'], url: URL): string {
  const origin = registeredBy(url)
  const reason = `must begin with an origin or scheme that is registered for you; ${origin} is not: ask the operator`
  return mode === 'sandbox' && isWeb(url.protocol) ? `${reason}, or use https or a loopback address` : reason
}
