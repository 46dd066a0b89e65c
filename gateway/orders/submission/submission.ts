/** Keeps what is about to be asked of a bank, so that whatever happens next, it is known that it was asked. */

import type { ExchangeTerms } from '../../../contract/fx/exchange-terms.ts'
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { PaymentWarning } from '../../../contract/payments/payment-operations.ts'
import { type DomesticOrder, numberOf } from '../../banks/connector/domestic-order.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import type { ConsentAccount } from '../../consents/accounts/consent-account.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import type { IdempotentRequest } from '../../foundation/http/idempotency.ts'
import { isConstraintViolation } from '../../platform/database/coalesce.ts'
import { type NamedOrder, refuse } from '../../platform/http/errors/api-error.ts'
import { newId } from '../../platform/ids.ts'
import { DOMESTIC, refusalOfKeeping } from '../exchange/exchange-errors.ts'
import { bankOrderOf } from '../instructions/build-domestic-payment-order.ts'
import { warningsOn } from '../instructions/domestic-payment-warnings.ts'
import { situationAt } from '../instructions/validation-context.ts'
import type { OrderAsked } from '../payment.ts'
import { findOpenOutcome } from '../payment-store.ts'
import { newBankRequest } from './bank-request.ts'
import type { KeepIntent } from './submission-store.ts'

/** An order that is kept and that the bank has not been asked to take yet. */
export type Intent<Order = DomesticOrder> = {
  readonly partnerId: string
  readonly paymentId: string
  /** The payroll that it is an order of; absent for payments. */
  readonly payrollId?: string
  readonly order: Order
  readonly bankRequestId: string
  /** Where the bank may tell that something changed. */
  readonly notification: string
  /** What the partner is told besides the payment's id and status. */
  readonly warnings: readonly PaymentWarning[]
  /** Of an order that funds an exchange: what the partner is told of that. */
  readonly exchange?: ExchangeTerms
}

/** What a refusal about an order names: partners know no orders of payrolls. */
export function namedIn({ paymentId, payrollId }: Pick<Intent, 'paymentId' | 'payrollId'>): NamedOrder {
  return payrollId === undefined ? { paymentId } : { payrollId }
}

/** What an intent is kept with. */
export type IntentTools = {
  readonly bank: Bank
  readonly keepIntent: KeepIntent
  readonly idempotent: IdempotentRequest | null
}

/** What was asked, and the order that the bank is given of it. */
export type OrderToKeep<Order> = OrderAsked & {
  readonly order: Order
  /** The number that the bank is told to pay to. */
  readonly creditorNumber: string
  readonly warnings: readonly PaymentWarning[]
  /** Of an order that funds an exchange: the quote that is about to be booked, and until when it must be signed. */
  readonly exchange?: { readonly quoteId: string; readonly deadlineAt: Temporal.Instant; readonly told: ExchangeTerms }
}

/** What every order has. */
type OrderFacts = Pick<DomesticOrder, 'endToEndId' | 'amount' | 'dueDate'> & {
  readonly debtor: { readonly bban: string }
}

const DUPLICATE_WITHIN = { hours: 24 }

/** What a domestic payment is kept with; an exchange where it books a quote. */
export type KeepingOf = IntentTools & {
  readonly account: Pick<ConsentAccount, 'iban'>
  readonly exchange?: NonNullable<OrderToKeep<unknown>['exchange']>
}

/** Keeps a domestic payment; `account` is the debtor's as the bank shows it. Throws as `keepIntent` does. */
export async function keepIntentOf(
  context: Context,
  caller: ConsentCaller,
  ordered: DomesticPayment,
  { account, exchange, ...tools }: KeepingOf,
): Promise<Intent> {
  const { bank } = tools
  // Whatever may fail of our own work fails before anything is kept.
  const warnings = warningsOn(ordered, situationAt(context.clock, bank, caller.consent))
  const order = bankOrderOf(ordered, bank.countryCode, account.iban)
  const creditorNumber = numberOf(order.creditor.account)
  const asked = { type: 'Domestic', ordered, order, creditorNumber, warnings, ...(exchange && { exchange }) } as const
  try {
    return await keepIntent(context, caller, asked, tools)
  } catch (error) {
    throw refusalOfKeeping(error, DOMESTIC)
  }
}

/** One statement. Throws `conflict` while an equal order, or the same key, is still open. */
export async function keepIntent<Order extends OrderFacts>(
  context: Context,
  { partnerId, consent }: ConsentCaller,
  { type, ordered, order, creditorNumber, warnings, exchange }: OrderToKeep<Order>,
  { bank, keepIntent: keep, idempotent }: IntentTools,
): Promise<Intent<Order>> {
  const { clock } = context
  const paymentId = newId()
  const { bankRequestId, notification, hintHash, recoverAt } = newBankRequest(context, { partnerId, id: paymentId })
  const now = clock.now()
  const row = {
    partner_id: partnerId,
    id: paymentId,
    type,
    consent_id: consent.id,
    bic: bank.bic,
    country_code: bank.countryCode,
    organisation_number: consent.organisationNumber,
    end_to_end_id: order.endToEndId,
    amount_minor: order.amount.minor.toString(),
    currency: order.amount.currency,
    debtor_bban: order.debtor.bban,
    creditor_bban: creditorNumber,
    due_date: order.dueDate.toString(),
    ordered: JSON.stringify(ordered),
    bank_request_id: bankRequestId,
    hint_hash: hintHash,
    created_at: now.toString(),
    recover_at: recoverAt.toString(),
    duplicates_since: now.subtract(DUPLICATE_WITHIN).toString(),
    ...(exchange && exchangeColumns(exchange)),
    idempotency: idempotent?.intentFor(paymentId) ?? null,
  } as const
  try {
    const { duplicateOf } = await keep(row)
    const told = [...aboutDuplicate(duplicateOf), ...warnings]
    const kept = { partnerId, paymentId, order, bankRequestId, notification, warnings: told }
    return { ...kept, ...(exchange && { exchange: exchange.told }) }
  } catch (error) {
    const { endToEndId, amount } = order
    throw await conflictOf(context, { partnerId, endToEndId, amount, creditorBban: creditorNumber }, error)
  }
}

function exchangeColumns({ quoteId, deadlineAt }: NonNullable<OrderToKeep<unknown>['exchange']>) {
  return { exchange: 'booking', quote_id: quoteId, deadline_at: deadlineAt.toString() } as const
}

/** `duplicateOf` is an earlier payment with the same endToEndId, amount and receiver. */
function aboutDuplicate(duplicateOf: string | null): readonly PaymentWarning[] {
  const reason = 'A payment with the same endToEndId, amount and receiver was ordered within the last 24 hours'
  return duplicateOf === null
    ? []
    : [{ code: 'PossibleDuplicate', reason, path: '.metadata.endToEndId', paymentId: duplicateOf }]
}

async function conflictOf(
  context: Context,
  order: Parameters<typeof findOpenOutcome>[1],
  error: unknown,
): Promise<unknown> {
  if (isConstraintViolation(error, 'idempotency_pkey')) {
    return refuse('conflict', 'The first request with this Idempotency-Key is still running')
  }
  if (!isConstraintViolation(error, 'payments_open_outcome')) {
    return error
  }
  const open = await findOpenOutcome(context.database, order)
  return refuse(
    'conflict',
    'An order with this endToEndId, amount and receiver was handed to the bank and its outcome is not known; follow the payment named here',
    open === undefined ? {} : { paymentId: open.id },
  )
}
