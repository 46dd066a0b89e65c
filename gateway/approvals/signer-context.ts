/** Builds the context of bank calls on behalf of the user who signs, who need not be the one who ordered. */

import { requireConsentIdOf, type ScaSession } from '../authorisations/sca-session.ts'
import { BankError } from '../banks/connector/bank-error.ts'
import type { BankCaller, Connector } from '../banks/connector/connector.ts'
import type { Bank } from '../banks/directory/bank.ts'
import { consentOf } from '../consents/find-consent.ts'
import { psuContextAtBank } from '../consents/tokens/psu-context.ts'
import type { Context } from '../context.ts'

/** A bank, and the user on whose behalf it is called. */
export type SignerContext = { readonly bank: Bank; readonly connector: Connector; readonly caller: BankCaller }

type ScaSessionRef = Pick<ScaSession, 'partnerId' | 'consentId'> & {
  /** A payment whose own SCA may have issued access tokens. */
  readonly paymentId?: string
}

/** Throws `unavailable` if the bank of the consent is not served. */
export async function signerContext(
  context: Context,
  { paymentId, ...session }: ScaSessionRef,
): Promise<SignerContext> {
  const consentId = requireConsentIdOf(session)
  const signer = await consentOf(context, { partnerId: session.partnerId, consentId })
  if (signer === undefined) {
    throw new Error(`The consent ${consentId} of a signer does not exist`)
  }
  const bank = await context.banks.find(signer.bic)
  if (bank === undefined) {
    throw new BankError('unavailable', `The bank ${signer.bic} is not served at the moment`)
  }
  return {
    bank,
    connector: context.banks.connectorOf(bank),
    caller: await psuContextAtBank(context, { bank, consent: signer, psu: null, ...(paymentId && { paymentId }) }),
  }
}
