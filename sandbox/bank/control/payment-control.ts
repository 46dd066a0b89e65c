/** Control API for payments: list them, set a status, settle them, and simulate the user's netbank. */

import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { closed } from '../../../gateway/platform/closed-schema.ts'
import { formatAmount } from '../../../gateway/platform/money.ts'
import { ControlError, onPost, requireFound } from '../../control-scope.ts'
import type { Sweep } from '../../due-rows.ts'
import { findRow } from '../../rows.ts'
import type { Authorisation } from '../authorisations/authorisation.ts'
import { authorisationsByResource } from '../authorisations/authorisation-store.ts'
import { type Context, inTransaction } from '../context.ts'
import { isBooked } from '../ledger/account-store.ts'
import { paymentRejections, REJECTION_REASONS } from '../outcomes/execution-outcomes.ts'
import { nextScriptStep } from '../outcomes/script-steps.ts'
import { ON_REQUEST } from '../outcomes/scripted-outcome.ts'
import { bookPayment, returnPayment } from '../payments/book-payment.ts'
import { isBulk } from '../payments/bulk-transaction.ts'
import { clearBulkTransactionStatuses } from '../payments/bulk-transaction-store.ts'
import { simulateStep } from '../payments/execute-payment.ts'
import { cancelInNetbank, signInNetbank } from '../payments/netbank-actions.ts'
import { type Payment, shownStatus } from '../payments/payment.ts'
import { reportedStatus } from '../payments/payment-response.ts'
import { type PaymentChange, paymentsByIds, paymentsOf, updatePayment } from '../payments/payment-store.ts'
import { revokeSignatures } from '../payments/signatures.ts'
import { isExecuting, isFinalStatus, TRANSACTION_STATUSES } from '../xs2a/transaction-status.ts'

/** More payments than any test creates. */
const PAYMENTS_MAX = 100_000
const BankQuery = Type.Object({ bank: Type.Optional(Type.String()) })
const StatusChange = Type.Object({
  transactionStatus: Type.Union(TRANSACTION_STATUSES.map((status) => Type.Literal(status))),
  /** Why it is rejected or cancelled, which the bank then reports. */
  reason: Type.Optional(Type.Enum([...REJECTION_REASONS])),
})
type StatusChange = Static<typeof StatusChange>
/** The statuses that a third party last read, and when. */
const LastReads = Type.Object({
  payments: Type.Array(
    Type.Object({
      paymentId: Type.String({ format: 'uuid' }),
      transactionStatus: Type.String(),
      readAt: Type.String({ format: 'date-time' }),
    }),
  ),
})
type LastReads = Static<typeof LastReads>
/** Without a name: every required user, or the bank itself. */
const NetbankUser = Type.Union([closed({ userId: Type.Optional(Type.String()) }), Type.Null()])

export function paymentControl(context: Context, sweep: Sweep, scope: FastifyInstance): void {
  scope.get<{ Querystring: Static<typeof BankQuery> }>(
    '/payments',
    { schema: { querystring: BankQuery } },
    async ({ query }) => await listPayments(context, query.bank),
  )
  onPost(scope, '/payments/unchanged', LastReads, async ({ payments }) => ({
    unchanged: await findUnchanged(context, payments),
  }))
  onPost(scope, '/payments/:id/status', StatusChange, (change, { id }) => setStatus(context, sweep, id, change))
  for (const [word, act] of Object.entries({ sign: signInNetbank, cancel: cancelInNetbank })) {
    onPost(scope, `/payments/:id/${word}`, NetbankUser, (body, { id }) =>
      withPayment(context, sweep, id, async (context, payment) => {
        const rejection = await act(context, payment, body?.userId)
        if (rejection !== undefined) {
          throw new ControlError(rejection.type === 'forbidden' ? 403 : 409, rejection.because)
        }
      }),
    )
  }
  for (const [word, step] of Object.entries({ release, 'take-back': revokeGivenSignatures, settle })) {
    scope.post<{ Params: { id: string } }>(`/payments/:id/${word}`, ({ params }) =>
      withPayment(context, sweep, params.id, step),
    )
  }
}

async function listPayments(context: Context, bank: string | undefined): Promise<readonly object[]> {
  const payments = await paymentsOf(context, bank === undefined ? {} : { bank }, PAYMENTS_MAX)
  const byPayment = await authorisationsByResource(context, payments)
  return payments.toReversed().map((payment) => describe(payment, byPayment.get(payment.id) ?? []))
}

