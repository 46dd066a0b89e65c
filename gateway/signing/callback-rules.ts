/** The rule on addresses that users are sent back to, for every operation that takes one. */
import type { PartnerCaller } from '../auth/partner.ts'
import type { Config } from '../config.ts'
import type { Problem } from '../foundation/http/refusal.ts'
import { isLoopback } from '../foundation/loopback.ts'

/** http or https, no credentials, no fragment; in production https, and an origin on the partner's list. */
export function checkCallbackUrl(
  { mode }: Pick<Config, 'mode'>,
  { callbackOrigins }: Pick<PartnerCaller, 'callbackOrigins'>,
  callbackUrl: string,
): readonly Problem[] {
  return checkReturnUrl({ mode }, { callbackOrigins }, { path: '.callbackUrl', url: callbackUrl })
}

/** The same for an address that has another name in its body. */
export function checkReturnUrl(
  { mode }: Pick<Config, 'mode'>,
  { callbackOrigins }: Pick<PartnerCaller, 'callbackOrigins'>,
  { path, url }: { readonly path: string; readonly url: string },
): readonly Problem[] {
  const reason = reasonAgainst(mode, callbackOrigins, url)
  return reason === undefined ? [] : [{ code: 'InvalidRequest', reason, path }]
}

function reasonAgainst(mode: Config['mode'], origins: readonly string[], text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    return 'must be an http or https address'
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not hold credentials'
  }
  if (url.hash !== '' || text.endsWith('#')) {
    return 'must not hold a fragment'
  }
  if (mode === 'sandbox') {
    const isSafe = url.protocol === 'https:' || isLoopback(url.hostname)
    return isSafe ? undefined : 'must be https; in the sandbox, http is taken for loopback addresses'
  }
  if (url.protocol !== 'https:') {
    return 'must be https'
  }
  return origins.includes(url.origin) ? undefined : `must begin with an origin on your list, which ${url.origin} is not`
}
