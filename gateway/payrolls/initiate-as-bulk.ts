/** Hands a payroll to its bank as one order: kept as an intent first, asked once, and the answer kept. */
import type { PaymentInitiated } from '../../contract/payments/payment-operations.ts'
import type { PayrollAsked } from '../../contract/payrolls/payroll-request.ts'
import type { PayrollInitiated, PayrollWarning } from '../../contract/payrolls/payroll-response.ts'
import type { BulkOrder } from '../banks/bulk-order.ts'
import type { BulkPaymentProduct } from '../banks/connector/connector.ts'
import type { Bank } from '../banks/directory/bank.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { situationAt } from '../orders/instructions/validation-context.ts'
import { bulkOrderOf } from '../orders/payroll/build-payroll-orders.ts'
import { forgetContents } from '../orders/payroll/payroll-contents.ts'
import { bulkIdOf, contentDigest, endToEndIdOf } from '../orders/payroll/payroll-order.ts'
import { forgetPayouts, keepPayoutsIntent, type PayoutsIntent } from '../orders/payroll/payroll-submission.ts'
import { shownPayout } from '../orders/payroll/render-payroll-transactions.ts'
import { handOver } from '../payments/hand-over.ts'
import { keepPayoutsTaken } from '../payments/payroll-order/keep-payouts.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { newId } from '../platform/ids.ts'
import { mapLettingOthersIn } from '../platform/yield-to-event-loop.ts'
import { currencyOf, keepPayroll } from './keep-payroll.ts'
import { payrollConflictOf } from './payroll-conflict.ts'
import type { InitiationHow } from './payroll-initiation.ts'
import { refusalOfPayroll } from './payroll-refusal.ts'
import { deletePayroll } from './payroll-store.ts'
import { duplicateWarnings, warningsOnPayroll } from './payroll-warnings.ts'

type BulkIntent = { readonly intent: PayoutsIntent<BulkOrder>; readonly warnings: readonly PayrollWarning[] }

/** A refusal leaves nothing behind; anything unclear leaves a payroll whose outcome is unknown. */
export async function initiateAsBulk(
  context: Context,
  caller: ConsentCaller,
  ordered: PayrollAsked,
  how: InitiationHow,
): Promise<PayrollInitiated> {
  const { bank, keepAcceptance, idempotent } = how
  const product = requireBulks(context, bank)
  const { intent, warnings } = await keepIntent(context, caller, ordered, how)
  const taken = await handOver(context, caller, intent, {
    bank,
    product,
    refusalOf: refusalOfPayroll,
    endRefused: () => forget(context, intent),
  })
  const toldAgain = (initiated: PaymentInitiated) => answerOf(intent.payrollId, ordered, initiated, warnings)
  const tools = { keepAcceptance, idempotent, bank, toldAgain }
  return await toldAgain(await keepPayoutsTaken(context, { intent, first: 0, taken }, tools))
}

function requireBulks({ banks }: Context, bank: Bank): BulkPaymentProduct {
  const { bulkPayments } = banks.connectorOf(bank)
  if (bulkPayments === undefined) {
    throw refuse('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} takes no payrolls here`)
  }
  return bulkPayments
}

/** Payroll, payouts and the intent of their order: all of it, or nothing. Throws `conflict` while an equal order, or the same key, is open. */
async function keepIntent(
  context: Context,
  caller: ConsentCaller,
  ordered: PayrollAsked,
  { bank, way, bulkId, account, idempotent }: InitiationHow,
): Promise<BulkIntent> {
  const id = newId()
  // Whatever may fail of our own work fails before anything is kept.
  const order = await orderOf(ordered, { bank, id, debtorIban: account.iban })
  const warnings = await warningsOnPayroll(ordered, situationAt(context.clock, bank, caller.consent))
  const [digest, endToEndId] = [await contentDigest(context.seal, ordered), endToEndIdOf(ordered)]
  try {
    const { payroll, kept } = await keepPayroll(context, caller, ordered, {
      ...{ bank, way, bulkId },
      within: (transaction, { id: payrollId, transactionCount: count, ...facts }) => {
        const toKeep = { id, order, digest, endToEndId, as: 'bulk', range: { first: 0, count } } as const
        return keepPayoutsIntent(context, transaction, { ...toKeep, payroll: { ...facts, payrollId } }, idempotent)
      },
    })
    const duplicates = await duplicateWarnings(context, payroll, kept.duplicateOf)
    return { intent: kept.intent, warnings: [...duplicates, ...warnings] }
  } catch (error) {
    throw await payrollConflictOf(context, { ...caller, endToEndId, digest, currency: order.debtor.currency }, error)
  }
}

async function orderOf(
  ordered: PayrollAsked,
  { bank, id, debtorIban }: { readonly bank: Bank; readonly id: string; readonly debtorIban: string | null },
): Promise<BulkOrder> {
  const { countryCode, profile } = bank
  const dueDate = Temporal.PlainDate.from(ordered.dueDate)
  const terms = { countryCode, currency: currencyOf(ordered.transactions), dueDate, debtorIban }
  return await bulkOrderOf(ordered, terms, {
    bulkId: bulkIdOf(id),
    batchBooking: profile.payroll?.batchBooking === true,
  })
}

async function forget(context: Context, intent: PayoutsIntent<BulkOrder>): Promise<void> {
  const { partnerId, payrollId: id } = intent
  await forgetPayouts(context, intent, async (transaction) => {
    await deletePayroll(transaction, { partnerId, id })
    await forgetContents(transaction, intent)
  })
}

/** One word of the bank for all payouts. */
async function answerOf(
  payrollId: string,
  { transactions }: PayrollAsked,
  { paymentStatus }: PaymentInitiated,
  warnings: readonly PayrollWarning[],
): Promise<PayrollInitiated> {
  const { endToEndId: _none, ...told } = shownPayout('', standingOf(paymentStatus))
  return {
    payrollId,
    transactions: await mapLettingOthersIn(transactions, ({ metadata: { endToEndId } }) => ({ endToEndId, ...told })),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  }
}

function standingOf({ status, statusReason, statusReasonText, timestamp }: PaymentInitiated['paymentStatus']) {
  return {
    status,
    statusReason: statusReason ?? null,
    statusReasonText: statusReasonText ?? null,
    statusAt: Temporal.Instant.from(timestamp),
  }
}
