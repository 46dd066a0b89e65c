/** Answers whoever asks for a cancellation while another one of the same payment is open: with that one. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { wallMilliseconds } from '../platform/clock.ts'
import type { Cancellation, Wish } from './cancellation.ts'
import { leaseUntil } from './cancellation-lease.ts'
import { claimCancellation, findCancellation, postponeCancellation } from './cancellation-store.ts'
import { endAnothersSigning, isSameUser } from './end-sca-session-of-other-user.ts'
import { type Standing, signingOf, standingOf } from './show-cancellation.ts'
import { askForWish } from './wish.ts'

/** Somebody else is asking the bank: most answer within this time, and who waits longer is told to come again. */
const WAIT_MILLISECONDS = 10_000
const LOOK_EVERY_MILLISECONDS = 100
const ASK_AGAIN_AFTER = { seconds: 10 }

/** Undefined when the open one ended without the payment being cancelled, so that another may begin. */
export async function joinCancellation(
  context: Context,
  wish: Wish,
  open: Cancellation,
): Promise<Standing | undefined> {
  return open.status === 'ASKED' ? await joinAsked(context, wish, open) : await joinSigning(context, wish, open)
}

/** Nobody asks the bank at present when its answer was lost: the user who comes again has it asked again. */
async function joinAsked(context: Context, wish: Wish, open: Cancellation): Promise<Standing | undefined> {
  const { payment, caller } = wish
  const times = { real: context.clock.real(), leaseUntil: leaseUntil(context) }
  const asked = {
    ...open,
    consentId: caller.consent.id,
    wasSigned: payment.signed,
    bankPaymentId: payment.bankPaymentId,
  }
  if (!(await claimCancellation(context.database, asked, times))) {
    const answered = await awaitAnswer(context, open)
    return answered && (await standingOf(context, answered))
  }
  try {
    return await askForWish(context, { ...asked, askedAt: times.real }, { ...wish, isRepeated: true })
  } catch (error) {
    // What became of the first asking is not known yet, whatever went wrong this time.
    await postponeCancellation(context.database, open, context.clock.real().add(ASK_AGAIN_AFTER))
    throw error
  }
}

async function awaitAnswer(context: Context, open: Cancellation): Promise<Cancellation | undefined> {
  const until = wallMilliseconds() + WAIT_MILLISECONDS
  for (;;) {
    const kept = await findCancellation(context.database, open)
    if (kept?.status !== 'ASKED' || wallMilliseconds() >= until) {
      return kept
    }
    await pause(LOOK_EVERY_MILLISECONDS)
  }
}

/** Another user signs an authorisation of their own; the first one's is ended unless that user is at the bank. */
async function joinSigning(context: Context, wish: Wish, open: Cancellation): Promise<Standing | undefined> {
  const standing = await standingOf(context, open)
  const { status } = standing.cancellation
  if (status !== 'AUTHORIZATION_REQUIRED') {
    return status === 'REJECTED' ? undefined : standing
  }
  if (await isSameUser(context, wish.caller.consent, open)) {
    return standing
  }
  const signing = await signingOf(context, open)
  await endAnothersSigning(context, signing, 'payment')
  return undefined
}
