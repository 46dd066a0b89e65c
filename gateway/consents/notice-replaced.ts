/** Notices the older consents that a bank ended because the same user accepted a newer one. */
import type { Bank } from '../banks/bank.ts'
import { BankRefusal } from '../banks/bank-refusal.ts'
import type { Context } from '../context.ts'
import { retryAt } from '../foundation/retry-delay.ts'
import { checkAtBank } from './check-at-bank.ts'
import type { Consent } from './consent.ts'
import { setConsentDue } from './consent-due-store.ts'
import { listConsentsAtBank } from './consent-store.ts'

/** Between the attempts while one of them cannot be read. */
const READ_AGAIN = { leastSeconds: 300, mostSeconds: 21_600 }

/**
 * Reads the other consents in force at this bank and company, across partners: the bank sees us as one third party.
 * Until all could be read the newer one stays due; after that it is due when its validity ends.
 */
export async function noticeReplaced(context: Context, bank: Bank, newer: Consent): Promise<void> {
  const isAllRead = bank.profile.consentReplacement === 'none' || (await readOthers(context, bank, newer))
  const again = retryAt(newer.updatedAt, context.clock.now(), READ_AGAIN)
  const isSooner = Temporal.Instant.compare(again, newer.validUntil) < 0
  await setConsentDue(context.database, newer, isAllRead || !isSooner ? newer.validUntil : again)
}

async function readOthers(context: Context, bank: Bank, newer: Consent): Promise<boolean> {
  const inForce = await listConsentsAtBank(context, bank.bic, newer.organisationNumber)
  const others = inForce.filter(({ id }) => id !== newer.id)
  const read = await Promise.all(others.map((older) => readAnew(context, bank, { older, newer })))
  return read.every((isRead) => isRead)
}

async function readAnew(
  context: Context,
  bank: Bank,
  { older, newer }: { readonly older: Consent; readonly newer: Consent },
): Promise<boolean> {
  try {
    const isSameUser = older.userId === newer.userId
    await checkAtBank(context, bank, older, isSameUser ? 'REPLACED_BY_NEW_CONSENT' : undefined)
    return true
  } catch (error) {
    // A bank that cannot be read must not hold up the newer one.
    const refusal = error instanceof BankRefusal ? error.kind : String(error)
    context.log.warn({ consentId: older.id, refusal }, 'an older consent could not be read')
    return false
  }
}
