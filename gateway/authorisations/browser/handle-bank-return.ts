/** Handles the browser's return from the bank; the outcome is read from the bank, never from the URL. */
import { BankError } from '../../banks/connector/bank-error.ts'
import { matchesReturnSecret } from '../../banks/connector/sca-authorisation.ts'
import { callSecondsMax } from '../../banks/transport/bank-call-limits.ts'
import type { Context } from '../../context.ts'
import { hashToken, newToken } from '../../platform/ids.ts'
import { leaseFor } from '../../platform/jobs/lease.ts'
import { returnUrlsOf, scaSealPurpose } from '../authorisation/start-step-authorisation.ts'
import { reloadScaSession } from '../find-sca-sessions.ts'
import { tryRefreshScaSession } from '../refresh-sca-session.ts'
import { findLateSignature } from '../resume-sca-session.ts'
import {
  awaitsUserConfirmation,
  isSigned,
  openScaStep,
  type ScaSession,
  type ScaStep,
  type ScaSubject,
} from '../sca-session.ts'
import { type RefreshedScaSession, withStoredState } from '../sca-session-state.ts'
import {
  acquireCallbackLease,
  recordReturnedBrowser,
  recordStepReturned,
  releaseCallbackLease,
} from '../store/callback-store.ts'
import { isSessionBrowser } from './requesting-browser.ts'

/** The returning browser: the return token and query of its URL, and our cookie. */
export type ReturningBrowser = {
  readonly returnToken: string
  readonly query: Readonly<Record<string, string>>
  readonly browserToken: string | undefined
}

/** The SCA session after the return. */
export type BankReturnResult = RefreshedScaSession & {
  /** To be set as a cookie of a browser that returns in place of the one that left: it may confirm the session. */
  readonly browserToken?: string
}

/**
 * Completing needs the bank's metadata and a code exchange or confirmation; the lease expires if the process dies in
 * between.
 */
const CALLBACK_CALLS_MAX = 2
/** Limits how often reloading the return URL leads to a read at the bank. */
const READ_EVERY = { milliseconds: 500 }

/**
 * Where the bank cannot be read, or has not decided, the user gets a waiting page. The session is read again only after
 * it was changed here: what another process changes meanwhile is noticed when an outcome is decided.
 */
export async function handleBankReturn(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
  browser: ReturningBrowser,
): Promise<BankReturnResult> {
  const at = context.clock.real()
  const times = { at, quietSince: at.subtract(READ_EVERY) }
  const isReadDue = await recordStepReturned(context.database, session, hashToken(browser.returnToken), times)
  const { proof, wasPassed } = await passReturn(context, kind, session, { ...browser, isReadDue })
  const shouldRead = isReadDue || wasPassed
  const current = shouldRead ? await sessionAfterCallback(context, kind, session, browser) : session
  const before = await verifyReturningBrowser(context, current, browser, proof)
  const refreshed = shouldRead
    ? await tryRefreshScaSession(context, kind, before.session)
    : withStoredState(before.session)
  const { browserToken = before.browserToken, session: verified } = await verifyReturningBrowser(
    context,
    refreshed.session,
    browser,
    before.browserToken === undefined ? proof : undefined,
  )
  // The browser is verified now, so a signature that did not count before counts.
  const shouldComplete = refreshed.at === 'confirmation' && !awaitsUserConfirmation(verified)
  const result = shouldComplete
    ? await tryRefreshScaSession(context, kind, verified)
    : { ...refreshed, session: verified }
  return { ...result, ...(browserToken === undefined ? {} : { browserToken }) }
}

/**
 * Passing the callback to the bank takes its time, in which the session may have changed. The user may have signed
 * although it has ended, for example because it was abandoned meanwhile.
 */
async function sessionAfterCallback(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
  browser: ReturningBrowser,
): Promise<ScaSession> {
  const current = hasParameters(browser) ? await reloadScaSession(context, session) : session
  if (current.status !== 'ended' || current.outcome === 'success' || openScaStep(current) === undefined) {
    return current
  }
  await findLateSignature(context, kind, current).catch((error: unknown) => {
    if (!(error instanceof BankError)) {
      throw error
    }
  })
  return await reloadScaSession(context, session)
}

function hasParameters({ query }: ReturningBrowser): boolean {
  return Object.keys(query).length > 0
}

/** The step that the browser returns from, and whether the bank issued tokens for its callback. */
type ReturnProof = { readonly position: number; readonly hasTokens: boolean }

