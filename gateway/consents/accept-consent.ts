/** Puts a consent in force that the user has accepted: reads it and its accounts at the bank, and keeps both. */
import type { Bank } from '../banks/bank.ts'
import { BankRefusal } from '../banks/bank-refusal.ts'
import type { Context } from '../context.ts'
import { companyOf } from '../onboarding/require-company.ts'
import { bankCallerOf, type Consent } from './consent.ts'
import { accountsOfCompany, type ConsentAccount } from './consent-account.ts'
import { replaceAccounts } from './consent-account-store.ts'
import { moveConsent } from './consent-store.ts'
import { noticeReplaced } from './notice-replaced.ts'

/** Repeating it changes nothing. Throws the bank's refusal while the bank does not show the consent as valid. */
export async function acceptConsent(context: Context, consent: Consent): Promise<void> {
  if (consent.status !== 'AUTHORIZATION_REQUIRED') {
    return
  }
  const bank = await context.banks.find(consent.bic)
  if (bank === undefined) {
    throw new BankRefusal('unavailable', `The bank ${consent.bic} is not served at this moment`)
  }
  const validUntil = await readValidity(context, bank, consent)
  const accounts = await readAccounts(context, bank, consent)
  await context.database.query.transaction().execute(async (transaction) => {
    const at = context.clock.now()
    if (await moveConsent(transaction, consent, { status: 'ACCEPTED', at, validUntil, dueAt: validUntil })) {
      await replaceAccounts(transaction, { partnerId: consent.partnerId, consentId: consent.id }, accounts)
    }
  })
  await noticeReplaced(context, bank, consent)
}

async function readValidity(context: Context, bank: Bank, consent: Consent): Promise<Temporal.Instant> {
  const caller = bankCallerOf(bank, consent, null)
  const { state, validUntil, bankStatus } = await context.banks
    .connectorOf(bank)
    .consents.read(caller, consent.bankConsentId)
  if (state !== 'valid') {
    throw new BankRefusal('unavailable', `The bank says ${bankStatus} of a consent that was signed`)
  }
  return validUntil === null
    ? consent.validUntil
    : validUntil.add({ days: 1 }).toZonedDateTime(bank.profile.timeZone).toInstant()
}

async function readAccounts(context: Context, bank: Bank, consent: Consent): Promise<readonly ConsentAccount[]> {
  const company = await companyOf(context, consent)
  const accounts = context.banks.connectorOf(bank).accounts
  if (company === null || accounts === undefined) {
    return []
  }
  return accountsOfCompany(bank, company, await accounts.list(bankCallerOf(bank, consent, null)))
}
