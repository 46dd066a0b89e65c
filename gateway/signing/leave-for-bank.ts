/** Sends the user's browser to the bank, and remembers which browser that was. */

import { stepPurpose } from '../authorisations/authorisation/start-step-authorisation.ts'
import { trustReturned } from '../authorisations/store/browser-trust-store.ts'
import { markLeft } from '../authorisations/store/sca-session-store.ts'
import { type Evidence, markStepLeft } from '../authorisations/store/sca-step-store.ts'
import { BankRefusal } from '../banks/connector/bank-error.ts'
import type { Context } from '../context.ts'
import { hashToken, newToken } from '../platform/ids.ts'
import { begunNow } from './begin-once.ts'
import { settleSigning } from './settle-signing.ts'
import {
  currentStep,
  nextWaitsForWord,
  type Signing,
  type SigningKind,
  type SigningOutcome,
  type SigningStep,
} from './signing.ts'
import { findAgain, isOver } from './standing.ts'

/** The browser that posts; `token` is from our cookie, when it has been here before. */
export type Browser = Omit<Evidence, 'at'> & { readonly token: string | undefined }

/** Where the browser goes. */
export type Leaving =
  | { readonly to: 'bank'; readonly url: string; readonly browserToken: string }
  /** A page of ours, on which the user is told what to do in the app, or waits for the word of whoever came back last. */
  | { readonly to: 'app'; readonly browserToken: string }
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
    const { ipAddress, userAgent } = browser
    // In a chain it begins only now, with its full time to live. The user is here: the bank is told so.
    const psu = { ipAddress, userAgent, headers: {} }
    const open = await begunNow(context, kind, signing, { psu })
    if (open.outcome !== null) {
      return { to: 'nowhere', why: 'used' }
    }
    if (nextWaitsForWord(open)) {
      return { to: 'app', browserToken }
    }
    const step = currentStep(open)
    return step === undefined
      ? await endOf(context, kind, open, browserToken)
      : { ...(await leaveAt(context, open, step, browser)), browserToken }
  } catch (error) {
    if (error instanceof BankRefusal) {
      context.log.warn({ signingId: signing.id, refusal: error.kind }, 'an authorisation could not be begun')
      return { to: 'nowhere', why: 'unavailable', browserToken }
    }
    throw error
  }
}

/** Keeps from where the browser left, and opens the bank's address where there is one. */
async function leaveAt(
  context: Context,
  signing: Signing,
  step: SigningStep,
  browser: Browser,
): Promise<{ to: 'bank'; url: string } | { to: 'app' }> {
  await markStepLeft(context.database, signing, step.position, { ...browser, at: context.clock.real() })
  if (step.redirectSealed !== null) {
    return { to: 'bank', url: context.seal.open(step.redirectSealed, stepPurpose('redirect', signing.id)) }
  }
  // Who signed in before this one, their own return has told.
  if (step.position === 0) {
    await trustAsItStays(context, signing)
  }
  return { to: 'app' }
}

/** Every step has ended: the bank wanted no signature, or a process died before the whole was. */
async function endOf(context: Context, kind: SigningKind, signing: Signing, browserToken: string): Promise<Leaving> {
  if (signing.steps.every(({ state }) => state === 'exempt')) {
    await trustAsItStays(context, signing)
  }
  const standing = await settleSigning(context, kind, await findAgain(context, signing))
  return standing.at === 'end'
    ? { to: 'partner', outcome: standing.outcome }
    : { to: 'nowhere', why: 'unavailable', browserToken }
}

/** There is no way to the bank on which another browser could take the place of this one. */
async function trustAsItStays({ clock, database }: Context, signing: Signing): Promise<void> {
  await trustReturned(database, signing, { position: 0, at: clock.real() })
}
