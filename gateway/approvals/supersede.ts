/** Ends older approvals of the same payments whose user has not left for the bank; a live session there is left alone. */
import { BankRefusal, type BankRefusalKind } from '../banks/connector/bank-error.ts'
import type { Context } from '../context.ts'
import type { Payment } from '../orders/payment.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { endedSigningsToLookAt, liveSignings } from '../signing/find-signing.ts'
import { endSigning, settleSigning } from '../signing/settle-signing.ts'
import { currentStep, type Signing } from '../signing/signing.ts'
import { findAgain, isOver, type Standing } from '../signing/standing.ts'
import { approvalSigning } from './approval-signing.ts'
import { listBasketIds, listStartedBasketIds } from './approval-store.ts'

/** A bank that says this now may show the signing in a moment. */
const PASSES: ReadonlySet<BankRefusalKind> = new Set(['unavailable', 'outcome-unknown', 'too-many-reads'])

/** Throws `AUTHENTICATION_TEMPORARY_UNAVAILABLE` while the user may be signing one of them at the bank. */
export async function supersede(context: Context, partnerId: string, payments: readonly Payment[]): Promise<void> {
  for (const signing of await liveSigningsOf(context, partnerId, payments)) {
    if (signing.kind !== 'approval' || (await endUnlessBusy(context, signing)).at !== 'end') {
      throw busy(signing, payments)
    }
  }
}

/** Says what the partner can do about a user who is at the bank. */
function busy({ kind, subjectId }: Signing, payments: readonly Payment[]): Error {
  const what = payments.some(({ payrollId }) => payrollId !== null) ? 'payroll' : 'payments'
  const [doing, operation] = kind === 'approval' ? ['signing', 'approve'] : ['signing the cancellation of', 'cancel']
  const message =
    `A user is ${doing} one of these at the bank. Wait until that has ended, have the user open the same link again, or ` +
    `abandon it with DELETE /api/v2/${what}/${operation}/${subjectId}`
  return refuse('AUTHENTICATION_TEMPORARY_UNAVAILABLE', message)
}

/** The signings of these payments, alone or with others, that ended while their user could go on at the bank. */
export async function signingsToLookAtLate(
  context: Context,
  partnerId: string,
  payments: readonly Payment[],
): Promise<readonly Signing[]> {
  const ids = payments.map(({ id }) => id)
  const targetIds = [...ids, ...(await listBasketIds(context.database, partnerId, ids))]
  return await endedSigningsToLookAt(context, partnerId, targetIds)
}

/** The signings of these payments, alone or with others, that have not ended. */
export async function liveSigningsOf(
  context: Context,
  partnerId: string,
  payments: readonly Payment[],
): Promise<readonly Signing[]> {
  const ids = payments.map(({ id }) => id)
  const targetIds = [...ids, ...(await listStartedBasketIds(context.database, partnerId, ids))]
  return await liveSignings(context, partnerId, targetIds)
}

/**
 * What its bank does not show counts as busy until its time is over; then it is ended, and a late look is kept. Why the
 * bank does not show it is a matter of its own consent, not of whoever asks now.
 */
async function endUnlessBusy(context: Context, signing: Signing): Promise<Standing> {
  try {
    return await endUnlessLeft(context, signing)
  } catch (error) {
    if (!(error instanceof BankRefusal)) {
      throw error
    }
    context.log.warn(
      { signingId: signing.id, refusal: error.kind },
      'the bank could not say how an older signing stands',
    )
    const isLost = isOver(context, signing) && !PASSES.has(error.kind)
    const ended = isLost ? await endSigning(context, approvalSigning(), signing, 'cancelled') : undefined
    return ended ?? { at: 'open' }
  }
}

/** A user who leaves for the bank at this moment is quicker, and may sign. */
async function endUnlessLeft(context: Context, signing: Signing): Promise<Standing> {
  if (signing.status !== 'waiting' && !(await isUnscanned(context, signing))) {
    return await settleSigning(context, approvalSigning(), signing)
  }
  const ended = await endSigning(context, approvalSigning(), signing, 'cancelled')
  return ended ?? (await endUnlessLeft(context, await findAgain(context, signing)))
}

/** A code that a partner shows has no browser that leaves with it: until somebody scans it, nobody is at the bank. */
async function isUnscanned(context: Context, signing: Signing): Promise<boolean> {
  const step = currentStep(signing)
  const authorisationId = step?.authorisationId ?? null
  if (signing.status !== 'left' || signing.shownBy !== 'partner' || step?.way !== 'code' || authorisationId === null) {
    return false
  }
  const { state, scaStatus } = await approvalSigning().read(context, signing, { ...step, authorisationId })
  return state === 'open' && scaStatus === 'received'
}
