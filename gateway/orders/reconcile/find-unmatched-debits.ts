/** Reads the debits of an account, and finds those that name an order which the database does not hold as executed. */
import type { Bank } from '../../banks/connector/bank.ts'
import type { BankEntry, DayRange } from '../../banks/connector/bank-account.ts'
import { statedText } from '../../banks/connector/bank-text.ts'
import type { AccountProduct } from '../../banks/connector/connector.ts'
import { endToEndIdFor } from '../../banks/connector/shorten-end-to-end-id.ts'
import type { ConsentAccount } from '../../consents/accounts/consent-account.ts'
import { bankCallerOf, callBank } from '../../consents/call-bank.ts'
import type { Consent } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { instructionOf } from '../instruction.ts'
import { entryPaymentFinder } from '../match/entry-payment-finder.ts'
import { findDebtorNumbers } from '../match/match-criteria.ts'
import { hasEndedUnpaid } from '../payment.ts'
import { listPayrollBookingDays } from '../store/match-store.ts'
import { listPaymentsNamed, listRecentEndToEndIds, type NamedPayment } from '../store/reconciliation-store.ts'

/** An account under a consent, at its bank. */
export type AccountAtBank = {
  readonly bank: Bank
  readonly consent: Consent
  readonly account: ConsentAccount
  readonly accounts: AccountProduct
}

/** A debit that names its order; `ended` is the payment that the database holds as not executed. */
export type UnmatchedDebit = { readonly entry: NamedEntry; readonly ended: NamedPayment | null }

type NamedEntry = BankEntry & { readonly endToEndId: string }

/** Entries of others are not returned: those without an endToEndId, or with one of a form that the partner never used. */
export async function findUnmatchedDebits(
  context: Context,
  at: AccountAtBank,
  days: DayRange,
): Promise<{ readonly debits: number; readonly unmatched: readonly UnmatchedDebit[] }> {
  const paymentsOf = entryPaymentFinder(context, at, at)
  const named: NamedEntry[] = []
  let debits = 0
  for await (const page of entriesOf(context, at, days)) {
    const matched = await paymentsOf(page)
    const ofPage = page.filter(({ amount }) => amount.minor < 0n)
    debits += ofPage.length
    named.push(...ofPage.filter((entry) => !matched.has(entry)).filter(isNamed))
  }
  return { debits, unmatched: named.length === 0 ? [] : await compare(context, at, named, days) }
}

async function* entriesOf(context: Context, at: AccountAtBank, days: DayRange): AsyncIterable<readonly BankEntry[]> {
  const { bank, consent, account, accounts } = at
  const request = { bank, consent, service: 'AIS', psu: null } as const
  const caller = await bankCallerOf(context, request)
  const which = bank.profile.entries.pending ? 'both' : 'booked'
  yield* accounts.entries(caller, account.resourceId, { days, which }, (call) => callBank(context, request, call))
}

function isNamed(entry: BankEntry): entry is NamedEntry {
  return statedText(entry.endToEndId) !== null
}

async function compare(
  context: Context,
  { consent, bank, account }: AccountAtBank,
  entries: readonly NamedEntry[],
  days: DayRange,
): Promise<readonly UnmatchedDebit[]> {
  const { database } = context
  const { partnerId } = consent
  const recent = (await listRecentEndToEndIds(database, partnerId)).flatMap((id) =>
    sentIdsOf(bank, id).map((sent) => ({ id, sent })),
  )
  const recentBySentId = Map.groupBy(recent, ({ sent }) => sent)
  const idsOf = ({ endToEndId: sent }: NamedEntry) => [sent, ...(recentBySentId.get(sent) ?? []).map(({ id }) => id)]
  const ids = [...new Set(entries.flatMap(idsOf))]
  const paymentsById = Map.groupBy(await listPaymentsNamed(database, partnerId, ids), ({ endToEndId }) => endToEndId)
  const forms = new Set(recent.flatMap(({ id, sent }) => formsOfSentId(id, sent)))
  const payrollDays = await listPayrollBookingDays(database, await findDebtorNumbers(context, consent, account), days)
  const mayBeSalary = ({ bookedOn, valueOn }: NamedEntry) =>
    payrollDays.some(({ from, to }) => isBetween(bookedOn ?? valueOn, from, to))
  return entries.flatMap((entry) => {
    const payments = [...new Set(idsOf(entry))].flatMap((id) => paymentsById.get(id) ?? [])
    if (payments.some((payment) => !hasEnded(payment))) {
      return []
    }
    const [ended = null] = payments
    // The contents of bulks and files are sealed, so that their entries cannot be compared.
    const isOurs = forms.has(endToEndIdForm(entry.endToEndId)) && !mayBeSalary(entry)
    return ended !== null || isOurs ? [{ entry, ended }] : []
  })
}

/** An id as the bank's entries have it, of a domestic and of a cross-border payment. */
function sentIdsOf({ supports }: Bank, id: string): readonly string[] {
  const sent = [supports, supports.crossBorder].flatMap((product) => (product && endToEndIdFor(id, product)) ?? [])
  return [...new Set(sent)]
}

/** Of a shortened id with letters in its digest, and with none. */
function formsOfSentId(id: string, sent: string): readonly string[] {
  const form = endToEndIdForm(sent)
  return sent === id ? [form] : [form, form.replace(/[#0]$/, '#'), form.replace(/[#0]$/, '0')]
}

/** Nothing is concluded about private orders, whose amounts are sealed. */
function hasEnded(order: NamedPayment): boolean {
  return (order.outcome === 'void' || hasEndedUnpaid(order)) && !instructionOf(order).isPrivate
}

function isBetween(day: Temporal.PlainDate | null, from: Temporal.PlainDate, to: Temporal.PlainDate): boolean {
  return day !== null && Temporal.PlainDate.compare(day, from) >= 0 && Temporal.PlainDate.compare(day, to) <= 0
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** A UUID that is too long for a bank, as most banks get it. */
const SHORTENED_UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){1,3}(-[0-9a-f]{1,11})?-[0-9a-f]{8}$/i
/** Any other id that is. A digest without letters looks like a number. */
const SHORTENED = /^(.+)-(?=\d*[a-f])[0-9a-f]{8}$/
const SEPARATED = /([^\p{L}\p{N}]+)/u

/** The form of an id: `INV-2026-0042` becomes `INV-0-0`, a token of letters and digits `x`, a digest at its end `#`. */
export function endToEndIdForm(endToEndId: string): string {
  if (UUID.test(endToEndId) || SHORTENED_UUID.test(endToEndId)) {
    return 'uuid'
  }
  const [, beforeDigest] = SHORTENED.exec(endToEndId) ?? []
  return beforeDigest === undefined ? formOfTokens(endToEndId) : `${formOfTokens(beforeDigest)}-#`
}

function formOfTokens(text: string): string {
  return text.split(SEPARATED).map(formOfToken).join('')
}

function formOfToken(token: string): string {
  const [, prefix] = /^(\p{L}*)\d+$/u.exec(token) ?? []
  if (prefix !== undefined) {
    return `${prefix}0`
  }
  return /\d/.test(token) ? 'x' : token
}
