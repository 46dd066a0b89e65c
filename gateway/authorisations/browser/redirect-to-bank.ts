/** Redirects the user's browser to the bank, and records which browser it was. */
import { BankError, isUnusableAnswer } from '../../banks/connector/bank-error.ts'
import type { Context } from '../../context.ts'
import { hashToken, newToken } from '../../platform/ids.ts'
import { ensureAuthorisationStarted } from '../authorisation/start-authorisation-under-lease.ts'
import { scaSealPurpose } from '../authorisation/start-step-authorisation.ts'
import { reloadScaSession } from '../find-sca-sessions.ts'
import { refreshScaSession } from '../refresh-sca-session.ts'
import {
  currentScaStep,
  nextStepAwaitsConfirmation,
  openScaStep,
  type ScaOutcome,
  type ScaSession,
  type ScaStep,
  type ScaSubject,
} from '../sca-session.ts'
import { isOver } from '../sca-session-state.ts'
import {
  recordRedirected,
  recordReturnedBrowser,
  recordStepRedirected,
  type SignatureEvidence,
} from '../store/callback-store.ts'

/** The browser that posts; `token` is from our cookie, if it has one. */
export type RequestingBrowser = SignatureEvidence & { readonly token: string | undefined }

/** Where the browser goes next. */
export type RedirectResult =
  | { readonly to: 'bank'; readonly url: string; readonly browserToken: string }
  /** A page of ours: it shows what to do in the app, or waits for the user's confirmation. */
  | { readonly to: 'app'; readonly browserToken: string }
  | { readonly to: 'partner'; readonly outcome: ScaOutcome }
  | { readonly to: 'nowhere'; readonly why: 'used' }
  /** The bank is no help; the link stays bound to this browser. */
  | { readonly to: 'nowhere'; readonly why: 'unavailable' | 'unusable-answer'; readonly browserToken: string }

/** Delay of the first poll while the user is at the bank. */
const FIRST_READ_AFTER = { seconds: 3 }

/** Binds the link to this browser, which may use it again; any other browser gets `used`. */
export async function redirectToBank(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
  browser: RequestingBrowser,
): Promise<RedirectResult> {
  if (session.outcome !== null || isOver(context, session)) {
    return { to: 'nowhere', why: 'used' }
  }
  const browserToken = browser.token ?? newToken()
  const now = context.clock.now()
  const { ipAddress, userAgent, language } = browser
  const client = { evidence: { ipAddress, userAgent, language }, leftAt: context.clock.real() }
  const position = openScaStep(session)?.position ?? null
  const times = { at: now, dueAt: now.add(FIRST_READ_AFTER) }
  const redirect = { ...client, ...times, browserHash: hashToken(browserToken), position }
  if (!(await recordRedirected(context.database, session, redirect))) {
    return { to: 'nowhere', why: 'used' }
  }
  try {
    // In a chain the authorisation starts only now, with its full time to live, and the bank learns that the user is
    // present.
    const psu = { ipAddress, userAgent, headers: {} }
    const open = await ensureAuthorisationStarted(context, kind, session, { psu })
    if (open.outcome !== null) {
      return { to: 'nowhere', why: 'used' }
    }
    if (nextStepAwaitsConfirmation(open)) {
      return { to: 'app', browserToken }
    }
    const step = currentScaStep(open)
    if (step !== undefined && step.position !== position) {
      const leftAt = context.clock.real()
      await recordStepRedirected(context.database, open, { ...client, position: step.position, leftAt })
    }
    return step === undefined
      ? await redirectAfterLastStep(context, kind, open, browserToken)
      : { ...(await redirectForStep(context, open, step)), browserToken }
  } catch (error) {
    if (error instanceof BankError) {
      context.log.warn({ scaSessionId: session.id, errorKind: error.kind }, 'an authorisation could not be started')
      return { to: 'nowhere', why: isUnusableAnswer(error) ? 'unusable-answer' : 'unavailable', browserToken }
    }
    throw error
  }
}

/** Opens the bank's URL if the step has one. */
async function redirectForStep(
  context: Context,
  session: ScaSession,
  step: ScaStep,
): Promise<{ to: 'bank'; url: string } | { to: 'app' }> {
  if (step.redirectSealed !== null) {
    return { to: 'bank', url: context.seal.open(step.redirectSealed, scaSealPurpose('redirect', session.id)) }
  }
  // Browsers of later steps were verified on their return from the first one. A method that is chosen may redirect.
  if (step.position === 0 && step.methodsSealed === null) {
    await trustRequestingBrowser(context, session)
  }
  return { to: 'app' }
}

/** All steps have ended: the bank required no signature, or a process died before the session was completed. */
async function redirectAfterLastStep(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
  browserToken: string,
): Promise<RedirectResult> {
  if (session.steps.every(({ state }) => state === 'exempt')) {
    await trustRequestingBrowser(context, session)
  }
  const state = await refreshScaSession(context, kind, await reloadScaSession(context, session))
  return state.at === 'end'
    ? { to: 'partner', outcome: state.outcome }
    : { to: 'nowhere', why: 'unavailable', browserToken }
}

/** Without a redirect to the bank, no other browser can take the place of this one. */
async function trustRequestingBrowser({ clock, database }: Context, session: ScaSession): Promise<void> {
  await recordReturnedBrowser(database, session, 0, { trustedBy: 'return', trustedAt: clock.real() })
}
