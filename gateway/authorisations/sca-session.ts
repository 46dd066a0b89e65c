/** Defines the SCA session: a user's visit to a bank behind one link, with one or more authorisations in sequence. */
import type {
  AuthorisationCallback,
  AuthorisationRequest,
  AuthorisationState,
  ScaApproachDetails,
  StartedAuthorisation,
} from '../banks/connector/sca-authorisation.ts'
import type { Context } from '../context.ts'
import type { PsuSession } from '../platform/http/operations/served-operation.ts'
import type { EarlierSignatures, ScaSessionParties, SummaryItem } from './signature-summary.ts'

/** Which module owns the session. */
export type ScaSubjectType = 'consent' | 'approval' | 'cancellation' | 'onboarding'

/**
 * `waiting` for the browser's redirect, `left` while an authorisation at the bank may be in progress, `decided` once
 * the outcome is claimed and the owner is being notified, `ended`.
 */
export type ScaSessionStatus = 'waiting' | 'left' | 'decided' | 'ended'

/** The status that the user returns to the partner with. */
export type ScaOutcome = 'success' | 'rejected' | 'cancelled'

/**
 * `pending` steps have no authorisation at the bank yet; `open` ones have. `signed-late`: the bank accepted the
 * signature after the session had ended without it.
 */
export type ScaStepState = 'pending' | 'open' | 'signed' | 'signed-late' | 'exempt' | 'rejected' | 'cancelled'

/** The target of one authorisation; a `person` signs at an identity provider, everything else is signed at a bank. */
export type ScaTargetType = 'sign-in' | 'consent' | 'payment' | 'basket' | 'cancellation' | 'person'

/** How a step is signed: on the bank's pages, in the user's app, in the app by QR code, or not at all. */
export type ScaStepApproach = 'redirect' | 'app' | 'code' | 'none'

export type ScaStep = {
  readonly position: number
  readonly targetType: ScaTargetType
  readonly targetId: string
  readonly authorisationId: string | null
  readonly approach: ScaStepApproach | null
  /** The bank's URL that the browser is redirected to. */
  readonly redirectSealed: Buffer | null
  /** The bank's instructions for the app. */
  readonly textSealed: Buffer | null
  /** The first code; a dynamic one is read again each second. */
  readonly codeSealed: Buffer | null
  /** The bank's methods, while the user has to choose one. */
  readonly methodsSealed: Buffer | null
  /** What the connector needs to complete the browser's return. */
  readonly returnSecretSealed: Buffer | null
  readonly returnHash: string | null
  /** Wall time at which the authorisation started. */
  readonly startedAt: Temporal.Instant | null
  /** Wall time at which the bank first reported that the authorisation is over. */
  readonly overAt: Temporal.Instant | null
  /** How often an unscanned code was renewed. */
  readonly renewals: number
  readonly state: ScaStepState
  /** Everything that the step signs, as it was shown; evidence. Empty where it is sealed. */
  readonly shown: readonly SummaryItem[]
  /** The same where only the user may read it, as with salaries. */
  readonly shownSealed: Buffer | null
}

