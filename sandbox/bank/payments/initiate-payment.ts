/** Takes a payment order: checks form, rules and rights, and keeps it unsigned. */
import type { BankContext } from '../bank-context.ts'
import type { BankProfile, Rail } from '../fixture.ts'
import { formatProblem, refuse, requireNone } from '../refusal.ts'
import { accountOf } from '../world.ts'
import { part, requireUserPresent, type Xs2aCall } from '../xs2a/xs2a-call.ts'
import { crossBorderProblems } from './cross-border-validation.ts'
import { type PaymentOrder, readOrder } from './payment-order.ts'
import { paymentRow } from './payment-row.ts'
import { problemsOf } from './payment-validation.ts'
import { referenceMember, remittanceProblems, unmetDemand } from './remittance.ts'
import { requireRightToPay } from './require-right-to-pay.ts'
import { type Creditor, readCreditor, readDebtor } from './resolve-parties.ts'
import { type InitiatedPayment, keepOrder } from './store-order.ts'

/** Initiates a payment; unless the third party wants to start the authorisation itself, it is started at once. */
export async function initiatePayment(context: BankContext, call: Xs2aCall): Promise<InitiatedPayment> {
  requireUserPresent(call)
  const rails = requireProduct(call.bank, part(call, 'product'))
  const order = readOrder(call.body)
  const ordered = { order, ...requireSoundOrder(context, call.bank, rails, order) }
  requireReference(call.bank, ordered)
  await requireRightToPay(context, call, ordered.debtor)
  return await keepOrder(context, call, paymentRow(context, call, ordered))
}

/** The ways that a product takes; refuses a product that the bank does not have. */
export function requireProduct(bank: BankProfile, product: string): readonly Rail[] {
  const found = bank.products.find(({ name }) => name === product)
  if (found === undefined) {
    throw refuse(404, 'PRODUCT_UNKNOWN', `${bank.name} has no payment product ${product}`)
  }
  return found.rails
}

function requireSoundOrder(
  context: BankContext,
  bank: BankProfile,
  rails: readonly Rail[],
  order: PaymentOrder,
): { readonly debtor: string; readonly creditor: Creditor } {
  const debtor = readDebtor(context.world, bank, order.debtorAccount)
  const creditor = readCreditor(context.world, bank, rails, order.creditorAccount)
  const paysItself = 'value' in debtor && 'value' in creditor && debtor.value === creditor.value.number
  const isCrossBorder = rails.includes('cross-border')
  const account = 'value' in debtor ? accountOf(context.world, bank.bic, debtor.value) : undefined
  const whoever: Creditor = { rail: 'account', number: '', isInside: true, demand: null, cardTypes: null }
  requireNone([
    ...('problem' in debtor ? [debtor.problem] : []),
    ...('problem' in creditor ? [creditor.problem] : []),
    ...(paysItself ? [formatProblem('creditorAccount', 'The receiving account is the paying one')] : []),
    ...problemsOf(bank, order, context.clock.now(), isCrossBorder),
    ...(isCrossBorder
      ? crossBorderProblems(bank, order, account)
      : remittanceProblems(bank, order, 'value' in creditor ? creditor.value : whoever)),
  ])
  if ('problem' in debtor || 'problem' in creditor) {
    throw new Error('An order that passed every rule has no parties')
  }
  return { debtor: debtor.value, creditor: creditor.value }
}

function requireReference(
  bank: BankProfile,
  { order, creditor }: { readonly order: PaymentOrder; readonly creditor: Creditor },
): void {
  const unmet = unmetDemand(bank, creditor, order)
  if (unmet !== null) {
    throw refuse(401, bank.kidMissingCode, unmet, referenceMember(bank))
  }
}
