/** Sends the user's browser to the bank, and remembers which browser that was. */
import { BankRefusal } from '../banks/bank-refusal.ts'
import type { Context } from '../context.ts'
import { hashToken, newToken } from '../foundation/ids.ts'
import { beginStep, redirectPurpose } from './prepare-signing.ts'
import { findAgain, isOver, settleSigning } from './settle-signing.ts'
import { currentStep, type Signing, type SigningKind, type SigningOutcome, type SigningStep } from './signing.ts'
import { markStepLeft, markStepOpen } from './signing-step-store.ts'
import { markLeft } from './signing-store.ts'

/** The browser that posts; `token` is from our cookie, when it has been here before. */
export type Browser = { readonly token: string | undefined; readonly ipAddress: string; readonly userAgent: string }

/** Where the browser goes. */
export type Leaving =
  | { readonly to: 'bank'; readonly url: string; readonly browserToken: string }
  | { readonly to: 'partner'; readonly outcome: SigningOutcome }
  | { readonly to: 'nowhere'; readonly why: 'used' }
  /** The bank is away for now; the link stays with this browser. */
  | { readonly to: 'nowhere'; readonly why: 'unavailable'; readonly browserToken: string }

/** While the user is at the bank, its first read comes after this. */
const FIRST_READ_AFTER = { seconds: 3 }

/** Uses the link up. The same browser may go on with it; any other is told that it is used. */
export async function leaveForBank(
  context: Context,
  kind: SigningKind,
  signing: Signing,
  browser: Browser,
): Promise<Leaving> {
  if (signing.outcome !== null || isOver(context, signing)) {
    return { to: 'nowhere', why: 'used' }
  }
  const browserToken = browser.token ?? newToken()
  const now = context.clock.now()
  const left = { browserHash: hashToken(browserToken), at: now, dueAt: now.add(FIRST_READ_AFTER) }
  if (!(await markLeft(context.database, signing, left))) {
    return { to: 'nowhere', why: 'used' }
  }
  try {
    const open = await withOpenStep(context, kind, signing, browser)
    const step = currentStep(open)
    if (open.outcome !== null) {
      return { to: 'nowhere', why: 'used' }
    }
    return step === undefined
      ? await endOf(context, kind, open, browserToken)
      : { to: 'bank', url: await leaveAt(context, open, step, browser), browserToken }
  } catch (error) {
    if (error instanceof BankRefusal) {
      context.log.warn({ signingId: signing.id, refusal: error.kind }, 'an authorisation could not be begun')
      return { to: 'nowhere', why: 'unavailable', browserToken }
    }
    throw error
  }
}

/** Keeps from where the browser left, and opens the bank's address. */
async function leaveAt(context: Context, signing: Signing, step: SigningStep, browser: Browser): Promise<string> {
  if (step.redirectSealed === null) {
    throw new Error(`Step ${step.position} of signing ${signing.id} is open without an address`)
  }
  await markStepLeft(context.database, signing, step.position, { ...browser, at: context.clock.real() })
  return context.seal.open(step.redirectSealed, redirectPurpose(signing.id))
}

/** Every step has ended: a process died before the whole was. */
async function endOf(context: Context, kind: SigningKind, signing: Signing, browserToken: string): Promise<Leaving> {
  const standing = await settleSigning(context, kind, signing)
  return standing.at === 'end'
    ? { to: 'partner', outcome: standing.outcome }
    : { to: 'nowhere', why: 'unavailable', browserToken }
}

/** The signing with the step at hand open; in a chain, its authorisation begins only now, with its full time to live. */
async function withOpenStep(
  context: Context,
  kind: SigningKind,
  signing: Signing,
  { ipAddress, userAgent }: Browser,
): Promise<Signing> {
  const step = currentStep(signing)
  if (step?.state !== 'pending') {
    return signing
  }
  // The user is here: the bank is told so, as when the partner began the first one.
  const psu = { ipAddress, userAgent, headers: {} }
  const begun = await beginStep(context, kind, { ...signing, psu }, step.targetId)
  const expiresAt = context.clock.now().add({ seconds: signing.stepSeconds })
  await markStepOpen(context.database, signing, step.position, { ...begun, expiresAt })
  return await findAgain(context, signing)
}