/** An SCA session with its steps in order. */
export type ScaSession = {
  readonly partnerId: string
  readonly id: string
  readonly kind: ScaSubjectType
  readonly subjectId: string
  /** The consent at the bank; null at an identity provider. */
  readonly consentId: string | null
  readonly bic: string | null
  /** The identity provider, by its id in the settings; null at a bank. */
  readonly identityProvider: string | null
  readonly callbackUrl: string
  readonly linkHash: string
  /** Null once the outcome is decided. */
  readonly linkSealed: Buffer | null
  readonly browserHash: string | null
  /** Whether our page or the partner shows the user what to do; the partner gets a code to show. */
  readonly shownBy: 'page' | 'partner'
  /** The SCA method that the user prefers; null leaves it to the bank. */
  readonly preferred: AuthorisationRequest['preferred']
  /** Since when the browser is trusted; see `awaitsUserConfirmation`. */
  readonly trustedAt: Temporal.Instant | null
  /** The browser that returned in place of the one that left. */
  readonly confirmHash: string | null
  readonly status: ScaSessionStatus
  /** Null until decided; once ended, the status that the user returned with. */
  readonly outcome: ScaOutcome | null
  readonly createdAt: Temporal.Instant
  /** When the current authorisation expires. */
  readonly expiresAt: Temporal.Instant
  readonly stepSeconds: number
  readonly endedAt: Temporal.Instant | null
  readonly readAt: Temporal.Instant | null
  /** When it is polled next; null once nothing is polled for. */
  readonly dueAt: Temporal.Instant | null
  /** Incremented by every change that an outcome depends on: of the status, of trust in a browser, of a step. */
  readonly version: number
  /** Set while the session is being abandoned, and never stored: it is closed as if it had expired. */
  readonly isAbandoned?: boolean
  readonly steps: readonly ScaStep[]
}

/** A step whose authorisation has started. */
export type StartedScaStep = ScaStep & { readonly authorisationId: string }

type SelectedApproach = ScaApproachDetails | undefined

/** How an owning module takes part in the SCA of its targets. */
export type ScaSubject = {
  /** Starts the authorisation of a step at the bank. */
  begin(
    context: Context,
    session: ScaStartContext,
    step: Pick<ScaStep, 'targetType' | 'targetId'>,
    request: AuthorisationRequest,
  ): Promise<StartedAuthorisation>
  /** By when what is unsigned must be signed; null, or absent, where only the bank limits the time. */
  signBy?(context: Context, session: ScaSession): Promise<Temporal.Instant | null>
  /** Reads the state of a step at the bank. */
  read(context: Context, session: ScaSession, step: StartedScaStep): Promise<AuthorisationState>
  /** Selects one of the bank's methods by its id; absent, or undefined, where no authorisation offers any. */
  selectMethod?(context: Context, at: ScaStartContext, step: StartedScaStep, id: string): Promise<SelectedApproach>
  /** Passes the browser's callback to the bank. True when the bank issued tokens for it, which are stored. */
  complete(
    context: Context,
    session: ScaSession,
    step: StartedScaStep,
    callback: AuthorisationCallback,
  ): Promise<boolean>
  /** Reads the target where the bank has deleted the authorisation of an expired step. */
  readTargetState(context: Context, session: ScaSession, step: ScaStep): Promise<TargetScaState>
  /** Handles the end, and returns the final outcome: a bank may reject what its user has signed. Idempotent. */
  ended(context: Context, session: ScaSession, outcome: ScaOutcome): Promise<ScaOutcome>
  /** Handles a signature that the bank accepted after the session had ended; absent where nothing is to be done. */
  onLateSignature?(context: Context, session: ScaSession, step: StartedScaStep): Promise<void>
  /** Handles a bank's notification about the target of an ended session; absent where nothing is polled. */
  notified?(
    context: Context,
    target: Pick<ScaSession, 'partnerId'> & Pick<ScaStep, 'targetType' | 'targetId'>,
  ): Promise<void>
  /** Handles an authorisation that started while its session was ending; absent where late signatures are polled for. */
  onLateStart?(context: Context, session: ScaSession): Promise<void>
  /** The parties that the page names. */
  partiesOfSession(context: Context, session: ScaSession): Promise<ScaSessionParties>
  /** Who has signed, where the bank awaits further signatures; absent, or undefined, where it awaits none. */
  earlierSignatures?(context: Context, session: ScaSession): Promise<EarlierSignatures | undefined>
}

/** How a step ends whose authorisation the bank has deleted. */
export type TargetScaState = Pick<AuthorisationState, 'scaStatus' | 'text'> & {
  readonly state: 'signed' | 'rejected' | 'cancelled'
}

