/** Takes a payment order: checks form, rules and rights, and keeps it unsigned. A repeated order is another payment. */
import { type StartedAuthorisation, startAuthorisation } from '../authorisations/start-authorisation.ts'
import { beginsAtOnce } from '../authorisations/way-of-signing.ts'
import { businessDay } from '../bank-calendar.ts'
import type { BankContext } from '../context.ts'
import { formatProblem, refuse, requireNone } from '../refusal.ts'
import { accountOf, signaturesRequired } from '../world.ts'
import type { BankProfile, Rail } from '../world-shape.ts'
import { part, requireUserPresent, type Xs2aCall } from '../xs2a/call.ts'
import { crossBorderProblems } from './cross-border.ts'
import { acceptSignature } from './execute-payment.ts'
import { type Creditor, readCreditor, readDebtor } from './parties.ts'
import type { Payment } from './payment.ts'
import { type PaymentOrder, readOrder } from './payment-order.ts'
import { type OrderedPayment, paymentRow } from './payment-row.ts'
import { problemsOf } from './payment-rules.ts'
import { insertPayment, lockPayment, paymentLike } from './payment-store.ts'
import { referenceMember, remittanceProblems, unmetDemand } from './remittance.ts'
import { requireRightToPay } from './right-to-pay.ts'

export type InitiatedPayment = { readonly payment: Payment; readonly started: StartedAuthorisation | null }

/** Every signature that an account asks for, when it asks for none. */
const ALL_SIGNERS = Number.POSITIVE_INFINITY

/** Initiates a payment; unless the third party wants to start the authorisation itself, it is started at once. */
export async function initiatePayment(context: BankContext, call: Xs2aCall): Promise<InitiatedPayment> {
  requireUserPresent(call)
  const rails = requireProduct(call.bank, part(call, 'product'))
  const order = readOrder(call.body)
  const ordered = { order, ...requireSoundOrder(context, call.bank, rails, order) }
  requireReference(call.bank, ordered)
  await requireRightToPay(context, call, ordered.debtor)
  await refuseDuplicate(context, call, ordered)
  return await keepOrder(context, call, ordered)
}

/** Where a payment is found, below `/v1`. */
export function paymentPath(payment: Pick<Payment, 'service' | 'product' | 'id'>): string {
  return `/${payment.service}/${payment.product}/${payment.id}`
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

function requireReference(bank: BankProfile, { order, creditor }: OrderedPayment): void {
  const unmet = unmetDemand(bank, creditor, order)
  if (unmet !== null) {
    throw refuse(401, bank.kidMissingCode, unmet, referenceMember(bank))
  }
}

/** Some banks take the same order once a day only, unless the third party insists. */
async function refuseDuplicate(context: BankContext, call: Xs2aCall, ordered: OrderedPayment): Promise<void> {
  const { bank, query } = call
  const isTaken = bank.duplicates === 'taken' || query['allowLogicalDuplicate'] === 'true'
  if (isTaken && !(bank.duplicates === 'refused')) {
    return
  }
  const row = paymentRow(context, call, ordered)
  const like = await paymentLike(context.database.query, row)
  if (like !== undefined && businessDay(bank, like.created_at).equals(businessDay(bank, context.clock.now()))) {
    throw refuse(400, 'PAYMENT_FAILED', 'An equal payment was ordered today already (duplicate)')
  }
}

async function keepOrder(context: BankContext, call: Xs2aCall, ordered: OrderedPayment): Promise<InitiatedPayment> {
  const { bank, headers } = call
  const row = paymentRow(context, call, ordered)
  const account = accountOf(context.world, bank.bic, ordered.debtor)
  if (account !== undefined && signaturesRequired(context.world, account) === 0) {
    return { payment: await keepExempted(context, row), started: null }
  }
  if (!beginsAtOnce(bank, headers)) {
    return { payment: await insertPayment(context.database.query, row), started: null }
  }
  return await context.database.query.transaction().execute(async (transaction) => {
    const payment = await insertPayment(transaction, row)
    const targetPath = paymentPath(payment)
    const asked = { bank, subject: 'payment', headers, targetPath } as const
    return { payment, started: await startAuthorisation(context, transaction, asked, payment) }
  })
}

/** From some accounts payments go without anybody signing them. */
async function keepExempted(context: BankContext, row: ReturnType<typeof paymentRow>): Promise<Payment> {
  return await context.database.query.transaction().execute(async (transaction) => {
    const payment = await insertPayment(transaction, row)
    await acceptSignature(context, transaction, payment, { signers: ALL_SIGNERS, at: context.clock.now() })
    return (await lockPayment(transaction, payment.id)) ?? payment
  })
}
