/** Initiates a payment: validates schema, rules and rights, and stores it unsigned. */
import type { Context } from '../context.ts'
import type { BankProfile, Rail } from '../fixture.ts'
import { accountOf } from '../fixture-lookup.ts'
import { part, requireUserPresent, type Xs2aCall } from '../xs2a/xs2a-call.ts'
import { formatErrorMessage, throwIfAnyMessage, xs2aError } from '../xs2a-error.ts'
import { validateCrossBorderOrder } from './cross-border-validation.ts'
import { type PaymentOrder, parseOrder } from './payment-order.ts'
import { paymentRow } from './payment-row.ts'
import { validatePaymentOrder } from './payment-validation.ts'
import { missingReferenceError, referenceMember, validateRemittanceFields } from './remittance.ts'
import { requireRightToPay } from './require-right-to-pay.ts'
import { type Creditor, resolveCreditor, resolveDebtor } from './resolve-parties.ts'
import { type InitiatedPayment, storeOrder } from './store-order.ts'

/** Unless the third party requests explicit start, its authorisation is started at once. */
export async function initiatePayment(context: Context, call: Xs2aCall): Promise<InitiatedPayment> {
  requireUserPresent(call)
  const rails = requireProduct(call.bank, part(call, 'product'))
  const order = parseOrder(call.body)
  const ordered = { order, ...validateOrder(context, call.bank, rails, order) }
  requireReference(call.bank, ordered)
  await requireRightToPay(context, call, ordered.debtor)
  return await storeOrder(context, call, paymentRow(context, call, ordered))
}

/** The rails of a product; rejects a product that the bank does not have. */
export function requireProduct(bank: BankProfile, product: string): readonly Rail[] {
  const found = bank.products.find(({ name }) => name === product)
  if (found === undefined) {
    throw xs2aError(404, 'PRODUCT_UNKNOWN', `${bank.name} has no payment product ${product}`)
  }
  return found.rails
}

function validateOrder(
  context: Context,
  bank: BankProfile,
  rails: readonly Rail[],
  order: PaymentOrder,
): { readonly debtor: string; readonly creditor: Creditor } {
  const debtor = resolveDebtor(context.fixture, bank, order.debtorAccount)
  const creditor = resolveCreditor(context.fixture, bank, rails, order.creditorAccount)
  const paysItself = 'value' in debtor && 'value' in creditor && debtor.value === creditor.value.number
  const isCrossBorder = rails.includes('cross-border')
  const account = 'value' in debtor ? accountOf(context.fixture, bank.bic, debtor.value) : undefined
  const whoever: Creditor = { rail: 'account', number: '', isInside: true, demand: null, cardTypes: null }
  throwIfAnyMessage([
    ...('validationError' in debtor ? [debtor.validationError] : []),
    ...('validationError' in creditor ? [creditor.validationError] : []),
    ...(paysItself ? [formatErrorMessage('creditorAccount', 'The creditor account is the debtor account')] : []),
    ...validatePaymentOrder(bank, order, context.clock.now(), isCrossBorder),
    ...(isCrossBorder
      ? validateCrossBorderOrder(bank, order, account)
      : validateRemittanceFields(bank, order, 'value' in creditor ? creditor.value : whoever)),
  ])
  if ('validationError' in debtor || 'validationError' in creditor) {
    throw new Error('An order that passed every rule has no parties')
  }
  return { debtor: debtor.value, creditor: creditor.value }
}

function requireReference(
  bank: BankProfile,
  { order, creditor }: { readonly order: PaymentOrder; readonly creditor: Creditor },
): void {
  const unmet = missingReferenceError(bank, creditor, order)
  if (unmet !== null) {
    throw xs2aError(401, bank.kidMissingCode, unmet, referenceMember(bank))
  }
}
