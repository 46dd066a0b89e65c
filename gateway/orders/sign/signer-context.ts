/** Builds the context of bank calls on behalf of the user who signs, who need not be the one who ordered. */

import { requireConsentIdOf, type ScaSession } from '../../authorisations/sca-session.ts'
import type { Bank } from '../../banks/connector/bank.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import type { BankCaller, Connector } from '../../banks/connector/connector.ts'
import type { Consent } from '../../consents/consent.ts'
import { consentOf } from '../../consents/consent-lookup.ts'
import { bankCallerOf } from '../../consents/tokens/bank-caller.ts'
import type { Context } from '../../context.ts'
import { loggedPaymentIds } from '../instruction.ts'
import type { Payment } from '../payment.ts'

/** A bank, and the user on whose behalf it is called. */
export type SignerContext = { readonly bank: Bank; readonly connector: Connector; readonly caller: BankCaller }

/** The consent of the user who signs. */
export async function requireSigner(
  context: Context,
  session: Pick<ScaSession, 'partnerId' | 'consentId'>,
): Promise<Consent> {
  const consentId = requireConsentIdOf(session)
  const signer = await consentOf(context, { partnerId: session.partnerId, consentId })
  if (signer === undefined) {
    throw new Error(`The consent ${consentId} of a signer does not exist`)
  }
  return signer
}

/**
 * The SCA of the first of the payments may have issued access tokens of its own. Throws `unavailable` if the bank is not
 * served.
 */
export async function signerContext(
  context: Context,
  signer: Consent,
  payments: readonly Payment[] = [],
): Promise<SignerContext> {
  const [first] = payments
  const bank = await context.banks.find(signer.bic)
  if (bank === undefined) {
    throw new BankError('unavailable', `The bank ${signer.bic} is not served at the moment`)
  }
  return {
    bank,
    connector: context.banks.connectorOf(bank),
    caller: await bankCallerOf(context, {
      bank,
      consent: signer,
      service: 'PIS',
      psu: null,
      aboutPayments: loggedPaymentIds(payments),
      ...(first && { paymentId: first.id }),
    }),
  }
}
