/** Cancels a payment as far as its bank lets go of it. */
import type { CancellationAsked, Cancellation as CancellationShown } from '../../contract/cancellations.ts'
import { bankOf } from '../accounts/require-account.ts'
import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { writeAudit } from '../operators/write-audit-entry.ts'
import { atomically } from '../platform/database/in-transaction.ts'
import { Refusal, refuse } from '../platform/http/errors/api-error.ts'
import { newBankRequestId, newId } from '../platform/ids.ts'
import { type Cancellation, reasonAgainst, type Wish } from './cancellation.ts'
import { leaseUntil } from './cancellation-lease.ts'
import { dropCancellation, findOpenCancellation, insertCancellation } from './cancellation-store.ts'
import { joinCancellation } from './join-cancellation.ts'
import { requireCancellable } from './require-cancellable.ts'
import { type Standing, shownCancellation } from './show-cancellation.ts'
import { askForWish } from './wish.ts'

/** Whoever comes while one ends begins another; nobody is overtaken more often than this. */
const ATTEMPTS_MAX = 3

/**
 * Acts for the user of the caller's own consent, who need not have created the payment. While the payment is being
 * cancelled, the same cancellation is answered. Throws 503 when the bank's answer is not known.
 */
export async function cancelPayment(
  context: Context,
  caller: ConsentCaller,
  asked: CancellationAsked,
): Promise<CancellationShown> {
  const bank = await bankOf(context, caller)
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const payment = await requireCancellable(context, caller, asked.paymentId)
    const wish = { caller, bank, payment, asked, isRepeated: false }
    const open = await findOpenCancellation(context.database, { partnerId: caller.partnerId, paymentId: payment.id })
    const standing = open === undefined ? await begin(context, wish) : await joinCancellation(context, wish, open)
    if (standing !== undefined) {
      return await shownCancellation(context, standing)
    }
  }
  throw refuse('conflict', 'The payment is being cancelled by somebody else; ask again in a moment')
}

/** The wish is kept before the bank is asked. Undefined when somebody else has begun at the same moment. */
async function begin(context: Context, wish: Wish): Promise<Standing | undefined> {
  const cancellation = cancellationOf(context, wish)
  if (!(await keepWish(context, wish, cancellation))) {
    return undefined
  }
  if (cancellation.status !== 'ASKED') {
    return { cancellation }
  }
  try {
    return await askForWish(context, cancellation, wish)
  } catch (error) {
    if (error instanceof BankRefusal || error instanceof Refusal) {
      await dropCancellation(context.database, cancellation)
    }
    throw error
  }
}

function cancellationOf({ clock }: Context, { caller, bank, payment }: Wish): Cancellation {
  const reason = reasonAgainst(bank, payment) ?? null
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
    status: reason === null ? 'ASKED' : 'REJECTED',
    reason,
    createdAt: clock.now(),
    askedAt: clock.real(),
  }
}

async function keepWish(context: Context, { caller }: Wish, cancellation: Cancellation): Promise<boolean> {
  const { partnerId, id: cancellationId, paymentId, status, reason } = cancellation
  const evidence = { ipAddress: caller.psu?.ipAddress ?? null, userAgent: caller.psu?.userAgent ?? null }
  const lease = { leaseUntil: status === 'ASKED' ? leaseUntil(context) : null }
  const detail = { cancellationId, consentId: caller.consent.id, ...(reason === null ? {} : { reason }) }
  return await atomically(context.database, async (within) => {
    const isFirst = await insertCancellation(within, { ...cancellation, ...evidence, ...lease })
    if (isFirst) {
      const entry = { partnerId, actor: `client ${caller.clientId}`, action: 'payment cancellation asked', detail }
      await writeAudit({ ...context, database: within }, { ...entry, subject: ['payment', paymentId] })
    }
    return isFirst
  })
}
