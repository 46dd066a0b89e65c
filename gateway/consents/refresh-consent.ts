/** Reads a consent in force at its bank, and ends it when the bank has ended it. */

import type { ConsentStatus, ConsentStatusReason } from '../../contract/consents.ts'
import type { Bank } from '../banks/connector/bank.ts'
import { isConsentGone } from '../banks/connector/bank-error-classification.ts'
import type { BankConsentState } from '../banks/connector/connector.ts'
import type { Context } from '../context.ts'
import { type Consent, isSameUser, requireBankConsentId } from './consent.ts'
import { listConsentsInForce } from './consent-store.ts'
import { bankCallerOf } from './tokens/bank-caller.ts'
import { transitionConsent } from './transition-consent.ts'

type End = { readonly status: ConsentStatus; readonly statusReason?: ConsentStatusReason }

const endByState: Readonly<Record<BankConsentState['state'], End | null>> = {
  pending: null,
  valid: null,
  rejected: { status: 'REVOKED', statusReason: 'BANK' },
  revoked: { status: 'REVOKED', statusReason: 'BANK' },
  'revoked-by-user': { status: 'REVOKED', statusReason: 'USER' },
  expired: { status: 'EXPIRED' },
}

/**
 * Changes the status when the bank reports that the consent has ended, with the reason if known. Throws the bank's
 * error.
 */
export async function refreshConsent(context: Context, bank: Bank, consent: Consent): Promise<void> {
  const end = endByState[(await readConsentAtBank(context, bank, consent)).state]
  if (end?.statusReason === 'BANK') {
    await recordEndedByBank(context, bank, consent)
  } else if (end !== null) {
    await transitionConsent(context, consent, { ...end, at: context.clock.now() })
  }
}

/**
 * Revokes a consent that its bank has ended without a reason; the reason is the replacement if the same user has a
 * newer one.
 */
export async function recordEndedByBank(context: Context, bank: Bank | undefined, consent: Consent): Promise<void> {
  const isReplaced = bank !== undefined && (await hasNewer(context, bank, consent))
  const statusReason = isReplaced ? 'REPLACED_BY_NEW_CONSENT' : 'BANK'
  await transitionConsent(context, consent, { status: 'REVOKED', statusReason, at: context.clock.now() })
}

/** A consent that the bank does not hold is revoked: banks delete ended consents. Throws the bank's error. */
export async function readConsentAtBank(context: Context, bank: Bank, consent: Consent): Promise<BankConsentState> {
  const caller = await bankCallerOf(context, { bank, consent, service: 'AIS', psu: null })
  try {
    return await context.banks.connectorOf(bank).consents.read(caller, requireBankConsentId(consent))
  } catch (error) {
    if (isConsentGone(error)) {
      return { state: 'revoked', validUntil: null, bankStatus: 'unknown' }
    }
    throw error
  }
}

/** Whether the same user has accepted a newer one, of any partner: to the bank we are one third party. */
async function hasNewer(context: Context, bank: Bank, consent: Consent): Promise<boolean> {
  if (bank.profile.consentReplacement === 'none') {
    return false
  }
  const inForce = await listConsentsInForce(context, { bic: bank.bic, organisationNumber: consent.organisationNumber })
  // For a consent in force, `updatedAt` is the time of acceptance.
  return inForce.some(
    (other) =>
      other.id !== consent.id &&
      isSameUser(other, consent) &&
      Temporal.Instant.compare(other.updatedAt, consent.updatedAt) >= 0,
  )
}