/** The payments whose status a third party would read unchanged; none of a bank to which a fault applies. */
async function findUnchanged(context: Context, lastReads: LastReads['payments']): Promise<readonly string[]> {
  const lastReadById = new Map(lastReads.map((read) => [read.paymentId, read]))
  const faulty = new Set(context.faults.list().map(({ bank }) => bank))
  const payments = await paymentsByIds(context, [...lastReadById.keys()])
  return payments
    .filter((payment) => {
      const read = lastReadById.get(payment.id)
      const hasChanged =
        Temporal.Instant.compare(payment.changed_at, payment.created_at) > 0 &&
        (read === undefined || Temporal.Instant.compare(payment.changed_at, read.readAt) > 0)
      return !hasChanged && !faulty.has(payment.bank) && reportedStatus(payment) === read?.transactionStatus
    })
    .map(({ id }) => id)
}

function describe(payment: Payment, authorisations: readonly Authorisation[]): object {
  return {
    paymentId: payment.id,
    bank: payment.bank,
    service: payment.service,
    product: payment.product,
    /** The number of payments in a bulk; null for a single payment. */
    size: payment.bulk_size,
    transactionStatus: payment.status,
    /** The status for third parties. */
    shownStatus: shownStatus(payment),
    rail: payment.rail,
    fundsAvailable: payment.funds_available,
    debtorAccount: payment.debtor,
    creditorAccount: payment.creditor,
    creditorName: payment.creditor_name,
    amount: formatAmount({ minor: payment.amount_minor, currency: payment.currency }),
    currency: payment.currency,
    executionDate: payment.execution_on.toString(),
    requestId: payment.request_id,
    psuId: payment.psu_id,
    createdAt: payment.created_at.toString(),
    dueAt: payment.due_at?.toString() ?? null,
    body: payment.body,
    authorisations: authorisations.map(({ id, subject, sca_status, outcome, signer_id }) => ({
      authorisationId: id,
      kind: subject,
      scaStatus: sca_status,
      outcome,
      signerId: signer_id,
    })),
  }
}

/** Sets a status; the payment does not advance until another control call. */
async function setStatus(
  context: Context,
  sweep: Sweep,
  id: string,
  { transactionStatus: status, reason }: StatusChange,
): Promise<object> {
  const at = context.clock.now()
  const rejection = reason === undefined ? undefined : paymentRejections[reason]
  if (rejection !== undefined && rejection.status !== status) {
    throw new ControlError(400, `The reason ${reason} requires the status ${rejection.status}`)
  }
  return await withPayment(context, sweep, id, async (context, payment) => {
    const isSigned = isExecuting(status) || status === 'ACSC' || status === 'ACCC'
    if (rejection !== undefined && (await isBooked(context, payment))) {
      await returnPayment(context, payment, at)
    }
    if (isBulk(payment) && status !== 'PART') {
      await clearBulkTransactionStatuses(context, payment.id)
    }
    const signedAt: PaymentChange = isSigned && payment.signed_at === null ? { signed_at: at.toString() } : {}
    const report: PaymentChange =
      rejection === undefined ? {} : { status_text: rejection.text, funds_available: rejection.funds }
    const change = { status, due_at: null, script_step: null, ...signedAt, ...report }
    await updatePayment(context, payment, change, at)
  })
}

type PaymentStep = (context: Context, payment: Payment) => Promise<void>

/** Releases a payment that awaits its user's text message. */
const release: PaymentStep = async (context, payment) => {
  if (nextScriptStep(payment)?.after !== ON_REQUEST) {
    throw new ControlError(409, `The payment is ${payment.status} and waits for no SMS confirmation`)
  }
  await simulateStep(context, payment, context.clock.now())
}

/** Revokes the given signatures, as the second user's rejection does. */
const revokeGivenSignatures: PaymentStep = async (context, payment) => {
  if (payment.status !== 'PATC') {
    throw new ControlError(409, `The payment is ${payment.status} and waits for no further signature`)
  }
  const text = 'The second signer sent the payment back'
  await revokeSignatures(context, payment, { at: context.clock.now(), text })
}

/** Books a payment now, whatever its due date, as if it had been authorised. */
const settle: PaymentStep = async (context, payment) => {
  const isFinal = isFinalStatus(payment.status)
  if (isFinal || (!isBulk(payment) && (await isBooked(context, payment)))) {
    throw new ControlError(409, `The payment is ${isFinal ? payment.status : 'booked'} already`)
  }
  await bookPayment(context, payment, context.clock.now())
}

/** Runs the action with the payment locked, and returns the payment's state afterwards. */
export async function withPayment(context: Context, sweep: Sweep, id: string, step: PaymentStep): Promise<object> {
  const carryOut = async (context: Context) => {
    const payment = requireFound(
      await findRow(context, 'payments', { id }, { lock: true }),
      'The bank has no such payment',
    )
    await step(context, payment)
    return { paymentId: id, transactionStatus: (await findRow(context, 'payments', { id }, { lock: true }))?.status }
  }
  return await sweep.runExclusive(() => inTransaction(context, carryOut))
}
