/** Keeps what is about to be asked of a bank, so that whatever happens next, it is known that it was asked. */
import type { DomesticPayment } from '../../contract/domestic-payment.ts'
import type { PaymentWarning } from '../../contract/payments.ts'
import type { Bank } from '../banks/bank.ts'
import { type DomesticOrder, numberOf } from '../banks/connector.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { ConsentAccount } from '../consents/consent-account.ts'
import type { Context } from '../context.ts'
import { isConstraintViolation } from '../foundation/database/coalesce.ts'
import type { IdempotentRequest } from '../foundation/http/idempotency.ts'
import { refuse } from '../foundation/http/refusal.ts'
import { newId } from '../foundation/ids.ts'
import { bankOrderOf } from './bank-order.ts'
import { newBankRequest } from './bank-request.ts'
import type { KeepIntent } from './initiation-store.ts'
import { situationAt } from './order-situation.ts'
import { warningsOn } from './order-warnings.ts'
import { findOpenOutcome } from './payment-store.ts'

/** An order that is kept and that the bank has not been asked to take yet. */
export type Intent = {
  readonly partnerId: string
  readonly paymentId: string
  readonly order: DomesticOrder
  readonly bankRequestId: string
  /** Where the bank may tell that something changed. */
  readonly notification: string
  /** What the partner is told besides the payment's id and status. */
  readonly warnings: readonly PaymentWarning[]
}

/** What an intent is kept with. */
export type IntentTools = {
  readonly bank: Bank
  readonly keepIntent: KeepIntent
  readonly idempotent: IdempotentRequest | null
  /** The debtor account as the bank shows it. */
  readonly account: Pick<ConsentAccount, 'iban'>
}

const DUPLICATE_WITHIN = { hours: 24 }

/** One statement. Throws `conflict` while an equal order, or the same key, is still open. */
export async function keepIntentOf(
  context: Context,
  { partnerId, consent }: ConsentCaller,
  ordered: DomesticPayment,
  { bank, keepIntent, idempotent, account }: IntentTools,
): Promise<Intent> {
  const { clock } = context
  const paymentId = newId()
  const { bankRequestId, notification, hintHash, recoverAt } = newBankRequest(context, { partnerId, id: paymentId })
  // Whatever may fail of our own work fails before anything is kept.
  const warnings = warningsOn(ordered, situationAt(clock, bank, consent))
  const order = bankOrderOf(ordered, bank.countryCode, account.iban)
  const now = clock.now()
  const row = {
    partner_id: partnerId,
    id: paymentId,
    type: 'Domestic',
    consent_id: consent.id,
    bic: bank.bic,
    country_code: bank.countryCode,
    organisation_number: consent.organisationNumber,
    end_to_end_id: order.endToEndId,
    amount_minor: order.amount.minor.toString(),
    currency: order.amount.currency,
    debtor_bban: order.debtor.bban,
    creditor_bban: numberOf(order.creditor.account),
    due_date: order.dueDate.toString(),
    ordered: JSON.stringify(ordered),
    bank_request_id: bankRequestId,
    hint_hash: hintHash,
    created_at: now.toString(),
    recover_at: recoverAt.toString(),
    duplicates_since: now.subtract(DUPLICATE_WITHIN).toString(),
    idempotency: idempotent?.intentFor(paymentId) ?? null,
  } as const
  try {
    const { duplicateOf } = await keepIntent(row)
    const told = [...aboutDuplicate(duplicateOf), ...warnings]
    return { partnerId, paymentId, order, bankRequestId, notification, warnings: told }
  } catch (error) {
    throw await conflictOf(context, partnerId, order, error)
  }
}

/** `duplicateOf` is an earlier payment with the same endToEndId, amount and receiver. */
function aboutDuplicate(duplicateOf: string | null): readonly PaymentWarning[] {
  const reason = 'A payment with the same endToEndId, amount and receiver was ordered within the last 24 hours'
  return duplicateOf === null
    ? []
    : [{ code: 'PossibleDuplicate', reason, path: '.metadata.endToEndId', paymentId: duplicateOf }]
}

async function conflictOf(context: Context, partnerId: string, order: DomesticOrder, error: unknown): Promise<unknown> {
  if (isConstraintViolation(error, 'idempotency_pkey')) {
    return refuse('conflict', 'The first request with this Idempotency-Key is still running')
  }
  if (!isConstraintViolation(error, 'payments_open_outcome')) {
    return error
  }
  const { endToEndId, amount, creditor } = order
  const open = await findOpenOutcome(context.database, {
    partnerId,
    endToEndId,
    amount,
    creditorBban: numberOf(creditor.account),
  })
  return refuse(
    'conflict',
    'An order with this endToEndId, amount and receiver was handed to the bank and its outcome is not known; follow the payment named here',
    open === undefined ? {} : { paymentId: open.id },
  )
}
