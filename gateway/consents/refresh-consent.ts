/** Reads a consent in force at its bank, and takes it out of force when the bank has ended it. */
import type { ConsentStatus, ConsentStatusReason } from '../../contract/consents.ts'
import type { BankConsentState } from '../banks/connector/bank-consent.ts'
import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { BankCaller } from '../banks/connector/connector.ts'
import type { Bank } from '../banks/directory/bank.ts'
import type { Context } from '../context.ts'
import { callerAtBank } from './caller-at-bank.ts'
import { type Consent, heldConsentId } from './consent.ts'
import { listConsentsAtBank } from './consent-store.ts'
import { moveConsent } from './consent-transition-store.ts'

type End = { readonly status: ConsentStatus; readonly statusReason?: ConsentStatusReason }

const endByState: Readonly<Record<BankConsentState['state'], End | null>> = {
  pending: null,
  valid: null,
  rejected: { status: 'REVOKED', statusReason: 'BANK' },
  revoked: { status: 'REVOKED', statusReason: 'BANK' },
  'revoked-by-user': { status: 'REVOKED', statusReason: 'USER' },
  expired: { status: 'EXPIRED' },
}

/** Moves the consent when the bank says that it has ended, with the reason where that can be told. Throws the bank's refusal. */
export async function lookAtConsent(context: Context, bank: Bank, consent: Consent): Promise<void> {
  const caller = await callerAtBank(context, { bank, consent, psu: null })
  const end = endByState[await stateAt(context, bank, caller, heldConsentId(consent))]
  if (end?.statusReason === 'BANK') {
    await noteEndedByBank(context, bank, consent)
  } else if (end !== null) {
    await moveConsent(context.database.query, consent, { ...end, at: context.clock.now() })
  }
}

/** Revokes a consent that its bank has ended without a word of why: where the same user has a newer one, for that. */
export async function noteEndedByBank(context: Context, bank: Bank | undefined, consent: Consent): Promise<void> {
  const isReplaced = bank !== undefined && (await hasNewer(context, bank, consent))
  const statusReason = isReplaced ? 'REPLACED_BY_NEW_CONSENT' : 'BANK'
  await moveConsent(context.database.query, consent, { status: 'REVOKED', statusReason, at: context.clock.now() })
}

/** One that the bank does not know any more is revoked there: banks forget what has ended. */
async function stateAt(
  { banks }: Context,
  bank: Bank,
  caller: BankCaller,
  bankConsentId: string,
): Promise<BankConsentState['state']> {
  try {
    return (await banks.connectorOf(bank).consents.read(caller, bankConsentId)).state
  } catch (error) {
    if (error instanceof BankRefusal && error.kind === 'consent-invalid') {
      return 'revoked'
    }
    throw error
  }
}

/** Whether the same user has accepted a newer one, of any partner: the bank sees us as one third party. */
async function hasNewer(context: Context, bank: Bank, { id, organisationNumber, userId, updatedAt }: Consent) {
  if (bank.profile.consentReplacement === 'none') {
    return false
  }
  const inForce = await listConsentsAtBank(context, bank.bic, organisationNumber)
  // What is in force has changed last when it was accepted.
  return inForce.some(
    (other) => other.id !== id && other.userId === userId && Temporal.Instant.compare(other.updatedAt, updatedAt) >= 0,
  )
}