/** What is known of a session when its next authorisation starts. */
export type ScaStartContext = Pick<ScaSession, 'partnerId' | 'subjectId' | 'consentId' | 'identityProvider'> & {
  readonly psu: PsuSession | null
}

/** The owning modules, by subject type. */
export type ScaSubjects = Readonly<Record<ScaSubjectType, ScaSubject>>

const stateFinal: Readonly<Record<ScaStepState, boolean>> = {
  pending: false,
  open: false,
  signed: true,
  'signed-late': true,
  exempt: true,
  rejected: true,
  cancelled: true,
}

/** The statuses in which the outcome is open. */
export const UNDECIDED_STATUSES = ['waiting', 'left'] as const satisfies readonly ScaSessionStatus[]

/**
 * A signature counts whatever browser returns where the bank shows what is signed. A consent, which would give another
 * party access to accounts, and what a person signs for a company count only once the browser that started the session
 * is back, or its user has confirmed it in another one.
 */
const requiresTrustedBrowser: Readonly<Record<ScaSubjectType, boolean>> = {
  consent: true,
  approval: false,
  cancellation: false,
  // The provider shows little or nothing of what is signed: a user who never saw our page has signed nothing.
  onboarding: true,
}

/**
 * Whether a success does not count yet, because it is not known whose browser it was. While no browser has used the
 * link, the user signed at the bank unprompted, as in the bank's own app.
 */
export function awaitsUserConfirmation(
  session: Pick<ScaSession, 'kind' | 'shownBy' | 'trustedAt' | 'browserHash'>,
): boolean {
  const { browserHash, kind, shownBy, trustedAt } = session
  return requiresTrustedBrowser[kind] && shownBy === 'page' && browserHash !== null && trustedAt === null
}

/**
 * Whether the next authorisation must not start yet: the previous signature, such as a sign-in and its tokens, may be a
 * stranger's, and it would start in that user's name.
 */
export function nextStepAwaitsConfirmation(
  session: Pick<ScaSession, 'kind' | 'shownBy' | 'trustedAt' | 'browserHash' | 'steps'>,
): boolean {
  return currentScaStep(session)?.state === 'pending' && session.steps.some(isSigned) && awaitsUserConfirmation(session)
}

/** The consent that it is signed under at a bank. Throws for sessions at an identity provider. */
export function requireConsentIdOf({ consentId }: Pick<ScaSession, 'consentId'>): string {
  if (consentId === null) {
    throw new Error('An SCA session at a bank has no consent')
  }
  return consentId
}

/** The step whose authorisation is open at the bank, whatever the outcome of the session; undefined without one. */
export function openScaStep({ steps }: Pick<ScaSession, 'steps'>): StartedScaStep | undefined {
  const step = steps.find(({ state }) => state === 'open')
  const authorisationId = step?.authorisationId ?? null
  return step === undefined || authorisationId === null ? undefined : { ...step, authorisationId }
}

/** Whether the user has signed a step, or the bank required no signature. */
export function isSigned({ state }: { readonly state: AuthorisationState['state'] | ScaStepState }): boolean {
  return state === 'signed' || state === 'signed-late' || state === 'exempt'
}

/** Whether the user signs in an app, and our page shows what to do there. */
export function isAppApproach(approach: ScaStepApproach | null | undefined): boolean {
  return approach === 'app' || approach === 'code'
}

/** The outcome that the user is shown: an approval that was signed after its end counts as signed. */
export function outcomeForUser({ kind, outcome, steps }: Pick<ScaSession, 'kind' | 'outcome' | 'steps'>) {
  const isSignedLate = kind === 'approval' && steps.some(({ state }) => state === 'signed-late')
  return isSignedLate && steps.every(isSigned) ? 'success' : outcome
}

/** The first step that has not ended, or undefined when all have. */
export function currentScaStep(session: Pick<ScaSession, 'steps'>): ScaStep | undefined {
  return session.steps.find(({ state }) => !stateFinal[state])
}
