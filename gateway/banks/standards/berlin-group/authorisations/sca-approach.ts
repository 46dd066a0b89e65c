/** Tells from a bank's answer how an authorisation that has begun is signed. */

import { BankRefusal } from '../../../connector/bank-error.ts'
import type { BankCaller } from '../../../connector/connector.ts'
import type { BankResponse } from '../../../connector/connector-dependencies.ts'
import type { AuthorisationWay, ReturnAddresses, StartedAuthorisation } from '../../../connector/sca-authorisation.ts'
import type { ScaApproach } from '../../../directory/bank.ts'
import { addressOf, interfaceAddressOf } from '../../../transport/bank-urls.ts'
import { remarkOf } from '../translate-status.ts'
import type { Line } from '../transport/bank-client.ts'
import type { AuthorisationStarted } from '../wire.ts'
import { beginGrant } from './oauth.ts'
import { qrCodeOf } from './qr-code.ts'

/** What was asked for, and what the bank made of it. */
export type Answered = {
  readonly started: AuthorisationStarted
  readonly headers: BankResponse['headers']
  readonly approach: ScaApproach
  /** What an OAuth grant of it is called, e.g. `PIS:` and the id. */
  readonly scope: string
  readonly back: ReturnAddresses
}

/** Links by which a third party would hand over what the user types. */
const EMBEDDED_LINK = /^(update.*|selectAuthenticationMethod|authoriseTransaction|startAuthorisationWith.*)$/
const SIGNED_AT_ONCE: ReadonlySet<string> = new Set(['exempted', 'finalised'])

/** The bank's answer counts, whatever was asked for: a link for the browser first, then the user's app. */
export async function wayOf(
  line: Line,
  caller: BankCaller,
  answered: Answered,
): Promise<Omit<StartedAuthorisation, 'authorisationId'>> {
  const { started, headers, scope, back } = answered
  const { scaRedirect, scaOAuth } = started._links ?? {}
  if (SIGNED_AT_ONCE.has(started.scaStatus)) {
    return { way: { type: 'none' }, returnSecret: null }
  }
  if (started.scaStatus === 'failed') {
    throw new BankRefusal('access-denied', remarkOf(started) ?? 'The bank ended the authorisation as it began')
  }
  if (scaRedirect !== undefined) {
    return { way: { type: 'redirect', url: addressOf(caller.bank, scaRedirect.href) }, returnSecret: null }
  }
  if (scaOAuth !== undefined) {
    const metadata = interfaceAddressOf(caller.bank, scaOAuth.href)
    const { url, returnSecret } = await beginGrant(line, caller.bank, { metadata, scope, back })
    return { way: { type: 'redirect', url }, returnSecret }
  }
  const bankApproach = headers['aspsp-sca-approach']?.toUpperCase()
  const wantsSecrets = Object.keys(started._links ?? {}).some((name) => EMBEDDED_LINK.test(name))
  if (bankApproach === 'EMBEDDED' || (wantsSecrets && bankApproach !== 'DECOUPLED')) {
    throw new BankRefusal(
      'unsupported',
      'The bank wants its user to type secrets with us, which Havn never asks of anybody',
    )
  }
  return { way: await inApp(line, caller, { ...answered, isSaid: bankApproach === 'DECOUPLED' }), returnSecret: null }
}

/** A bank that does not name its way, and sends the browser nowhere, has its user sign in an app if it says what to do. */
async function inApp(
  line: Line,
  caller: BankCaller,
  { started, approach, isSaid }: Answered & { readonly isSaid: boolean },
): Promise<AuthorisationWay> {
  const qr = await qrCodeOf(line, caller.bank, started)
  const text = remarkOf(started)
  if (!isSaid && qr === null && text === null) {
    throw new BankRefusal('misconfigured', 'The bank began an authorisation, and said neither where nor how to sign it')
  }
  if (approach === 'qr' && qr === null) {
    throw new BankRefusal('misconfigured', 'The bank began an authorisation, and sent no code for the app of its user')
  }
  return { type: 'decoupled', text, qr }
}
