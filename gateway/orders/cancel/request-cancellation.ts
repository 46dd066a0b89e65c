/** Cancels a payment or payroll for a user: stores that, or joins an open cancellation, and requests it at the bank. */

import { requireConsentIdOf } from '../../authorisations/sca-session.ts'
import { consentIdsOfUser } from '../../consents/consent-lookup.ts'
import type { Context } from '../../context.ts'
import { writeAuditEntry } from '../../operators/audit-log.ts'
import { DatabaseUnavailable } from '../../platform/database/database-unavailable.ts'
import { allOrNothing } from '../../platform/database/in-transaction.ts'
import { apiError, outcomeUnknown } from '../../platform/http/errors/api-error.ts'
import { newBankRequestId, newId } from '../../platform/ids.ts'
import { waitUntil } from '../../platform/wait-until.ts'
import { cancelOrdersAtBank } from './cancel-orders-at-bank.ts'
import {
  type CancellableInstruction,
  type Cancellation,
  type CancellationPart,
  type CancellationRequest,
  cancellationTerms,
  type RequestedCancellation,
  statusOfCancellation,
} from './cancellation.ts'
import { endScaSessionOfOtherUser } from './cancellation-sca-subject.ts'
import { acquirePartLease, findCancellation, findOpenCancellation, insertCancellation } from './cancellation-store.ts'
import { type CurrentCancellation, currentCancellation, requireCancellation, scaSessionOf } from './get-cancellation.ts'
import { leaseUntil } from './request-bank-cancellation.ts'

/** A request that meets a cancellation which is just ending starts another one; this limits the retries. */
const ATTEMPTS_MAX = 3
/** A user cannot wait for a thousand orders. */
const WAIT = { seconds: 20 }
const POLL_INTERVAL_MILLISECONDS = 100

/** The cancellation, and whether the bank did not answer for an order that this request asked it for. */
export type CancellationResult = CurrentCancellation & { readonly isUnanswered: boolean }

/**
 * Cancels what `find` returns, which checks before each attempt that the user may. While a cancellation is open, it is
 * returned instead of a new one. What takes longer than a user waits is cancelled by a sweep.
 */
export async function requestCancellation(
  context: Context,
  request: CancellationRequest,
  find: () => Promise<CancellableInstruction>,
): Promise<CancellationResult> {
  const userWaitsUntil = context.clock.real().add(WAIT)
  for (let attempt = 1; ; attempt += 1) {
    const instruction = await find()
    const requested = { ...request, userWaitsUntil, instruction, findAgain: find }
    const open = await findOpenCancellation(context.database, instruction)
    const result =
      open === undefined
        ? await beginCancellation(context, requested)
        : await joinCancellation(context, requested, open)
    if (result !== undefined) {
      return result
    }
    if (attempt === ATTEMPTS_MAX) {
      throw apiError('conflict', `Another user is cancelling the ${instruction.kind}. Try again in a moment`)
    }
  }
}

/** Stores the cancellation before any call to the bank. Returns undefined if a concurrent request stored one. */
async function beginCancellation(
  context: Context,
  requested: RequestedCancellation,
): Promise<CancellationResult | undefined> {
  const cancellation = newCancellation(context, requested)
  if (!(await storeCancellation(context, requested, cancellation))) {
    return undefined
  }
  try {
    return await requestParts(context, requested, cancellation, { isRepeated: false })
  } catch (error) {
    if (error instanceof DatabaseUnavailable) {
      const detail = 'the order may be cancelled there. Poll the status of what is named here'
      throw outcomeUnknown(cancellationTerms[cancellation.kind].named(cancellation.instructionId), detail)
    }
    throw error
  }
}

function newCancellation({ clock }: Context, { caller, instruction }: RequestedCancellation): Cancellation {
  const { partnerId, kind, toCancel, decision, reason } = instruction
  const id = newId()
  const common = { partnerId, kind, consentId: caller.consent.id }
  const isDecided = decision !== null
  const parts = toCancel.map((order): CancellationPart => {
    return {
      ...common,
      id: kind === 'payment' ? id : newId(),
      paymentId: order.id,
      bic: order.bic,
      bankPaymentId: order.bankPaymentId,
      wasSigned: order.signed,
      bankRequestId: newBankRequestId(),
      status: decision ?? 'REQUESTED',
      reason: isDecided ? reason : null,
      requestedAt: clock.real(),
    }
  })
  return { ...common, id, instructionId: instruction.id, decision, reason, createdAt: clock.now(), parts }
}

