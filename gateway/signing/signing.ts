/** What a signing is: a user's way through a bank, behind one link, by one or more authorisations in turn. */
import type { AuthorisationState, ReturnAddresses, StartedAuthorisation } from '../banks/connector.ts'
import type { Context } from '../context.ts'
import type { PsuSession } from '../foundation/http/psu-session.ts'

/** Which room wants the signature. */
export type SigningKindName = 'consent' | 'approval'

/**
 * `waiting` for the browser to leave for the bank, `left` while a session at the bank may be live, `decided` once the
 * outcome is claimed and its room is being told, `ended`.
 */
export type SigningStatus = 'waiting' | 'left' | 'decided' | 'ended'

/** What the user returns to the partner with. */
export type SigningOutcome = 'success' | 'rejected' | 'cancelled'

/** `pending` steps have no authorisation at the bank yet; `open` ones have. */
export type StepState = 'pending' | 'open' | 'signed' | 'exempt' | 'refused' | 'cancelled'

/** What was shown of one thing that is signed, line by line; kept as evidence. */
export type Shown = readonly { readonly label: string; readonly value: string }[]

/** One authorisation at the bank. */
export type SigningStep = {
  readonly position: number
  readonly targetType: 'consent' | 'payment'
  readonly targetId: string
  readonly authorisationId: string | null
  readonly redirectSealed: Buffer | null
  readonly returnHash: string | null
  readonly state: StepState
  readonly shown: Shown
}

/** A signing with its steps in order. */
export type Signing = {
  readonly partnerId: string
  readonly id: string
  readonly kind: SigningKindName
  readonly subjectId: string
  readonly consentId: string
  readonly bic: string
  readonly callbackUrl: string
  readonly linkHash: string
  /** Null once a browser has used the link. */
  readonly linkSealed: Buffer | null
  readonly browserHash: string | null
  readonly status: SigningStatus
  /** Null until it is decided; once it has ended, what the user returned with. */
  readonly outcome: SigningOutcome | null
  readonly createdAt: Temporal.Instant
  /** When the authorisation at hand ends. */
  readonly expiresAt: Temporal.Instant
  /** How long each authorisation may take. */
  readonly stepSeconds: number
  readonly endedAt: Temporal.Instant | null
  readonly readAt: Temporal.Instant | null
  readonly steps: readonly SigningStep[]
}

/** What a page tells before somebody signs. */
export type SigningSummary = {
  readonly title: string
  readonly partnerName: string
  readonly companyName: string
}

/** How a room takes part in the signing of its things. */
export type SigningKind = {
  /** Begins the authorisation of a step at the bank. */
  begin(
    context: Context,
    signing: SigningBegun,
    step: Pick<SigningStep, 'targetId'>,
    back: ReturnAddresses,
  ): Promise<StartedAuthorisation>
  /** Asks the bank how a step stands. */
  read(context: Context, signing: Signing, step: SigningStep & { authorisationId: string }): Promise<AuthorisationState>
  /** What the thing itself tells once the bank has forgotten the authorisation of a step whose time is over. */
  readForgotten(context: Context, signing: Signing, step: SigningStep): Promise<ForgottenState>
  /**
   * Takes the end of a signing, and answers what it came to: a bank may refuse what its user has signed. Called again
   * when a process died in the middle, and then changes nothing.
   */
  ended(context: Context, signing: Signing, outcome: SigningOutcome): Promise<SigningOutcome>
  /** What the page says of it. */
  summarise(context: Context, signing: Signing): Promise<SigningSummary>
}

/** How a step ends whose authorisation the bank no longer knows. */
export type ForgottenState = AuthorisationState & { readonly state: 'signed' | 'refused' | 'cancelled' }

/** What is known of a signing when its next authorisation begins. */
export type SigningBegun = Pick<Signing, 'partnerId' | 'subjectId' | 'consentId'> & { readonly psu: PsuSession | null }

/** The rooms that take part. */
export type SigningKinds = Readonly<Record<SigningKindName, SigningKind>>

const stateFinal: Readonly<Record<StepState, boolean>> = {
  pending: false,
  open: false,
  signed: true,
  exempt: true,
  refused: true,
  cancelled: true,
}

/** The statuses in which the outcome is open. */
export const UNDECIDED = ['waiting', 'left'] as const satisfies readonly SigningStatus[]

/** Whether the user gave the signature of a step, or the bank asked for none. */
export function isSigned(step: Pick<SigningStep, 'state'>): boolean {
  return step.state === 'signed' || step.state === 'exempt'
}

/** The first step that has not ended, or undefined when all have. */
export function currentStep(signing: Pick<Signing, 'steps'>): SigningStep | undefined {
  return signing.steps.find(({ state }) => !stateFinal[state])
}

/** What the whole came to, once no step is left or one was refused; undefined while it goes on. */
export function outcomeOf(steps: readonly SigningStep[]): SigningOutcome | undefined {
  if (steps.some(({ state }) => state === 'refused')) {
    return 'rejected'
  }
  if (steps.some(({ state }) => state === 'cancelled')) {
    return 'cancelled'
  }
  return steps.every(isSigned) ? 'success' : undefined
}
