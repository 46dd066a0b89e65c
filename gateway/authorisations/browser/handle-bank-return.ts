/** Handles the browser's return from the bank; the outcome is read from the bank, never from the URL. */
import { BankError } from '../../banks/connector/bank-error.ts'
import { callSecondsMax } from '../../banks/transport/call-seconds-max.ts'
import type { Context } from '../../context.ts'
import { hashToken, newToken } from '../../platform/ids.ts'
import { findLateSignature } from '../authorisation/find-late-signature.ts'
import { returnUrlsOf, scaStepPurpose } from '../authorisation/start-step-authorisation.ts'
import { tryRefreshScaSession } from '../refresh-sca-session.ts'
import {
  awaitsUserConfirmation,
  isSigned,
  openScaStep,
  type ScaSession,
  type ScaStep,
  type ScaSubject,
} from '../sca-session.ts'
import { reloadScaSession, type ScaSessionState, scaSessionStateOf } from '../sca-session-state.ts'
import { acquireCallbackLease, releaseCallbackLease } from '../store/bank-callback-store.ts'
import { recordConfirmingBrowser, trustReturnedBrowser } from '../store/browser-trust-store.ts'
import { recordStepReturned } from '../store/sca-step-store.ts'

/** The returning browser: the return token and query of its URL, and our cookie. */
export type ReturningBrowser = {
  readonly returnToken: string
  readonly query: Readonly<Record<string, string>>
  readonly browserToken: string | undefined
}

/** The state of the SCA session after the return, with the session as stored. */
export type BankReturnResult = ScaSessionState & {
  readonly session: ScaSession
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

/** Where the bank cannot be read, or has not decided, the user gets a waiting page. */
export async function handleBankReturn(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
  browser: ReturningBrowser,
): Promise<BankReturnResult> {
  const at = context.clock.real()
  const times = { at, quietSince: at.subtract(READ_EVERY) }
  const shouldRead = await recordStepReturned(context.database, session, hashToken(browser.returnToken), times)
  const proof = await returnProofOf(context, kind, session, { ...browser, shouldRead })
  if (shouldRead) {
    await pollLateSignature(context, kind, await reloadScaSession(context, session))
  }
  const before = await reloadScaSession(context, session)
  const known = await verifyReturningBrowser(context, before, browser, proof)
  const state = shouldRead
    ? await tryRefreshScaSession(context, kind, await reloadScaSession(context, session))
    : scaSessionStateOf(before)
  const token =
    known ?? (await verifyReturningBrowser(context, await reloadScaSession(context, session), browser, proof))
  const stored = await reloadScaSession(context, session)
  // The browser is verified now, so a signature that did not count before counts.
  const shouldComplete = state.at === 'confirmation' && !awaitsUserConfirmation(stored)
  const result = shouldComplete ? await tryRefreshScaSession(context, kind, stored) : state
  return {
    ...result,
    session: shouldComplete ? await reloadScaSession(context, session) : stored,
    ...(token === undefined ? {} : { browserToken: token }),
  }
}

/** The user may have signed although the session has ended, for example because it was abandoned meanwhile. */
async function pollLateSignature(context: Context, kind: ScaSubject, session: ScaSession): Promise<void> {
  if (session.status === 'ended' && session.outcome !== 'success' && openScaStep(session) !== undefined) {
    await findLateSignature(context, kind, session).catch((error: unknown) => {
      if (!(error instanceof BankError)) {
        throw error
      }
    })
  }
}

/** The step that the browser returns from, and whether the bank issued tokens for its callback. */
type ReturnProof = { readonly position: number; readonly hasTokens: boolean }

/**
 * Once the step is signed, the browser that left is trusted, and another one gets a token to confirm with. Before that,
 * an attacker could return early and forward the bank's page to a victim.
 */
async function verifyReturningBrowser(
  context: Context,
  session: ScaSession,
  { browserToken }: ReturningBrowser,
  proof: ReturnProof | undefined,
): Promise<string | undefined> {
  const step = session.steps.find(({ position }) => position === proof?.position)
  if (
    proof === undefined ||
    step === undefined ||
    !awaitsUserConfirmation(session) ||
    !(proof.hasTokens || isSigned(step))
  ) {
    return undefined
  }
  const { position } = proof
  if (browserToken !== undefined && hashToken(browserToken) === session.browserHash) {
    await trustReturnedBrowser(context.database, session, { position, at: context.clock.real() })
    return undefined
  }
  const token = browserToken ?? newToken()
  await recordConfirmingBrowser(context.database, session, { position, confirmHash: hashToken(token) })
  return token
}

/**
 * Proof that the browser comes from the bank; undefined without one. The return token is proof unless the browser saw
 * it on the way out, as with OAuth: then the bank must accept the callback's code.
 */
async function returnProofOf(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
  browser: ReturningBrowser & { readonly shouldRead: boolean },
): Promise<ReturnProof | undefined> {
  const step = session.steps.find(({ returnHash }) => returnHash === hashToken(browser.returnToken))
  const hasParameters = Object.keys(browser.query).length > 0
  const hasTokens =
    step !== undefined &&
    browser.shouldRead &&
    hasParameters &&
    (await passCallback(context, kind, session, { step, browser }))
  return step !== undefined && (hasTokens || step.returnSecretSealed === null)
    ? { position: step.position, hasTokens }
    : undefined
}

/**
 * Passes the callback to the bank, each distinct one once; one that the bank rejects changes nothing. The poll job may
 * have found the signature before; the callback may still bring tokens.
 */
async function passCallback(
  context: Context,
  kind: ScaSubject,
  session: ScaSession,
  { step, browser }: { readonly step: ScaStep; readonly browser: ReturningBrowser },
): Promise<boolean> {
  const { authorisationId, returnSecretSealed } = step
  const returnHash = hashToken(browser.returnToken)
  const callbackHash = hashToken(JSON.stringify(Object.entries(browser.query).toSorted()))
  if (authorisationId === null || session.outcome === 'rejected' || session.outcome === 'cancelled') {
    return false
  }
  const callback = { returnHash, callbackHash: callbackHash }
  const at = context.clock.real()
  const until = at.add({ seconds: CALLBACK_CALLS_MAX * callSecondsMax(context.config) })
  if (!(await acquireCallbackLease(context.database, session, callback, { at, until }))) {
    return false
  }
  const release = (isAnswered: boolean) => releaseCallbackLease(context.database, session, callback, { isAnswered })
  try {
    const hasTokens = await kind.complete(
      context,
      session,
      { ...step, authorisationId },
      {
        query: browser.query,
        returnSecret:
          returnSecretSealed === null
            ? null
            : context.seal.open(returnSecretSealed, scaStepPurpose('return secret', session.id)),
        back: returnUrlsOf(context, session, browser.returnToken),
      },
    )
    await release(true)
    return hasTokens
  } catch (error) {
    if (error instanceof BankError) {
      const { kind: refusal } = error
      context.log.warn({ scaSessionId: session.id, refusal }, 'the bank rejected the callback of a browser')
      await release(refusal !== 'unavailable')
      return false
    }
    await release(false)
    throw error
  }
}
