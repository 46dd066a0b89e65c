/** The rules of orders beyond their schema; they return all errors, not only the first. */
import { parseDay } from '../../../../gateway/platform/clock.ts'
import { currencyScale, parseMoney } from '../../../../gateway/platform/money.ts'
import { businessDay, isClearingDay } from '../../bank-calendar.ts'
import type { BankProfile } from '../../fixture.ts'
import { rulesOf } from '../../national/rules-by-country.ts'
import { errorUnless, formatErrorMessage, type Xs2aErrorMessage } from '../../xs2a-error.ts'
import type { TransactionOrder } from './parse-order.ts'
import type { PaymentOrder } from './payment-order.ts'

const DAYS_AHEAD_MAX = 365
/** Maximum length of a text for the debtor's own statement. */
const STATEMENT_TEXT_MAX = 35

type ValidationRule = (bank: BankProfile, order: TransactionOrder) => readonly Xs2aErrorMessage[]

const domesticRules: readonly ValidationRule[] = [
  validateAmount,
  validateCreditorName,
  validateCreditorAddress,
  validateStatementText,
  validateEndToEndId,
]
/** Cross-border payments have separate rules for the rest. */
const crossBorderRules: readonly ValidationRule[] = [validateStatementText, validateEndToEndId]

/** Validates a context, except for its creditor and its remittance information. */
export function validateTransaction(
  bank: BankProfile,
  order: TransactionOrder,
  isCrossBorder: boolean,
): readonly Xs2aErrorMessage[] {
  return (isCrossBorder ? crossBorderRules : domesticRules).flatMap((rule) => rule(bank, order))
}

/** The requested day, by default today. Undefined when it is not a date. */
export function requestedDay(
  bank: BankProfile,
  order: Pick<PaymentOrder, 'requestedExecutionDate'>,
  now: Temporal.Instant,
): Temporal.PlainDate | undefined {
  const requested = order.requestedExecutionDate
  return requested === undefined ? businessDay(bank, now) : parseDay(requested)
}

function validateAmount(bank: BankProfile, order: TransactionOrder): readonly Xs2aErrorMessage[] {
  const { amount, currency } = order.instructedAmount
  const path = 'instructedAmount'
  if (currency !== bank.currency) {
    return [formatErrorMessage(path, `Domestic payments are made in ${bank.currency}`)]
  }
  const money = parseMoney(amount, currency)
  const maximum = parseMoney(bank.amountMax, currency)
  if (money === undefined || maximum === undefined) {
    return [formatErrorMessage(path, `An amount is a positive number with at most ${currencyScale(currency)} decimals`)]
  }
  if (money.minor === 0n) {
    return [formatErrorMessage(path, 'The amount must be more than zero')]
  }
  const isAllowed = money.minor <= maximum.minor
  return errorUnless(isAllowed, path, `The largest amount of one payment is ${bank.amountMax} ${currency}`)
}

/** Since November 2026 the schemes of domestic payments accept no address without town and country, either. */
function validateCreditorAddress(
  _bank: BankProfile,
  { creditorAddress }: TransactionOrder,
): readonly Xs2aErrorMessage[] {
  const town = creditorAddress?.townName ?? creditorAddress?.city
  const isPlaced = creditorAddress === undefined || Boolean(town?.trim())
  return errorUnless(isPlaced, 'creditorAddress', 'must have town and country')
}

function validateCreditorName(bank: BankProfile, { creditorName }: TransactionOrder): readonly Xs2aErrorMessage[] {
  if (creditorName === undefined) {
    return errorUnless(!bank.creditorNameRequired, 'creditorName', 'is missing')
  }
  return textErrors(bank, 'creditorName', creditorName)
}

/** The debtor's own text is a bank-specific field. */
function validateStatementText(bank: BankProfile, order: TransactionOrder): readonly Xs2aErrorMessage[] {
  const member = bank.ownTextMember
  const text: unknown = member === null ? undefined : Object.entries(order).find(([name]) => name === member)?.[1]
  if (member === null || text === undefined) {
    return []
  }
  return typeof text === 'string' && text.length <= STATEMENT_TEXT_MAX
    ? textErrors(bank, member, text)
    : [formatErrorMessage(member, `The text is longer than ${STATEMENT_TEXT_MAX}`)]
}

export function textErrors(bank: BankProfile, path: string, text: string): readonly Xs2aErrorMessage[] {
  return errorUnless(rulesOf(bank).letters.test(text), path, 'The text holds characters that the bank does not accept')
}

/** Norway's domestic product has no end-to-end id: some banks accept it all the same, some reject it. */
function validateEndToEndId(bank: BankProfile, order: TransactionOrder): readonly Xs2aErrorMessage[] {
  const isAllowed = order.endToEndIdentification === undefined || bank.endToEndId === 'kept'
  return errorUnless(isAllowed, 'endToEndIdentification', 'The product has no end-to-end identification')
}

export function validateExecutionDate(
  bank: BankProfile,
  order: Pick<PaymentOrder, 'requestedExecutionDate'>,
  now: Temporal.Instant,
): readonly Xs2aErrorMessage[] {
  const path = 'requestedExecutionDate'
  const requested = order.requestedExecutionDate
  if (requested === undefined) {
    return []
  }
  const date = parseDay(requested)
  if (date === undefined) {
    return [formatErrorMessage(path, 'A date has the format YYYY-MM-DD and exists in the calendar')]
  }
  const today = businessDay(bank, now)
  const last = today.add({ days: DAYS_AHEAD_MAX })
  if (Temporal.PlainDate.compare(date, today) < 0 || Temporal.PlainDate.compare(date, last) > 0) {
    return [{ code: 'EXECUTION_DATE_INVALID', text: `The date must be from ${today} to ${last}`, path }]
  }
  return bank.closedDays === 'rejected' && !isClearingDay(bank, date)
    ? [{ code: 'EXECUTION_DATE_INVALID', text: `Banks are closed on ${date}`, path }]
    : []
}
