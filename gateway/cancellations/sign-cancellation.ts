/** Begins a user's signing of a cancellation, where the bank wants one. */
import { shownPayment } from '../approvals/payment-summary.ts'
import type { Context } from '../context.ts'
import { type HeldPayment, isPartners } from '../orders/payment.ts'
import { endIfExempt, keepSigning, prepareSigning, type SigningWanted } from '../signing/prepare-signing.ts'
import type { Cancellation, Wish } from './cancellation.ts'
import { cancellationWanted } from './cancellation-sca-request.ts'
import { cancellationSigning } from './cancellation-signing.ts'
import { findCancellation, moveCancellation } from './cancellation-store.ts'
import { type Standing, standingOf } from './show-cancellation.ts'

/** Answers the cancellation as it waits for its user, with where that user signs; as it ended, if it did meanwhile. */
export async function signCancellation(
  context: Context,
  cancellation: Cancellation,
  wish: Wish & { readonly payment: HeldPayment },
): Promise<Standing> {
  const kind = cancellationSigning()
  const prepared = await prepareSigning(context, kind, wantedOf(context, cancellation, wish))
  const next = { status: 'AUTHORIZATION_REQUIRED', reason: null } as const
  const isKept = await context.database.query.transaction().execute(async (transaction) => {
    const isOpen = await moveCancellation({ query: transaction }, cancellation, next, context.clock.now())
    if (isOpen) {
      await keepSigning(transaction, prepared)
    }
    return isOpen
  })
  if (isKept) {
    await endIfExempt(context, kind, prepared)
  }
  const kept = (await findCancellation(context.database, cancellation)) ?? { ...cancellation, ...next }
  return isKept ? { cancellation: kept, sca: prepared.sca } : await standingOf(context, kept)
}

function wantedOf(
  context: Context,
  cancellation: Cancellation,
  wish: Wish & { readonly payment: HeldPayment },
): SigningWanted {
  const { payment } = wish
  const shown = isPartners(payment) ? [shownPayment(payment)] : []
  return cancellationWanted(context, wish, cancellation, {
    codeForPartner: true,
    steps: [{ targetType: 'cancellation', targetId: payment.id, shown }],
  })
}
