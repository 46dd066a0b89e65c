/** Cancels a payment at its bank, or starts the SCA that the bank requires for that. */
import type { CancellationRequest, Cancellation as CancellationResponse } from '../../contract/cancellations.ts'
import { bankOf } from '../accounts/require-consent-account.ts'
import { BankError } from '../banks/connector/bank-error.ts'
import type { ConsentActor } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { writeAuditEntry } from '../operators/write-audit-entry.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { ApiError, apiError } from '../platform/http/errors/api-error.ts'
import { newBankRequestId, newId } from '../platform/ids.ts'
import { type Cancellation, immediateRejectionReason, type RequestedCancellation } from './cancellation.ts'
import { leaseUntil } from './cancellation-lease.ts'
import { deleteCancellation, findOpenCancellation, insertCancellation } from './cancellation-store.ts'
import { type CurrentCancellation, renderCancellation } from './get-cancellation.ts'
import { joinCancellation } from './join-cancellation.ts'
import { requestCancellationAsUser } from './request-cancellation-as-user.ts'
import { requestedCancellationError } from './requested-cancellation-error.ts'
import { requireCancellationAccess } from './require-cancellation-access.ts'

/** A request that meets a cancellation which is just ending starts another one; this limits the retries. */
const ATTEMPTS_MAX = 3

/**
 * The user of the caller's consent cancels, who need not be the one who created the payment. While a cancellation is open,
 * it is returned instead of a new one. Throws 503 while the bank's answer is unknown.
 */
export async function cancelPayment(
  context: Context,
  caller: ConsentActor,
  request: CancellationRequest,
): Promise<CancellationResponse> {
  const bank = await bankOf(context, caller)
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const payment = await requireCancellationAccess(context, caller, request.paymentId)
    const requested = { caller, bank, payment, request, isRepeated: false }
    const open = await findOpenCancellation(context.database, { partnerId: caller.partnerId, paymentId: payment.id })
    const current =
      open === undefined
        ? await beginCancellation(context, requested)
        : await joinCancellation(context, requested, open)
    if (current !== undefined) {
      return await renderCancellation(context, current)
    }
  }
  throw apiError('conflict', 'Another user is cancelling the payment. Try again in a moment')
}

/** Stores the cancellation before the call to the bank. Returns undefined if a concurrent request stored one. */
async function beginCancellation(
  context: Context,
  requested: RequestedCancellation,
): Promise<CurrentCancellation | undefined> {
  const cancellation = cancellationOf(context, requested)
  if (!(await createCancellation(context, requested, cancellation))) {
    return undefined
  }
  if (cancellation.status !== 'REQUESTED') {
    return { cancellation }
  }
  try {
    return await requestCancellationAsUser(context, cancellation, requested)
  } catch (error) {
    if (error instanceof BankError || error instanceof ApiError) {
      await deleteCancellation(context.database, cancellation)
    }
    throw requestedCancellationError(error, { paymentId: cancellation.paymentId })
  }
}

function cancellationOf({ clock }: Context, { caller, bank, payment }: RequestedCancellation): Cancellation {
  const reason = immediateRejectionReason(bank, payment) ?? null
  return {
    partnerId: caller.partnerId,
    id: newId(),
    paymentId: payment.id,
    payrollCancellationId: null,
    bic: payment.bic,
    consentId: caller.consent.id,
    bankPaymentId: payment.bankPaymentId,
    wasSigned: payment.signed,
    bankRequestId: newBankRequestId(),
    status: reason === null ? 'REQUESTED' : 'REJECTED',
    reason,
    createdAt: clock.now(),
    requestedAt: clock.real(),
  }
}

async function createCancellation(
  context: Context,
  { caller }: RequestedCancellation,
  cancellation: Cancellation,
): Promise<boolean> {
  const { partnerId, id: cancellationId, paymentId, status, reason } = cancellation
  const evidence = { ipAddress: caller.psu?.ipAddress ?? null, userAgent: caller.psu?.userAgent ?? null }
  const lease = { leaseUntil: status === 'REQUESTED' ? leaseUntil(context) : null }
  const detail = { cancellationId, consentId: caller.consent.id, ...(reason === null ? {} : { reason }) }
  return await inTransaction(context, async (context) => {
    const isFirst = await insertCancellation(context.database, { ...cancellation, ...evidence, ...lease })
    if (isFirst) {
      const entry = { partnerId, actor: caller.actor, action: 'payment cancellation asked', detail }
      await writeAuditEntry(context, { ...entry, subject: ['payment', paymentId] })
    }
    return isFirst
  })
}
