/** What the bank demands of a payment order beyond its form; every problem is found, not only the first. */
import { parseMoney, scaleOf } from '../../../gateway/foundation/money.ts'
import { businessDay, parseDay } from '../bank-calendar.ts'
import { accountNumberOf, isKid } from '../norwegian-account.ts'
import { formatProblem, type RefusalMessage } from '../refusal.ts'
import type { BankProfile } from '../world-shape.ts'
import type { PaymentOrder } from './payment-order.ts'

/** Letters, digits and signs of domestic payments in Norway. */
const NORWEGIAN_TEXT = /^[a-zA-Z0-9/\-?:().,'+ ÆØÅæøåÄÖÜÉäöüé&%=@§!]*$/

type Rule = (bank: BankProfile, order: PaymentOrder, now: Temporal.Instant) => readonly RefusalMessage[]

const rules: readonly Rule[] = [
  debtorAccountIsNorwegian,
  creditorAccountIsNorwegian,
  amountIsPayable,
  textsHaveKnownLetters,
  messageFits,
  referenceIsAKid,
  endToEndIdIsWelcome,
  dateIsOpen,
]

/** Finds what is wrong with an order. */
export function problemsOf(bank: BankProfile, order: PaymentOrder, now: Temporal.Instant): readonly RefusalMessage[] {
  return rules.flatMap((rule) => rule(bank, order, now))
}

/** The day an order asks for, today when it names none. Undefined when it is no date. */
export function requestedDay(
  bank: BankProfile,
  order: PaymentOrder,
  now: Temporal.Instant,
): Temporal.PlainDate | undefined {
  const requested = order.requestedExecutionDate
  return requested === undefined ? businessDay(bank, now) : parseDay(requested)
}

function debtorAccountIsNorwegian(_bank: BankProfile, order: PaymentOrder): readonly RefusalMessage[] {
  return accountNumberOf(order.debtorAccount) === undefined
    ? [formatProblem('debtorAccount', 'The account number is not a valid Norwegian one')]
    : []
}

function creditorAccountIsNorwegian(_bank: BankProfile, order: PaymentOrder): readonly RefusalMessage[] {
  const creditor = accountNumberOf(order.creditorAccount)
  if (creditor === undefined) {
    return [formatProblem('creditorAccount', 'The account number is not a valid Norwegian one')]
  }
  return creditor === accountNumberOf(order.debtorAccount)
    ? [formatProblem('creditorAccount', 'The receiving account is the paying one')]
    : []
}

function amountIsPayable(bank: BankProfile, order: PaymentOrder): readonly RefusalMessage[] {
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

function textsHaveKnownLetters(_bank: BankProfile, order: PaymentOrder): readonly RefusalMessage[] {
  const texts = [
    ['creditorName', order.creditorName],
    ['remittanceInformationUnstructured', order.remittanceInformationUnstructured ?? ''],
  ] as const
  return texts
    .filter(([, text]) => !NORWEGIAN_TEXT.test(text))
    .map(([path]) => formatProblem(path, 'The text holds characters that the bank does not accept'))
}

function messageFits(bank: BankProfile, order: PaymentOrder): readonly RefusalMessage[] {
  const length = order.remittanceInformationUnstructured?.length ?? 0
  return length > bank.messageMaxLength
    ? [formatProblem('remittanceInformationUnstructured', `The message is longer than ${bank.messageMaxLength}`)]
    : []
}

function referenceIsAKid(_bank: BankProfile, order: PaymentOrder): readonly RefusalMessage[] {
  const [structured] = order.remittanceInformationStructuredArray ?? []
  const path = 'remittanceInformationStructuredArray'
  if (structured === undefined) {
    return []
  }
  if (order.remittanceInformationUnstructured !== undefined) {
    return [formatProblem(path, 'A payment carries a KID or a message, not both')]
  }
  if (structured.referenceType !== undefined && structured.referenceType !== 'SCOR') {
    return [formatProblem(path, 'The only type of reference is SCOR')]
  }
  return isKid(structured.reference) ? [] : [formatProblem(path, 'The KID is not valid')]
}

/** Norway's domestic product has no end-to-end id: some banks drop it, others refuse it. */
function endToEndIdIsWelcome(bank: BankProfile, order: PaymentOrder): readonly RefusalMessage[] {
  return order.endToEndIdentification !== undefined && bank.endToEndId === 'refused'
    ? [formatProblem('endToEndIdentification', 'The product has no end-to-end identification')]
    : []
}

function dateIsOpen(bank: BankProfile, order: PaymentOrder, now: Temporal.Instant): readonly RefusalMessage[] {
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
  const isOpen = Temporal.PlainDate.compare(date, today) >= 0 && Temporal.PlainDate.compare(date, last) <= 0
  const text = `The date must be from ${today} to ${last}`
  return isOpen ? [] : [{ code: 'EXECUTION_DATE_INVALID', text, path }]
}
