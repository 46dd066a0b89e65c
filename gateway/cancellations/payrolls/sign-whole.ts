/** Begins a user's signing of the cancellation of a payroll, where the bank wants one for each order. */
import { shownPayrolls } from '../../approvals/payrolls/shown-payroll.ts'
import type { Context } from '../../context.ts'
import type { PayrollWish } from '../../payrolls/cancellations/requested-payroll-cancellation.ts'
import { refuse } from '../../platform/http/errors/api-error.ts'
import { endIfExempt, keepSigning, prepareSigning, type SigningWanted } from '../../signing/prepare-signing.ts'
import { cancellationWanted } from '../cancellation-sca-request.ts'
import { cancellationSigning } from '../cancellation-signing.ts'
import { moveCancellation } from '../cancellation-store.ts'
import type { PartOfWhole, PayrollCancellation } from './payroll-cancellation.ts'

/** The parts, whose orders are held, wait for their user then. Throws what beginning an authorisation throws. */
export async function signWhole(
  context: Context,
  wish: PayrollWish,
  whole: PayrollCancellation,
  parts: readonly PartOfWhole[],
): Promise<void> {
  const kind = cancellationSigning()
  const begun = await prepareSigning(context, kind, await wantedOf(context, wish, whole, parts))
  const next = { status: 'AUTHORIZATION_REQUIRED', reason: null } as const
  await context.database.query.transaction().execute(async (transaction) => {
    for (const { part } of parts) {
      if (!(await moveCancellation({ query: transaction }, part, next, context.clock.now()))) {
        throw refuse('conflict', 'The payroll is being cancelled by somebody else; ask again in a moment')
      }
    }
    await keepSigning(transaction, begun)
  })
  await endIfExempt(context, kind, begun)
}

/** Codes and apps are on our page behind the link, whatever was preferred. */
async function wantedOf(
  context: Context,
  wish: PayrollWish,
  whole: PayrollCancellation,
  parts: readonly PartOfWhole[],
): Promise<SigningWanted> {
  const steps = await Promise.all(
    parts.map(async ({ order }) => ({
      targetType: 'cancellation' as const,
      targetId: order.id,
      shown: await shownPayrolls(context, [wish.payroll], [order]),
    })),
  )
  return cancellationWanted(context, wish, whole, { codeForPartner: false, isShownSealed: true, steps })
}
