/** Builds the criteria by which the entry of a payment is recognised on its account, and their date range. */

import type { Bank } from '../../banks/connector/bank.ts'
import type { BankEntry, BookedEntry } from '../../banks/connector/bank-account.ts'
import { endToEndIdFor } from '../../banks/connector/shorten-end-to-end-id.ts'
import { type ConsentAccount, matchesAccountNumber } from '../../consents/accounts/consent-account.ts'
import type { Consent } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { parseDebtorAccountNumber } from '../../countries/account-number.ts'
import { parsePaymentForm } from '../../countries/served-countries.ts'
import type { Database } from '../../platform/database/database.ts'
import { crossBorderMessageOf } from '../parse/cross-border-parts.ts'
import { executionDay } from '../parse/execution-day.ts'
import type { PartnerPayment } from '../payment.ts'
import {
  type DateRange,
  type DebtorAccountNumbers,
  listDebtorNumbers,
  listPayrollBookingDays,
} from '../store/match-store.ts'
import type { MatchablePayment } from './match-entries.ts'

/** Banks book on the day of execution or, after closed days or delays, on one of the next days. */
const BOOKED_WITHIN = { days: 10 }
/** An entry with amount and creditor only may belong to another payment, more likely so the later it is. */
const BOOKED_UNNAMED_WITHIN = { days: 5 }
/** Banks show entries a day or two after the booking. */
const SHOWN_WITHIN = { days: 2 }
/** A signature in the online bank is only seen at the next poll, which outages may delay. */
const SIGNED_BEFORE_KNOWN = { days: 7 }

/** A payment that awaits its entry. */
export type MatchCriteria = PartnerPayment & MatchablePayment

/** Returns the criteria of payments that can still be matched on a day; older ones are left to operators. */
export function matchCriteriaOn(
  today: Temporal.PlainDate,
  payments: readonly PartnerPayment[],
  bank: Bank,
): readonly MatchCriteria[] {
  return payments
    .map((payment) => matchCriteriaOf(payment, bank))
    .filter(({ lastDay }) => Temporal.PlainDate.compare(today, lastDay.add(SHOWN_WITHIN)) <= 0)
}

/** Returns the criteria of one payment, on any day. */
export function matchCriteriaOf(payment: PartnerPayment, bank: Bank): MatchCriteria {
  return {
    ...payment,
    ...bookedWithin(payment, bank),
    bankEndToEndId: endToEndIdFor(payment.endToEndId, bank.supports),
    texts: textsOf(payment, bank),
  }
}

/** Nothing is booked before the due date or long before the signature is known. */
function bookedWithin(
  payment: PartnerPayment,
  bank: Bank,
): Pick<MatchablePayment, 'firstDay' | 'lastDay' | 'lastDayWithoutId'> {
  const executed = executionDay(payment, bank, payment.createdAt)
  const signed = (payment.signedAt ?? payment.createdAt).toZonedDateTimeISO(bank.profile.timeZone).toPlainDate()
  const earliest = signed.subtract(SIGNED_BEFORE_KNOWN)
  return {
    firstDay: Temporal.PlainDate.compare(earliest, payment.dueDate) > 0 ? earliest : payment.dueDate,
    lastDay: executed.add(BOOKED_WITHIN),
    lastDayWithoutId: executed.add(BOOKED_UNNAMED_WITHIN),
  }
}

function textsOf(payment: PartnerPayment, { countryCode }: Bank): readonly string[] {
  if (payment.type === 'CrossBorder') {
    return payment.exchange === null ? [crossBorderMessageOf(payment.ordered)] : []
  }
  const { remittanceInformation: remittance } = payment.ordered
  switch (remittance?.type) {
    case undefined:
      return []
    case 'fik': {
      const form = parsePaymentForm(countryCode, remittance)
      return [form?.paymentId, form?.message].flatMap((text) => text ?? [])
    }
    case 'message':
    case 'ocr':
      return [remittance.value]
  }
}

/**
 * Returns the numbers under which payments from an account are stored: partners may have ordered by number or by IBAN where the
 * number cannot be derived from the IBAN.
 */
export async function findDebtorNumbers(
  { database }: Context,
  { partnerId, bic, countryCode }: Consent,
  account: Pick<ConsentAccount, 'bban' | 'iban'>,
): Promise<DebtorAccountNumbers> {
  const isOfAccount = (number: string) => matchesAccountNumber(account, parseDebtorAccountNumber(countryCode, number))
  const numbers =
    account.bban === null ? (await listDebtorNumbers(database, { partnerId, bic })).filter(isOfAccount) : [account.bban]
  return { partnerId, bic, numbers }
}

/** Returns the entries without those of possible payroll booking days, unless they name the endToEndId of a payment. */
export async function excludePayrollBookings<Entry extends BookedEntry | BankEntry>(
  database: Database<unknown>,
  account: DebtorAccountNumbers,
  entries: readonly Entry[],
  payments: readonly Pick<MatchCriteria, 'bankEndToEndId' | 'endToEndId'>[],
): Promise<readonly Entry[]> {
  const days = entries.flatMap((entry) => dayOf(entry) ?? []).toSorted(Temporal.PlainDate.compare)
  const [from, to] = [days[0], days.at(-1)]
  if (from === undefined || to === undefined || payments.length === 0) {
    return entries
  }
  const salaries = await listPayrollBookingDays(database, account, { from, to })
  const mayBeSalary = (entry: Entry) => salaries.some((run) => isWithin(dayOf(entry), run))
  const ids = new Set(payments.flatMap(({ bankEndToEndId, endToEndId }) => [bankEndToEndId, endToEndId]))
  return entries.filter((entry) => !mayBeSalary(entry) || (entry.endToEndId !== null && ids.has(entry.endToEndId)))
}

/** Pending entries have only the booking date that the bank expects. */
function dayOf(entry: BookedEntry | BankEntry): Temporal.PlainDate | null {
  return entry.bookedOn ?? ('valueOn' in entry ? entry.valueOn : null)
}

function isWithin(day: Temporal.PlainDate | null, { from, to }: DateRange): boolean {
  return day === null || (Temporal.PlainDate.compare(day, from) >= 0 && Temporal.PlainDate.compare(day, to) <= 0)
}