/** The session as stored, and the token of a browser that may confirm it. */
type VerifiedBrowser = { readonly session: ScaSession; readonly browserToken?: string }

/**
 * Once the step is signed, the browser that left is trusted, and another one gets a token to confirm with. Before that,
 * an attacker could return early and forward the bank's page to a victim.
 */
async function verifyReturningBrowser(
  context: Context,
  session: ScaSession,
  { browserToken }: ReturningBrowser,
  proof: ReturnProof | undefined,
): Promise<VerifiedBrowser> {
  const step = session.steps.find(({ position }) => position === proof?.position)
  if (
    proof === undefined ||
    step === undefined ||
    !awaitsUserConfirmation(session) ||
    !(proof.hasTokens || isSigned(step))
  ) {
    return { session }
  }
  if (isSessionBrowser(session, browserToken)) {
    const trust = { trustedBy: 'return', trustedAt: context.clock.real() } as const
    await recordReturnedBrowser(context.database, session, step.position, trust)
    return { session: await reloadScaSession(context, session) }
  }
  const token = browserToken ?? newToken()
  await recordReturnedBrowser(context.database, session, step.position, { confirmHash: hashToken(token) })
  return { session: await reloadScaSession(context, session), browserToken: token }
}

/**
 * Passes the callback on, and returns the proof that the browser comes from the bank; undefined without one. The return
 * token is proof unless the browser saw it on the way out, as with OAuth: then the bank must accept the callback's code.
 * A callback with the `state` of the step is passed at any time; one with another is never, and takes the place of none.
 */
async function passReturn(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
  browser: ReturningBrowser & { readonly isReadDue: boolean },
): Promise<{ readonly proof: ReturnProof | undefined; readonly wasPassed: boolean }> {
  const step = session.steps.find(({ returnHash }) => returnHash === hashToken(browser.returnToken))
  if (step === undefined) {
    return { proof: undefined, wasPassed: false }
  }
  const returnSecret =
    step.returnSecretSealed === null
      ? null
      : context.seal.open(step.returnSecretSealed, scaSealPurpose('return secret', session.id))
  const mayPass =
    returnSecret === null
      ? browser.isReadDue && hasParameters(browser)
      : matchesReturnSecret(returnSecret, browser.query)
  const result = mayPass ? await passCallback(context, kind, session, { step, browser, returnSecret }) : 'not-passed'
  const hasTokens = result === 'has-tokens'
  const isProven = hasTokens || returnSecret === null
  return {
    proof: isProven ? { position: step.position, hasTokens } : undefined,
    wasPassed: result !== 'not-passed',
  }
}

type PassedCallback = {
  readonly step: ScaStep
  readonly browser: ReturningBrowser
  readonly returnSecret: string | null
}

/**
 * Passes the callback to the bank, each distinct one once; one that the bank rejects changes nothing. The poll job may
 * have found the signature before; the callback may still bring tokens.
 */
async function passCallback(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
  { step, browser, returnSecret }: PassedCallback,
): Promise<'has-tokens' | 'no-tokens' | 'not-passed'> {
  const { authorisationId } = step
  const returnHash = hashToken(browser.returnToken)
  if (authorisationId === null || session.outcome === 'rejected' || session.outcome === 'cancelled') {
    return 'not-passed'
  }
  const query = JSON.stringify(Object.entries(browser.query).toSorted())
  const callback = { returnHash, callbackHash: await context.digest(query, 'callback of a bank') }
  const lease = leaseFor(context, { seconds: CALLBACK_CALLS_MAX * callSecondsMax(context.config) })
  if (!(await acquireCallbackLease(context.database, session, callback, lease))) {
    return 'not-passed'
  }
  const release = (isAnswered: boolean) => releaseCallbackLease(context.database, session, callback, { isAnswered })
  try {
    const hasTokens = await kind.complete(
      context,
      session,
      { ...step, authorisationId },
      {
        query: browser.query,
        returnSecret,
        back: returnUrlsOf(context, session, browser.returnToken),
      },
    )
    await release(true)
    return hasTokens ? 'has-tokens' : 'no-tokens'
  } catch (error) {
    if (error instanceof BankError) {
      const { kind: errorKind } = error
      context.log.warn({ scaSessionId: session.id, errorKind }, 'the bank rejected the callback of a browser')
      await release(errorKind !== 'unavailable')
      return 'no-tokens'
    }
    await release(false)
    throw error
  }
}