async function storeCancellation(
  context: Context,
  { caller, instruction: { kind, id, audited } }: RequestedCancellation,
  cancellation: Cancellation,
): Promise<boolean> {
  const { partnerId, consentId, id: cancellationId } = cancellation
  const { ipAddress = null, userAgent = null } = caller.psu ?? {}
  const origin = { ipAddress, userAgent, leaseUntil: leaseUntil(context) }
  return await allOrNothing(context, async (context) => {
    const isFirst = await insertCancellation(context.database, cancellation, origin)
    if (isFirst) {
      const detail = { cancellationId, consentId, ...audited }
      const entry = { partnerId, actor: caller.actor, action: `${kind} cancellation asked` as const, detail }
      await writeAuditEntry(context, { ...entry, subject: [kind, id] })
    }
    return isFirst
  })
}

/** Requests the parts given, and returns the cancellation with all of its parts. */
async function requestParts(
  context: Context,
  requested: RequestedCancellation,
  cancellation: Cancellation,
  { isRepeated }: { readonly isRepeated: boolean },
): Promise<CancellationResult> {
  const { sca, isUnanswered } = await cancelOrdersAtBank(context, requested, cancellation, { isRepeated })
  const stored = await requireCancellation(context, cancellation)
  return sca === undefined
    ? { ...(await currentCancellation(context, stored)), isUnanswered }
    : { cancellation: stored, sca, isUnanswered }
}

/** Returns undefined if the open one ended without success, so that a new one may start. */
async function joinCancellation(
  context: Context,
  requested: RequestedCancellation,
  open: Cancellation,
): Promise<CancellationResult | undefined> {
  if (statusOfCancellation(open) !== 'REQUESTED') {
    return await joinSigning(context, requested, open)
  }
  const claimed = await claimParts(context, requested, open)
  if (claimed.length > 0) {
    return await requestParts(context, requested, { ...open, parts: claimed }, { isRepeated: true })
  }
  const answered = await awaitAnswer(context, open)
  return answered && { ...(await currentCancellation(context, answered)), isUnanswered: false }
}

/** The parts whose answer was lost, and that no other process requests: this user's request repeats them. */
async function claimParts(
  context: Context,
  { caller, instruction }: RequestedCancellation,
  { parts }: Cancellation,
): Promise<readonly CancellationPart[]> {
  const orderById = new Map(instruction.orders.map((order) => [order.id, order]))
  const requestedAt = context.clock.real()
  const until = leaseUntil(context)
  const claimed: CancellationPart[] = []
  for (const part of parts.filter(({ status }) => status === 'REQUESTED')) {
    const { bankPaymentId = part.bankPaymentId, signed: wasSigned = part.wasSigned } =
      orderById.get(part.paymentId) ?? {}
    const claim = { ...part, consentId: caller.consent.id, wasSigned, bankPaymentId, requestedAt }
    if (await acquirePartLease(context.database, claim, until)) {
      claimed.push(claim)
    }
  }
  return claimed
}

async function awaitAnswer(context: Context, open: Cancellation): Promise<Cancellation | undefined> {
  const withinMilliseconds = cancellationTerms[open.kind].joinWaitMilliseconds
  return await waitUntil(
    () => findCancellation(context.database, open),
    (stored) => stored === undefined || statusOfCancellation(stored) !== 'REQUESTED',
    { withinMilliseconds, everyMilliseconds: POLL_INTERVAL_MILLISECONDS },
  )
}

/** Another user gets authorisations of their own; the session of the first user is ended unless that user is at the bank. */
async function joinSigning(
  context: Context,
  { caller }: RequestedCancellation,
  open: Cancellation,
): Promise<CancellationResult | undefined> {
  const current = { ...(await currentCancellation(context, open)), isUnanswered: false }
  const status = statusOfCancellation(current.cancellation)
  if (status !== 'AUTHORIZATION_REQUIRED') {
    return status === 'REJECTED' ? undefined : current
  }
  const session = await scaSessionOf(context, open)
  const signerConsentId = session === undefined ? open.consentId : requireConsentIdOf(session)
  if ((await consentIdsOfUser(context, caller.consent)).includes(signerConsentId)) {
    return current
  }
  await endScaSessionOfOtherUser(context, open, session)
  return undefined
}
