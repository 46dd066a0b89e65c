/** Finds how a bank is asked on behalf of the user who signs, who need not be the one that ordered. */

import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { BankCaller, Connector } from '../banks/connector/connector.ts'
import type { Bank } from '../banks/directory/bank.ts'
import { callerAtBank } from '../consents/caller-at-bank.ts'
import { consentOf } from '../consents/find-consent.ts'
import type { Context } from '../context.ts'
import { consentIdOf, type Signing } from '../signing/signing.ts'

/** A bank, and on whose behalf it is asked there. */
export type SignerAtBank = { readonly bank: Bank; readonly connector: Connector; readonly caller: BankCaller }

type OfSigning = Pick<Signing, 'partnerId' | 'consentId'> & {
  /** A payment whose own signing may have opened it. */
  readonly paymentId?: string
}

/** The bank of a consent, asked as the consent's user. Throws `unavailable` when the bank is not served. */
export async function signerAtBank(context: Context, { paymentId, ...signing }: OfSigning): Promise<SignerAtBank> {
  const consentId = consentIdOf(signing)
  const signer = await consentOf(context, { partnerId: signing.partnerId, consentId })
  if (signer === undefined) {
    throw new Error(`The consent ${consentId} of a signer is not there`)
  }
  const bank = await context.banks.find(signer.bic)
  if (bank === undefined) {
    throw new BankRefusal('unavailable', `The bank ${signer.bic} is not served at this moment`)
  }
  return {
    bank,
    connector: context.banks.connectorOf(bank),
    caller: await callerAtBank(context, { bank, consent: signer, psu: null, ...(paymentId && { paymentId }) }),
  }
}
