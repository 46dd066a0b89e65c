/** Begins a user's signing of a cancellation, where the bank wants one. */
import { shownPayment } from '../approvals/shown-payment.ts'
import type { Context } from '../context.ts'
import type { HeldPayment } from '../payments/payment.ts'
import { endIfExempt, keepSigning, prepareSigning, type SigningWanted } from '../signing/prepare-signing.ts'
import { preferredOf } from '../signing/signed-in-app.ts'
import type { Cancellation } from './cancellation.ts'
import { cancellationSigning } from './cancellation-signing.ts'
import { findCancellation, moveCancellation } from './cancellation-store.ts'
import type { Standing } from './show-cancellation.ts'
import type { Wish } from './wish.ts'

/** Banks end an authorisation after their own time; nobody's may take longer than this. */
const AUTHORISATION_SECONDS_MAX = 600

/** Answers the cancellation as it waits for its user, with where that user signs. */
export async function signCancellation(
  context: Context,
  cancellation: Cancellation,
  wish: Wish & { readonly payment: HeldPayment },
): Promise<Standing> {
  const kind = cancellationSigning()
  const prepared = await prepareSigning(context, kind, wantedOf(context, cancellation, wish))
  const next = { status: 'AUTHORIZATION_REQUIRED', reason: null } as const
  await context.database.query.transaction().execute(async (transaction) => {
    if (!(await moveCancellation({ query: transaction }, cancellation, next, context.clock.now()))) {
      throw new Error(`Cancellation ${cancellation.id} was ended while its signing began`)
    }
    await keepSigning(transaction, prepared)
  })
  await endIfExempt(context, kind, prepared)
  const kept = await findCancellation(context.database, cancellation)
  return { cancellation: kept ?? { ...cancellation, ...next }, sca: prepared.sca }
}

function wantedOf(
  context: Context,
  { id, partnerId }: Cancellation,
  { caller, bank, payment, asked }: Wish & { readonly payment: HeldPayment },
): SigningWanted {
  const seconds = Math.min(bank.profile.authorisationTtlSeconds, AUTHORISATION_SECONDS_MAX)
  return {
    partnerId,
    kind: 'cancellation',
    subjectId: id,
    consentId: caller.consent.id,
    bic: bank.bic,
    callbackUrl: asked.callbackUrl,
    expiresAt: context.clock.now().add({ seconds }),
    psu: caller.psu,
    userId: caller.consent.userId,
    preferred: preferredOf(asked.preferredScaMethod),
    codeForPartner: true,
    steps: [{ targetType: 'cancellation', targetId: payment.id, shown: [shownPayment(payment)] }],
  }
}
