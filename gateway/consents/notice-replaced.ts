/** Notices the older consents that a bank ended because the same user accepted a newer one. */
import type { Bank } from '../banks/bank.ts'
import { BankRefusal } from '../banks/bank-refusal.ts'
import type { Context } from '../context.ts'
import { bankCallerOf, type Consent } from './consent.ts'
import { listConsentsAtBank, moveConsent } from './consent-store.ts'

/** Reads the other consents in force at this bank and company, across partners: the bank sees us as one third party. */
export async function noticeReplaced(context: Context, bank: Bank, newer: Consent): Promise<void> {
  if (bank.profile.consentReplacement === 'none') {
    return
  }
  const inForce = await listConsentsAtBank(context, bank.bic, newer.organisationNumber)
  await Promise.all(inForce.filter(({ id }) => id !== newer.id).map((consent) => readAnew(context, bank, consent)))
}

async function readAnew(context: Context, bank: Bank, consent: Consent): Promise<void> {
  try {
    const caller = bankCallerOf(bank, consent, null)
    const { state } = await context.banks.connectorOf(bank).consents.read(caller, consent.bankConsentId)
    if (state === 'revoked' || state === 'rejected') {
      await moveConsent(context.database.query, consent, {
        status: 'REVOKED',
        statusReason: 'REPLACED_BY_NEW_CONSENT',
        at: context.clock.now(),
      })
    }
  } catch (error) {
    // The next use of that consent tells; a bank that cannot be read must not hold up the newer one.
    const refusal = error instanceof BankRefusal ? error.kind : String(error)
    context.log.warn({ consentId: consent.id, refusal }, 'an older consent could not be read')
  }
}
