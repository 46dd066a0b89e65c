/** Finds the payments that entries on an account belong to. In doubt it finds none. */

import type { BankEntry } from '../../banks/connector/bank-account.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import { type ConsentAccount, isAccount } from '../../consents/accounts/consent-account.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { senderNumber } from '../../countries/debtor-account-number.ts'
import { type KeyedEntry, keyEntries, matchEntries } from '../../payments/match-entries.ts'
import { type Sought, soughtAt } from '../../payments/sought-payment.ts'
import { besideSalaries } from './exclude-payroll-bookings.ts'
import { listDebitable, listDebtorNumbers } from './match-candidate-store.ts'

/** Ids of payments by the entries that are theirs. */
type PaymentIds = ReadonlyMap<BankEntry, string>

/** `listed` entries have those beside them that could be taken for them; of others only the `certain` ones are found. */
type How = 'listed' | 'certain'

/** Orders are booked on their due day or some days later, after closing days and signatures that came late. */
const DUE_BEFORE = { days: 40 }

/**
 * Makes what finds the payments of one account's entries, page by page with one query each; a payment is found once. A
 * pending entry is judged by the day that the bank expects.
 */
export function paymentFinder(
  context: Pick<Context, 'database'>,
  { consent }: Pick<ConsentCaller, 'consent'>,
  { bank, account }: { readonly bank: Bank; readonly account: ConsentAccount },
): (entries: readonly BankEntry[], how?: How) => Promise<PaymentIds> {
  const found = new Set<string>()
  const at = { partnerId: consent.partnerId, bic: bank.bic }
  let numbers: readonly string[] | undefined
  return async (entries, how = 'listed') => {
    const debits = entries.filter(({ amount }) => amount.minor < 0n)
    const days = debits
      .flatMap(({ bookedOn, valueOn }) => bookedOn ?? valueOn ?? [])
      .toSorted(Temporal.PlainDate.compare)
    const [first, last] = [days[0], days.at(-1)]
    if (first === undefined || last === undefined) {
      return new Map()
    }
    const amounts = [...new Set(debits.map(({ amount }) => -amount.minor))]
    const asked = { amounts, from: first.subtract(DUE_BEFORE), to: last }
    numbers ??= await numbersOf(context, at, consent.countryCode, account)
    if (numbers.length === 0) {
      return new Map()
    }
    const payments = (await listDebitable(context.database, { ...at, numbers }, asked))
      .filter(({ id }) => !found.has(id))
      .map((payment) => soughtAt(payment, bank))
    const told = await besideSalaries(context.database, { ...at, numbers }, debits, payments)
    const ids = matched({ debits, told: new Set(told) }, payments, how)
    for (const id of ids.values()) {
      found.add(id)
    }
    return ids
  }
}

/** Where the number cannot be told from the IBAN, partners have ordered by either. */
async function numbersOf(
  { database }: Pick<Context, 'database'>,
  at: { readonly partnerId: string; readonly bic: string },
  countryCode: string,
  account: ConsentAccount,
): Promise<readonly string[]> {
  return account.bban === null
    ? (await listDebtorNumbers(database, at)).filter((number) => isAccount(account, senderNumber(countryCode, number)))
    : [account.bban]
}

/** First what has settled a payment before, then booked entries, then those that are still to be. */
function matched(
  { debits, told }: { readonly debits: readonly BankEntry[]; readonly told: ReadonlySet<BankEntry> },
  payments: readonly Sought[],
  how: How,
): PaymentIds {
  const ids = new Map<BankEntry, string>()
  const used = new Set<string>()
  const note = (entry: BankEntry | undefined, id: string) => {
    if (entry !== undefined && !ids.has(entry)) {
      ids.set(entry, id)
      used.add(id)
    }
  }
  const settledBy = Map.groupBy(payments, (payment) => payment.settledBy)
  for (const entry of debits) {
    const [payment] = settledBy.get(`id ${entry.transactionId}`) ?? []
    if (payment !== undefined && entry.status === 'booked') {
      note(entry, payment.id)
    }
  }
  for (const status of ['booked', 'pending'] as const) {
    const open = payments.filter(({ id }) => !used.has(id))
    const isFree = (entry: BankEntry) => entry.status === status && !ids.has(entry) && told.has(entry)
    const free = debits.filter((entry) => isFree(entry) && mayBeTold(entry, open, how))
    const { keyed, entryByKey } = keyedByDay(free)
    for (const { payment, entry } of matchEntries(open, keyed)) {
      note(entryByKey.get(entry), payment.id)
    }
  }
  return ids
}

/** Where the bank was given no id, one that an entry names is the bank's own, and speaks for no payment. */
function mayBeTold({ endToEndId }: BankEntry, payments: readonly Sought[], how: How): boolean {
  const isNamed = ({ sentId, endToEndId: whole }: Sought) => endToEndId === sentId || endToEndId === whole
  return how === 'listed' || (endToEndId !== null && payments.some(isNamed))
}

/** Keys come in the order of the entries. */
function keyedByDay(entries: readonly BankEntry[]): {
  readonly keyed: readonly KeyedEntry[]
  readonly entryByKey: ReadonlyMap<string, BankEntry>
} {
  const keyed = keyEntries(entries.map((entry) => ({ ...entry, bookedOn: entry.bookedOn ?? entry.valueOn })))
  return { keyed, entryByKey: new Map(entries.map((entry, n) => [keyed[n]?.key ?? '', entry])) }
}
