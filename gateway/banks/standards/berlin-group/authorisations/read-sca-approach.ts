/** Derives the SCA approach of a started authorisation from the bank's answer. */

import { BankError } from '../../../connector/bank-error.ts'
import type { BankCaller } from '../../../connector/connector.ts'
import type { BankResponse } from '../../../connector/connector-dependencies.ts'
import type { ReturnUrls, ScaApproachDetails, StartedAuthorisation } from '../../../connector/sca-authorisation.ts'
import type { ScaApproach } from '../../../directory/bank.ts'
import { requireLinkOrApiUrl, requireLinkUrl } from '../../../transport/bank-urls.ts'
import { bankMessageOf, bankReasonOf } from '../translate-payment-status.ts'
import type { BankClient } from '../transport/bank-client.ts'
import { type AuthorisationStarted, hrefOf } from '../wire.ts'
import { beginGrant } from './oauth.ts'
import { qrCodeOf } from './qr-code.ts'

/** The request, and the bank's answer. */
export type StartedAnswer = {
  readonly started: AuthorisationStarted
  readonly headers: BankResponse['headers']
  readonly approach: ScaApproach
  /** The OAuth scope, e.g. `PIS:` and the id. */
  readonly scope: string
  readonly back: ReturnUrls
}

/** Links for submitting the user's credentials (embedded approach). */
const EMBEDDED_LINK = /^(update.*|selectAuthenticationMethod|authoriseTransaction|startAuthorisationWith.*)$/
const SIGNED_AT_ONCE: ReadonlySet<string> = new Set(['exempted', 'finalised'])

/** The bank's answer decides, whatever was requested: a redirect link first, then the user's app. */
export async function readScaApproach(
  line: BankClient,
  caller: BankCaller,
  answered: StartedAnswer,
): Promise<Omit<StartedAuthorisation, 'authorisationId'>> {
  const { started, headers, scope, back } = answered
  const { scaStatus = '', _links: links } = started
  const [scaRedirect, scaOAuth] = [hrefOf(links, 'scaRedirect'), hrefOf(links, 'scaOAuth')]
  if (SIGNED_AT_ONCE.has(scaStatus)) {
    return { approach: { type: 'none' }, returnSecret: null }
  }
  if (scaStatus === 'failed') {
    throw new BankError('access-denied', bankReasonOf(started) ?? 'The bank rejected the authorisation at its start')
  }
  if (scaRedirect !== undefined) {
    return { approach: { type: 'redirect', url: requireLinkUrl(caller.bank, scaRedirect) }, returnSecret: null }
  }
  if (scaOAuth !== undefined) {
    const metadata = requireLinkOrApiUrl(caller.bank, scaOAuth)
    const { url, returnSecret } = await beginGrant(line, caller.bank, { metadata, scope, back })
    return { approach: { type: 'redirect', url }, returnSecret }
  }
  const bankApproach = headers['aspsp-sca-approach']?.toUpperCase()
  const wantsSecrets = Object.keys(started._links ?? {}).some((name) => EMBEDDED_LINK.test(name))
  if (bankApproach === 'EMBEDDED' || (wantsSecrets && bankApproach !== 'DECOUPLED')) {
    throw new BankError('unsupported', 'The bank requires the embedded SCA approach, which Havn does not support')
  }
  return {
    approach: await decoupledApproach(line, caller, { ...answered, isReported: bankApproach === 'DECOUPLED' }),
    returnSecret: null,
  }
}

/** Without a stated approach and without a redirect link, the approach is decoupled if there is an instruction. */
async function decoupledApproach(
  line: BankClient,
  caller: BankCaller,
  { started, approach, isReported }: StartedAnswer & { readonly isReported: boolean },
): Promise<ScaApproachDetails> {
  const qr = await qrCodeOf(line, caller.bank, started)
  const text = bankMessageOf(started)
  if (!isReported && qr === null && text === null) {
    throw new BankError('misconfigured', 'The bank started an authorisation without an SCA approach')
  }
  if (approach === 'qr' && qr === null) {
    throw new BankError('misconfigured', 'The bank started an authorisation without a QR code for the app')
  }
  return { type: 'decoupled', text, qr }
}
