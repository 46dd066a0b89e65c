/** Joins a request to the open cancellation of the same payment. */
import { setTimeout as pause } from 'node:timers/promises'
import { consentIdsOfUser } from '../consents/consent-lookup.ts'
import type { Context } from '../context.ts'
import { wallMilliseconds } from '../platform/clock.ts'
import type { Cancellation, RequestedCancellation } from './cancellation.ts'
import { leaseUntil } from './cancellation-lease.ts'
import { acquireCancellationLease, findCancellation, postponeCancellation } from './cancellation-store.ts'
import { endScaSessionOfOtherUser } from './end-sca-session-of-other-user.ts'
import { type CurrentCancellation, currentCancellation, scaSessionOf } from './get-cancellation.ts'
import { requestCancellationAsUser } from './request-cancellation-as-user.ts'

/** How long to wait for the request of another process; most banks answer within this time. */
const WAIT_MILLISECONDS = 10_000
const POLL_INTERVAL_MILLISECONDS = 100
const RETRY_AFTER = { seconds: 10 }

/** Returns undefined if the open one ended without success, so that a new one may start. */
export async function joinCancellation(
  context: Context,
  requested: RequestedCancellation,
  open: Cancellation,
): Promise<CurrentCancellation | undefined> {
  return open.status === 'REQUESTED'
    ? await joinUnanswered(context, requested, open)
    : await joinSigning(context, requested, open)
}

/** If no process holds the lease, the answer was lost: this request retries it. */
async function joinUnanswered(
  context: Context,
  requested: RequestedCancellation,
  open: Cancellation,
): Promise<CurrentCancellation | undefined> {
  const { payment, caller } = requested
  const times = { real: context.clock.real(), leaseUntil: leaseUntil(context) }
  const claim = {
    ...open,
    consentId: caller.consent.id,
    wasSigned: payment.signed,
    bankPaymentId: payment.bankPaymentId,
  }
  if (!(await acquireCancellationLease(context.database, claim, times))) {
    const answered = await awaitAnswer(context, open)
    return answered && (await currentCancellation(context, answered))
  }
  try {
    return await requestCancellationAsUser(
      context,
      { ...claim, requestedAt: times.real },
      { ...requested, isRepeated: true },
    )
  } catch (error) {
    // The outcome of the first request is still unknown, whatever failed this time.
    await postponeCancellation(context.database, open, context.clock.real().add(RETRY_AFTER))
    throw error
  }
}

async function awaitAnswer(context: Context, open: Cancellation): Promise<Cancellation | undefined> {
  const until = wallMilliseconds() + WAIT_MILLISECONDS
  for (;;) {
    const stored = await findCancellation(context.database, open)
    if (stored?.status !== 'REQUESTED' || wallMilliseconds() >= until) {
      return stored
    }
    await pause(POLL_INTERVAL_MILLISECONDS)
  }
}

/** Another user gets an authorisation of their own; the session of the first user is ended unless that user is at the bank. */
async function joinSigning(
  context: Context,
  requested: RequestedCancellation,
  open: Cancellation,
): Promise<CurrentCancellation | undefined> {
  const current = await currentCancellation(context, open)
  const { status } = current.cancellation
  if (status !== 'AUTHORIZATION_REQUIRED') {
    return status === 'REJECTED' ? undefined : current
  }
  if ((await consentIdsOfUser(context, requested.caller.consent)).includes(open.consentId)) {
    return current
  }
  const session = await scaSessionOf(context, open)
  await endScaSessionOfOtherUser(context, session, 'payment')
  return undefined
}
