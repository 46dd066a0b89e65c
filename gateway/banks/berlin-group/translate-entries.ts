/** Translates what a bank has booked on an account. */
import type { BookedEntry } from '../bank-account.ts'
import { numberIn } from './account-reference.ts'
import { dateOf } from './translate.ts'
import { signedMoney } from './translate-accounts.ts'
import type { Entry } from './wire-accounts.ts'

/** What banks write where nobody gave an end-to-end id (ISO 20022). */
const NOT_PROVIDED = 'NOTPROVIDED'

/** Oldest first; entries of one day stay in the bank's order. An entry whose amount cannot be read is left out. */
export function entriesOf(entries: readonly Entry[], countryCode: string): readonly BookedEntry[] {
  return entries
    .flatMap((entry) => entryOf(entry, countryCode) ?? [])
    .sort((one, other) => dayOf(one).localeCompare(dayOf(other)))
}

function entryOf(entry: Entry, countryCode: string): BookedEntry | undefined {
  const { amount, currency } = entry.transactionAmount
  const money = signedMoney(amount, currency)
  if (money === null) {
    return undefined
  }
  const isDebit = money.minor < 0n
  const counterparty = isDebit ? entry.creditorAccount : entry.debtorAccount
  const endToEndId = entry.endToEndId === NOT_PROVIDED ? undefined : entry.endToEndId
  return {
    transactionId: entry.transactionId ?? entry.entryReference ?? null,
    amount: money,
    bookedOn: dateOf(entry.bookingDate),
    counterpartyBban: numberIn(counterparty, countryCode),
    counterpartyIban: counterparty?.iban ?? null,
    counterpartyName: (isDebit ? entry.creditorName : entry.debtorName) ?? null,
    endToEndId: endToEndId ?? null,
    reference: referenceOf(entry),
    message: entry.remittanceInformationUnstructured ?? entry.remittanceInformationUnstructuredArray?.join('') ?? null,
  }
}

function referenceOf(entry: Entry): string | null {
  const structured = entry.remittanceInformationStructured
  const single = typeof structured === 'string' ? structured : structured?.reference
  return single ?? entry.remittanceInformationStructuredArray?.[0]?.reference ?? null
}

/** Entries without a day come first: they are the ones that nobody should overlook. */
function dayOf({ bookedOn }: BookedEntry): string {
  return bookedOn?.toString() ?? ''
}
