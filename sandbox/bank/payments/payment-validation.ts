/** What the bank demands of a payment order beyond its form; every problem is found, not only the first. */
import { parseMoney, scaleOf } from '../../../gateway/platform/money.ts'
import { businessDay, isClearingDay, parseDay } from '../bank-calendar.ts'
import type { BankProfile } from '../fixture.ts'
import { rulesOf } from '../national/rules-by-country.ts'
import { formatProblem, type RefusalMessage } from '../refusal.ts'
import type { PaymentOrder } from './payment-order.ts'

/** Longest text for the payer's own statement. */
const OWN_TEXT_MAX = 35

/** An order in a bulk has neither a payer nor a day of its own. */
type RuledOrder = Omit<PaymentOrder, 'debtorAccount'>
type Rule = (bank: BankProfile, order: RuledOrder, now: Temporal.Instant) => readonly RefusalMessage[]

const domesticRules: readonly Rule[] = [amountIsPayable, creditorIsNamed, ownTextFits, endToEndIdIsWelcome, dayProblems]
/** What is different across borders has rules of its own. */
const crossBorderRules: readonly Rule[] = [ownTextFits, endToEndIdIsWelcome, dayProblems]

/** Finds what is wrong with an order, but for its parties and what it says to the receiver. */
export function problemsOf(
  bank: BankProfile,
  order: RuledOrder,
  now: Temporal.Instant,
  isCrossBorder = false,
): readonly RefusalMessage[] {
  const rules = isCrossBorder ? crossBorderRules : domesticRules
  return rules.flatMap((rule) => rule(bank, order, now))
}

/** The day an order asks for, today when it names none. Undefined when it is no date. */
export function requestedDay(
  bank: BankProfile,
  order: Pick<PaymentOrder, 'requestedExecutionDate'>,
  now: Temporal.Instant,
): Temporal.PlainDate | undefined {
  const requested = order.requestedExecutionDate
  return requested === undefined ? businessDay(bank, now) : parseDay(requested)
}

function amountIsPayable(bank: BankProfile, order: RuledOrder): readonly RefusalMessage[] {
  const { amount, currency } = order.instructedAmount
  const path = 'instructedAmount'
  if (currency !== bank.currency) {
    return [formatProblem(path, `Domestic payments are made in ${bank.currency}`)]
  }
  const money = parseMoney(amount, currency)
  const maximum = parseMoney(bank.amountMax, currency)
  if (money === undefined || maximum === undefined) {
    return [formatProblem(path, `An amount is a positive number with at most ${scaleOf(currency)} decimals`)]
  }
  if (money.minor === 0n) {
    return [formatProblem(path, 'The amount must be more than zero')]
  }
  return money.minor > maximum.minor
    ? [formatProblem(path, `The largest amount of one payment is ${bank.amountMax} ${currency}`)]
    : []
}

function creditorIsNamed(bank: BankProfile, { creditorName }: RuledOrder): readonly RefusalMessage[] {
  if (creditorName === undefined) {
    return bank.creditorNameRequired ? [formatProblem('creditorName', 'is missing')] : []
  }
  return textProblems(bank, 'creditorName', creditorName)
}

/** The payer's own text is a member that some banks have added. */
function ownTextFits(bank: BankProfile, order: RuledOrder): readonly RefusalMessage[] {
  const member = bank.ownTextMember
  const text: unknown = member === null ? undefined : Object.entries(order).find(([name]) => name === member)?.[1]
  if (member === null || text === undefined) {
    return []
  }
  return typeof text === 'string' && text.length <= OWN_TEXT_MAX
    ? textProblems(bank, member, text)
    : [formatProblem(member, `The text is longer than ${OWN_TEXT_MAX}`)]
}

function textProblems(bank: BankProfile, path: string, text: string): readonly RefusalMessage[] {
  return rulesOf(bank).letters.test(text)
    ? []
    : [formatProblem(path, 'The text holds characters that the bank does not accept')]
}

/** Norway's domestic product has no end-to-end id: some banks keep it all the same, others refuse it. */
function endToEndIdIsWelcome(bank: BankProfile, order: RuledOrder): readonly RefusalMessage[] {
  return order.endToEndIdentification !== undefined && bank.endToEndId === 'refused'
    ? [formatProblem('endToEndIdentification', 'The product has no end-to-end identification')]
    : []
}

/** Finds what is wrong with the day that an order asks for. */
export function dayProblems(
  bank: BankProfile,
  order: Pick<PaymentOrder, 'requestedExecutionDate'>,
  now: Temporal.Instant,
): readonly RefusalMessage[] {
  const path = 'requestedExecutionDate'
  const requested = order.requestedExecutionDate
  if (requested === undefined) {
    return []
  }
  const date = parseDay(requested)
  if (date === undefined) {
    return [formatProblem(path, 'A date is written YYYY-MM-DD and exists in the calendar')]
  }
  const today = businessDay(bank, now)
  const last = today.add({ days: bank.daysAheadMax })
  if (Temporal.PlainDate.compare(date, today) < 0 || Temporal.PlainDate.compare(date, last) > 0) {
    return [{ code: 'EXECUTION_DATE_INVALID', text: `The date must be from ${today} to ${last}`, path }]
  }
  return bank.closedDays === 'refused' && !isClearingDay(bank, date)
    ? [{ code: 'EXECUTION_DATE_INVALID', text: `Banks are closed on ${date}`, path }]
    : []
}
