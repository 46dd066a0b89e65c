/** Simulates the user of an SCA session: from our link through the bank and back, for every signature left. */
import type { SandboxScaResult } from '../../contract/sandbox/sandbox-bank.ts'
import { discardSharedReads } from '../authorisations/authorisation/read-authorisation.ts'
import { withStatusParameter } from '../authorisations/callback-url.ts'
import { findLatestScaSession } from '../authorisations/find-sca-sessions.ts'
import { scaLinkOf } from '../authorisations/get-qr-code.ts'
import { tryRefreshScaSession } from '../authorisations/refresh-sca-session.ts'
import { resumeScaSession } from '../authorisations/resume-sca-session.ts'
import {
  currentScaStep,
  type ScaSession,
  type ScaSubject,
  type ScaSubjects,
  type ScaSubjectType,
} from '../authorisations/sca-session.ts'
import type { Context } from '../context.ts'
import { ApiError, apiError } from '../platform/http/errors/api-error.ts'
import { type Arrival, openSandboxBrowser, type SandboxBrowser } from './sandbox-browser.ts'
import type { SandboxControl, UserDecision } from './sandbox-control.ts'

/** The subject of the session. */
export type ScaSubjectKey = {
  readonly partnerId: string
  readonly kind: ScaSubjectType
  readonly subjectId: string
}

/** The dependencies: the bank's control API, and the modules' completion of sessions. */
export type UserSimulationContext = { readonly bank: SandboxControl; readonly kinds: ScaSubjects }

/** More signatures than any sequence has. */
const SIGNATURES_MAX = 20

/** Completes the entire flow. Throws `not-found` without a session, `conflict` when the bank accepts no decision. */
export async function simulateUser(
  context: Context,
  { bank, kinds }: UserSimulationContext,
  subject: ScaSubjectKey,
  act: UserDecision,
): Promise<SandboxScaResult> {
  const browser = openSandboxBrowser(context.config.baseUrl)
  let arrival: Arrival | undefined
  for (let signature = 0; signature < SIGNATURES_MAX; signature += 1) {
    const signing = await requireScaSession(context, subject)
    if (signing.status === 'ended') {
      return simulationResult(signing)
    }
    arrival = await submitNextPage(context, browser, signing, arrival)
    const open = await requireScaSession(context, subject)
    const decided = open.outcome === null ? await decide(bank, open, arrival, act).catch(conflictOf) : undefined
    arrival = typeof decided === 'string' ? await browser.open(decided) : arrival
    await continueAfterDecision(context, kinds[subject.kind], await requireScaSession(context, subject))
    const left = await requireScaSession(context, subject)
    if (decided instanceof ApiError && isUnchanged(open, left)) {
      throw decided
    }
    if (decided === undefined) {
      return simulationResult(left)
    }
  }
  throw new Error('An SCA session requires too many signatures')
}

/** The bank rejects a decision on an authorisation that has ended: the poll job may have found that, or renewed it. */
function conflictOf(error: unknown): ApiError {
  if (error instanceof ApiError && error.reasonCode === 'conflict') {
    return error
  }
  throw error
}

function isUnchanged(before: ScaSession, { steps, outcome }: ScaSession): boolean {
  const { authorisationId } = currentScaStep(before) ?? {}
  return outcome === null && steps.some((step) => step.state === 'open' && step.authorisationId === authorisationId)
}

/** Where the partner shows the code, no browser continues: the code is renewed and the next one started as by the poll job. */
async function continueAfterDecision(context: Context, kind: ScaSubject, session: ScaSession): Promise<void> {
  discardSharedReads(session)
  await (session.shownBy === 'partner' && session.status === 'left'
    ? resumeScaSession(context, kind, session)
    : tryRefreshScaSession(context, kind, session))
}

/**
 * At the bank, in the browser or in the app; returns the redirect URL, null for an app, undefined when nothing is open.
 */
async function decide(
  bank: SandboxControl,
  signing: ScaSession,
  arrival: Arrival | undefined,
  act: UserDecision,
): Promise<string | null | undefined> {
  if (arrival?.at === 'elsewhere') {
    return await bank.browse(arrival.address, act)
  }
  const authorisationId = currentScaStep(signing)?.authorisationId ?? null
  return authorisationId === null ? undefined : await bank.decide(authorisationId, act)
}

/** On one of our pages, presses the button that continues; first on the page behind the link. */
async function submitNextPage(
  context: Context,
  browser: SandboxBrowser,
  signing: ScaSession,
  arrival: Arrival | undefined,
): Promise<Arrival | undefined> {
  const { sca } = scaLinkOf(context, signing)
  const page = arrival ?? (sca?.type === 'redirect' ? await browser.open(sca.url) : undefined)
  if (page?.at !== 'page') {
    return page
  }
  return page.onward === undefined ? page : await browser.post(page.onward)
}

async function requireScaSession(context: Context, subject: ScaSubjectKey): Promise<ScaSession> {
  const signing = await findLatestScaSession(context, subject)
  if (signing === undefined) {
    throw apiError('not-found', `There is no ${subject.kind} with this id that a user could sign`)
  }
  return signing
}

function simulationResult({ callbackUrl, outcome, status }: ScaSession): SandboxScaResult {
  return status === 'ended' && outcome !== null
    ? { outcome, callback: withStatusParameter(callbackUrl, outcome) }
    : { outcome: null, callback: null }
}
