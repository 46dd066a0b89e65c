/** Finds the payments to which entries on an account belong; ambiguous entries match none. */

import type { Bank } from '../../banks/connector/bank.ts'
import type { BankEntry } from '../../banks/connector/bank-account.ts'
import { statedText } from '../../banks/connector/bank-text.ts'
import type { ConsentAccount } from '../../consents/accounts/consent-account.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { type DebtorAccountNumbers, listMatchCandidates } from '../store/match-store.ts'
import { excludePayrollBookings, findDebtorNumbers, type MatchCriteria, matchCriteriaOf } from './match-criteria.ts'
import { type KeyedEntry, keyEntries, matchEntries } from './match-entries.ts'

/** Ids of payments by their entries. */
type PaymentIds = ReadonlyMap<BankEntry, string>

/**
 * `listed`: all entries with which these could be confused are present. `certain`: they are not, so only exact ids
 * match.
 */
type MatchMode = 'listed' | 'certain'

/** Orders are booked on their due date or later, because of closed days and late signatures. */
const DUE_BEFORE = { days: 40 }

/**
 * Returns a function that finds the payments of one account's entries page by page, with one query each; a payment is
 * matched once. A pending entry counts by its expected booking date.
 */
export function entryPaymentFinder(
  context: Context,
  { consent }: Pick<ConsentCaller, 'consent'>,
  { bank, account }: { readonly bank: Bank; readonly account: ConsentAccount },
): (entries: readonly BankEntry[], mode?: MatchMode) => Promise<PaymentIds> {
  const found = new Set<string>()
  let debtor: DebtorAccountNumbers | undefined
  return async (entries, mode = 'listed') => {
    const debits = entries.filter(({ amount }) => amount.minor < 0n)
    const days = debits
      .flatMap(({ bookedOn, valueOn }) => bookedOn ?? valueOn ?? [])
      .toSorted(Temporal.PlainDate.compare)
    const [first, last] = [days[0], days.at(-1)]
    if (first === undefined || last === undefined) {
      return new Map()
    }
    const amounts = [...new Set(debits.map(({ amount }) => -amount.minor))]
    const range = { amounts, from: first.subtract(DUE_BEFORE), to: last }
    debtor ??= await findDebtorNumbers(context, consent, account)
    if (debtor.numbers.length === 0) {
      return new Map()
    }
    const payments = (await listMatchCandidates(context.database, debtor, range))
      .filter(({ id }) => !found.has(id))
      .map((payment) => matchCriteriaOf(payment, bank))
    const candidates = await excludePayrollBookings(context.database, debtor, debits, payments)
    const ids = matchEntriesToPayments({ debits, candidates: new Set(candidates) }, payments, mode)
    for (const id of ids.values()) {
      found.add(id)
    }
    return ids
  }
}

/** Matches entries that have settled a payment first, then other booked entries, then pending ones. */
function matchEntriesToPayments(
  { debits, candidates }: { readonly debits: readonly BankEntry[]; readonly candidates: ReadonlySet<BankEntry> },
  payments: readonly MatchCriteria[],
  mode: MatchMode,
): PaymentIds {
  const ids = new Map<BankEntry, string>()
  const used = new Set<string>()
  const assign = (entry: BankEntry | undefined, id: string) => {
    if (entry !== undefined && !ids.has(entry)) {
      ids.set(entry, id)
      used.add(id)
    }
  }
  const settledBy = Map.groupBy(payments, (payment) => payment.settledBy)
  for (const entry of debits) {
    const [payment] = settledBy.get(`id ${entry.transactionId}`) ?? []
    const isOwn = payment !== undefined && !used.has(payment.id) && payment.amount.minor === -entry.amount.minor
    if (isOwn && entry.status === 'booked') {
      assign(entry, payment.id)
    }
  }
  for (const status of ['booked', 'pending'] as const) {
    const open = payments.filter(({ id }) => !used.has(id))
    const isFree = (entry: BankEntry) => entry.status === status && !ids.has(entry) && candidates.has(entry)
    const free = debits.filter((entry) => isFree(entry) && isCertainMatch(entry, open, mode))
    const { keyed, entryByKey } = keyedByDay(free)
    for (const { payment, entry } of matchEntries(open, keyed)) {
      assign(entryByKey.get(entry), payment.id)
    }
  }
  return ids
}

/** If no endToEndId was sent to the bank, the id of the entry is the bank's own and identifies no payment. */
function isCertainMatch(entry: BankEntry, payments: readonly MatchCriteria[], mode: MatchMode): boolean {
  const endToEndId = statedText(entry.endToEndId)
  const isNamed = ({ bankEndToEndId, endToEndId: fullEndToEndId }: MatchCriteria) =>
    endToEndId === bankEndToEndId || endToEndId === fullEndToEndId
  return mode === 'listed' || (endToEndId !== null && payments.some(isNamed))
}

/** The keys are in the order of the entries. */
function keyedByDay(entries: readonly BankEntry[]): {
  readonly keyed: readonly KeyedEntry[]
  readonly entryByKey: ReadonlyMap<string, BankEntry>
} {
  const keyed = keyEntries(entries.map((entry) => ({ ...entry, bookedOn: entry.bookedOn ?? entry.valueOn })))
  return { keyed, entryByKey: new Map(entries.map((entry, n) => [keyed[n]?.key ?? '', entry])) }
}
