/** Validates a bulk order: as a whole, and each payment as if it were ordered alone. */
import { type Money, parseMoney } from '../../../gateway/platform/money.ts'
import type { Context } from '../context.ts'
import type { BankProfile, Rail } from '../fixture.ts'
import { scriptedRejectionOf } from '../outcomes/simulate-order-outcome.ts'
import { validateExecutionDate, validatePaymentOrder } from '../payments/payment-validation.ts'
import { missingReferenceError, referenceMember, validateRemittanceFields } from '../payments/remittance.ts'
import { type Creditor, resolveCreditor, resolveDebtor } from '../payments/resolve-parties.ts'
import { formatErrorMessage, Xs2aError, type Xs2aErrorMessage, xs2aError } from '../xs2a-error.ts'
import { type BulkOrder, type BulkTransactionOrder, throwIfAnyOfMany, transactionPath } from './bulk-order.ts'

/** One validated payment of an order. */
export type ValidBulkTransaction = {
  readonly order: BulkTransactionOrder
  readonly creditor: Creditor
  readonly money: Money
}

/** Returns the parties; rejects the order when any payment in it is invalid. */
export function validateBulkOrder(
  { fixture, clock }: Context,
  bank: BankProfile,
  rails: readonly Rail[],
  order: BulkOrder,
): { readonly debtor: string; readonly elements: readonly ValidBulkTransaction[] } {
  const debtor = resolveDebtor(fixture, bank, order.debtorAccount)
  const payer = 'value' in debtor ? debtor.value : undefined
  const read = order.payments.map((element) => {
    const creditor = resolveCreditor(fixture, bank, rails, element.creditorAccount)
    const validationErrors = [
      ...('validationError' in creditor
        ? [creditor.validationError]
        : validateRemittanceFields(bank, element, creditor.value)),
      ...('value' in creditor && creditor.value.number === payer
        ? [formatErrorMessage('creditorAccount', PAYS_ITSELF)]
        : []),
      ...validatePaymentOrder(bank, element, clock.now()),
    ]
    return { element, creditor, validationErrors }
  })
  throwIfAnyOfMany([
    ...('validationError' in debtor ? [debtor.validationError] : []),
    ...validateExecutionDate(bank, order, clock.now()),
    ...read.flatMap(({ validationErrors }, index) =>
      validationErrors.map((validationError) => atTransaction(validationError, index)),
    ),
  ])
  const elements = read.map(({ element, creditor }) => validBulkTransaction(element, creditor))
  requireReferences(bank, elements)
  requireUnscripted(elements)
  return { debtor: payer ?? '', elements }
}

const PAYS_ITSELF = 'The creditor account is the debtor account'

/** A validation error of one payment, with its path in the whole order. */
function atTransaction(validationError: Xs2aErrorMessage, index: number): Xs2aErrorMessage {
  return { ...validationError, path: transactionPath(index, validationError.path) }
}

function validBulkTransaction(
  order: BulkTransactionOrder,
  creditor: ReturnType<typeof resolveCreditor>,
): ValidBulkTransaction {
  const money = parseMoney(order.instructedAmount.amount, order.instructedAmount.currency)
  if (money === undefined || 'validationError' in creditor) {
    throw new Error('An order that passed every rule has no amount or party')
  }
  return { order, creditor: creditor.value, money }
}

function requireReferences(bank: BankProfile, elements: readonly ValidBulkTransaction[]): void {
  for (const [index, { order, creditor }] of elements.entries()) {
    const unmet = missingReferenceError(bank, creditor, order)
    if (unmet !== null) {
      throw xs2aError(401, bank.kidMissingCode, unmet, transactionPath(index, referenceMember(bank)))
    }
  }
}

/** An amount that causes rejection of a single payment causes rejection of the whole order. */
function requireUnscripted(elements: readonly ValidBulkTransaction[]): void {
  for (const [index, { money }] of elements.entries()) {
    const rejection = scriptedRejectionOf(money)
    if (rejection !== undefined) {
      const { status, path, ...message } = rejection
      throw new Xs2aError(status, [{ ...message, path: transactionPath(index, path) }])
    }
  }
}
