/** Validates an order beyond its schema: as a whole, and each transaction by the same rules as a single payment. */
import { type Money, parseMoney } from '../../../../gateway/platform/money.ts'
import type { Context } from '../../context.ts'
import type { Account, BankProfile, Rail } from '../../fixture.ts'
import { accountOf } from '../../fixture-lookup.ts'
import { errorUnless, throwIfAnyMessage, type Xs2aErrorMessage, xs2aError } from '../../xs2a-error.ts'
import { validateCrossBorderOrder } from './cross-border-validation.ts'
import { type ParsedOrder, type TransactionOrder, transactionPath } from './parse-order.ts'
import { requestedDay, validateExecutionDate, validateTransaction } from './payment-validation.ts'
import { missingReferenceError, referenceMember, validateRemittanceFields } from './remittance.ts'
import { type Creditor, receivingAccount, resolveCreditor, resolveDebtor } from './resolve-parties.ts'

/** One context, its creditor and its amount. */
export type ValidTransaction = {
  readonly order: TransactionOrder
  readonly creditor: Creditor
  readonly money: Money
}

/** An order that passed every rule. */
export type ValidOrder = Pick<ParsedOrder, 'service' | 'body'> & {
  readonly debtor: string
  readonly requestedOn: Temporal.PlainDate
  readonly transactions: readonly ValidTransaction[]
}

/** Stands for a creditor whose number is invalid, so that the rest of the transaction is validated all the same. */
const UNRESOLVED: Creditor = { rail: 'account', number: '', isInside: true, demand: null, cardTypes: null }

/** Rejects the order when any transaction in it is invalid, with the errors of all. */
export function validateOrder(
  { fixture, clock }: Context,
  bank: BankProfile,
  rails: readonly Rail[],
  parsed: ParsedOrder,
): ValidOrder {
  const { service, body } = parsed
  const debtor = resolveDebtor(fixture, bank, body.debtorAccount)
  const payer = 'value' in debtor ? debtor.value : undefined
  const account = payer === undefined ? undefined : accountOf(fixture, bank.bic, payer)
  const isCrossBorder = rails.includes('cross-border')
  const read = parsed.transactions.map((order) => {
    const creditor = resolveCreditor(fixture, bank, rails, order.creditorAccount)
    const resolved = 'value' in creditor ? creditor.value : UNRESOLVED
    const { rail, number } = resolved
    const { currency } = order.instructedAmount
    const receiver = receivingAccount(fixture, bank, { rail, creditor: number, currency })
    // By another number of the account as well: its IBAN, or a giro number.
    const isDebtor = number === payer || (receiver !== undefined && receiver === account)
    const validationErrors = [
      ...('validationError' in creditor ? [creditor.validationError] : []),
      ...errorUnless(!isDebtor, 'creditorAccount', 'The creditor account is the debtor account'),
      ...validateTransaction(bank, order, isCrossBorder),
      ...(isCrossBorder
        ? validateCrossBorderOrder(bank, order, account)
        : [...validateRemittanceFields(bank, order, resolved), ...currencyErrors(bank, 'creditorAccount', receiver)]),
    ]
    return { order, creditor, validationErrors }
  })
  throwIfAnyMessage([
    ...('validationError' in debtor ? [debtor.validationError] : []),
    ...(isCrossBorder ? [] : currencyErrors(bank, 'debtorAccount', account)),
    ...read.flatMap(({ validationErrors }, index) => validationErrors.map((error) => locate(parsed, index, error))),
    ...validateExecutionDate(bank, body, clock.now()),
  ])
  const requestedOn = requestedDay(bank, body, clock.now())
  if (payer === undefined || requestedOn === undefined) {
    throw new Error('An order that passed every rule has no debtor or day')
  }
  const transactions = read.map(({ order, creditor }) => validTransaction(order, creditor))
  requireReferences(bank, parsed, transactions)
  return { service, body, debtor: payer, requestedOn, transactions }
}

/** Domestic payments are in the currency of the country, and the bank exchanges none. */
function currencyErrors(
  { currency }: BankProfile,
  path: string,
  account: Account | undefined,
): readonly Xs2aErrorMessage[] {
  return errorUnless(
    account === undefined || account.currency === currency,
    path,
    `The account is in ${account?.currency}`,
  )
}

/** The amount of all its transactions, which have one currency. */
export function totalOf({ transactions }: ValidOrder): Money {
  const minor = transactions.reduce((sum, { money }) => sum + money.minor, 0n)
  return { minor, currency: transactions[0]?.money.currency ?? '' }
}

/** A validation error of one context, with its path in the whole order. */
function locate(parsed: ParsedOrder, index: number, { path, ...message }: Xs2aErrorMessage): Xs2aErrorMessage {
  const whole = transactionPath(parsed, index, path)
  return whole === undefined ? message : { ...message, path: whole }
}

function validTransaction(order: TransactionOrder, creditor: ReturnType<typeof resolveCreditor>): ValidTransaction {
  const money = parseMoney(order.instructedAmount.amount, order.instructedAmount.currency)
  if (money === undefined || 'validationError' in creditor) {
    throw new Error('An order that passed every rule has no amount or party')
  }
  return { order, creditor: creditor.value, money }
}

function requireReferences(bank: BankProfile, parsed: ParsedOrder, transactions: readonly ValidTransaction[]): void {
  for (const [index, { order, creditor }] of transactions.entries()) {
    const unmet = missingReferenceError(bank, creditor, order)
    if (unmet !== null) {
      throw xs2aError(401, bank.kidMissingCode, unmet, transactionPath(parsed, index, referenceMember(bank)))
    }
  }
}
