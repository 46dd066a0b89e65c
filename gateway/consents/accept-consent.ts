/** Puts a consent in force that the user has accepted: reads it and its accounts at the bank, and keeps both. */

import type { BankConsentState } from '../banks/connector/bank-consent.ts'
import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { Bank } from '../banks/directory/bank.ts'
import { companyOf } from '../companies/require-company.ts'
import type { Context } from '../context.ts'
import { accountsOfCompany, type ConsentAccount } from './accounts/consent-account.ts'
import { replaceAccounts } from './accounts/consent-account-store.ts'
import { callerAtBank } from './caller-at-bank.ts'
import { AUTHORISE_WITHIN, type Consent, heldConsentId, nextLook } from './consent.ts'
import { moveConsent } from './consent-transition-store.ts'
import { noticeReplaced } from './detect-replaced-consents.ts'
import { countingOnly } from './unattended-reads/unattended-reads.ts'

/** Repeating it changes nothing. Throws the bank's refusal while the bank does not show the consent as valid. */
export async function acceptConsent(context: Context, consent: Consent): Promise<void> {
  if (consent.status !== 'AUTHORIZATION_REQUIRED') {
    return
  }
  const bank = await context.banks.find(consent.bic)
  if (bank === undefined) {
    throw new BankRefusal('unavailable', `The bank ${consent.bic} is not served at this moment`)
  }
  const caller = await callerAtBank(context, { bank, consent, psu: null })
  const read = await context.banks.connectorOf(bank).consents.read(caller, heldConsentId(consent))
  if (read.state === 'valid') {
    await putInForce(context, bank, { ...consent, validUntil: validityOf(bank, consent, read) })
  } else {
    await endUnaccepted(context, consent, read)
  }
}

/** The older consents are looked at when it is kept: a process that dies in between leaves that to the sweep. */
async function putInForce(context: Context, bank: Bank, consent: Consent): Promise<void> {
  const accounts = await readAccounts(context, bank, consent)
  const { partnerId, id: consentId, validUntil } = consent
  const at = context.clock.now()
  const change = { status: 'ACCEPTED', at, validUntil, dueAt: at, lookAt: nextLook(at) } as const
  await context.database.query.transaction().execute(async (transaction) => {
    if (await moveConsent(transaction, consent, change)) {
      await replaceAccounts({ query: transaction }, { partnerId, consentId }, accounts)
    }
  })
  await noticeReplaced(context, bank, { ...consent, status: 'ACCEPTED', updatedAt: at })
}

/** The user signed, and the bank does not put the consent in force: it refused, or waits until the time is over. */
async function endUnaccepted(context: Context, consent: Consent, read: BankConsentState): Promise<void> {
  const at = context.clock.now()
  const isLate = Temporal.Instant.compare(at, consent.createdAt.add(AUTHORISE_WITHIN)) >= 0
  if (read.state !== 'pending') {
    await moveConsent(context.database.query, consent, { status: 'REJECTED', statusReason: 'BANK', at })
  } else if (isLate) {
    await moveConsent(context.database.query, consent, { status: 'CANCELLED', at })
  } else {
    throw new BankRefusal('unavailable', `The bank says ${read.bankStatus} of a consent that was signed`)
  }
}

function validityOf(bank: Bank, consent: Consent, { validUntil }: BankConsentState): Temporal.Instant {
  return validUntil === null
    ? consent.validUntil
    : validUntil.add({ days: 1 }).toZonedDateTime(bank.profile.timeZone).toInstant()
}

/** The user has accepted, whatever the bank shows today: the next list fills what it does not show now. */
async function readAccounts(context: Context, bank: Bank, consent: Consent): Promise<readonly ConsentAccount[]> {
  const company = await companyOf(context, consent)
  const accounts = context.banks.connectorOf(bank).accounts
  if (company === null || accounts === undefined) {
    return []
  }
  const list = async () => accounts.list(await callerAtBank(context, { bank, consent, psu: null }))
  const listed = await countingOnly(context, { bank, consent, kind: 'accounts' }, list)
  if (listed === null) {
    context.log.warn({ consentId: consent.id }, 'a bank shows no accounts of a new consent for today')
  }
  return accountsOfCompany(bank, company, listed ?? [])
}
