/** What a signing is: a user's way through a bank, behind one link, by one or more authorisations in turn. */

import type { ShownThing } from '../authorisations/signature-summary.ts'
import type {
  AuthorisationAsked,
  AuthorisationState,
  BroughtBack,
  StartedAuthorisation,
} from '../banks/connector/sca-authorisation.ts'
import type { Context } from '../context.ts'
import type { PsuSession } from '../platform/http/operations/psu-session.ts'

/** Which room wants the signature. */
export type SigningKindName = 'consent' | 'approval' | 'cancellation' | 'onboarding'

/**
 * `waiting` for the browser to leave for the bank, `left` while a session at the bank may be live, `decided` once the
 * outcome is claimed and its room is being told, `ended`.
 */
export type SigningStatus = 'waiting' | 'left' | 'decided' | 'ended'

/** What the user returns to the partner with. */
export type SigningOutcome = 'success' | 'rejected' | 'cancelled'

/**
 * `pending` steps have no authorisation at the bank yet; `open` ones have. `signed-late` is what the bank took after the
 * signing had ended without it.
 */
export type StepState = 'pending' | 'open' | 'signed' | 'signed-late' | 'exempt' | 'refused' | 'cancelled'

/** What one authorisation may be of; a `person` signs at an identity provider, everything else at a bank. */
export type TargetType = 'sign-in' | 'consent' | 'payment' | 'basket' | 'cancellation' | 'person'

/** How a step is signed: on the bank's pages, in the user's app, there by a code that it scans, or not at all. */
export type StepWay = 'redirect' | 'app' | 'code' | 'none'

/** One authorisation at the bank. */
export type SigningStep = {
  readonly position: number
  readonly targetType: TargetType
  readonly targetId: string
  readonly authorisationId: string | null
  /** Null while it is pending. */
  readonly way: StepWay | null
  /** The bank's address that the browser goes to. */
  readonly redirectSealed: Buffer | null
  /** What the bank says to do in the app. */
  readonly textSealed: Buffer | null
  /** The code that it began with; a dynamic one is asked for anew each second. */
  readonly codeSealed: Buffer | null
  /** What the connector needs when the browser comes back. */
  readonly returnSecretSealed: Buffer | null
  readonly returnHash: string | null
  /** Wall time at which its authorisation began. */
  readonly startedAt: Temporal.Instant | null
  /** Wall time at which the bank first said that its authorisation is over. */
  readonly overAt: Temporal.Instant | null
  /** How often the bank was asked anew because nobody scanned the code. */
  readonly renewals: number
  readonly state: StepState
  /** Everything that the step signs, as it was shown; kept as evidence. Empty where it is sealed. */
  readonly shown: readonly ShownThing[]
  /** The same where it is nobody's to read but the user's: what salaries come to. */
  readonly shownSealed: Buffer | null
}

/** A signing with its steps in order. */
export type Signing = {
  readonly partnerId: string
  readonly id: string
  readonly kind: SigningKindName
  readonly subjectId: string
  /** Under which consent it is signed at a bank; null at an identity provider. */
  readonly consentId: string | null
  /** The bank; null where persons sign at an identity provider. */
  readonly bic: string | null
  /** The identity provider, by its name in the settings; null where a bank is signed at. */
  readonly identityProvider: string | null
  readonly callbackUrl: string
  readonly linkHash: string
  /** Null once the outcome is decided. */
  readonly linkSealed: Buffer | null
  readonly browserHash: string | null
  /** Who shows the user what to do: we, on a page, or the partner, who is given a code to show. */
  readonly shownBy: 'page' | 'partner'
  /** How the user would like to sign; null leaves it to the bank. */
  readonly preferred: AuthorisationAsked['preferred']
  /** From when on the browser's way is trusted; see `waitsForWord`. */
  readonly trustedAt: Temporal.Instant | null
  /** The browser that came back in place of the one that left. */
  readonly confirmHash: string | null
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
  /** Set while it is being abandoned, and never stored: it is closed as if its time were over. */
  readonly isAbandoned?: boolean
  readonly steps: readonly SigningStep[]
}

/** A step whose authorisation has begun. */
export type BegunStep = SigningStep & { readonly authorisationId: string }

/** Who asks for a signature, and for which company. */
export type SigningSummary = {
  readonly partnerName: string
  readonly companyName: string
}

/** How a room takes part in the signing of its things. */
export type SigningKind = {
  /** Begins the authorisation of a step at the bank. */
  begin(
    context: Context,
    signing: SigningBegun,
    step: Pick<SigningStep, 'targetType' | 'targetId'>,
    asked: AuthorisationAsked,
  ): Promise<StartedAuthorisation>
  /** Asks the bank how a step stands. */
  read(context: Context, signing: Signing, step: BegunStep): Promise<AuthorisationState>
  /** Hands the bank what the browser brought back from it. True when the bank gave tokens for it, which are kept. */
  complete(context: Context, signing: Signing, step: BegunStep, brought: BroughtBack): Promise<boolean>
  /** What the thing itself tells once the bank has forgotten the authorisation of a step whose time is over. */
  readForgotten(context: Context, signing: Signing, step: SigningStep): Promise<ForgottenState>
  /**
   * Takes the end of a signing, and answers what it came to: a bank may refuse what its user has signed. Called again
   * when a process died in the middle, and then changes nothing.
   */
  ended(context: Context, signing: Signing, outcome: SigningOutcome): Promise<SigningOutcome>
  /** Takes a signature that the bank took after the signing had ended without it; absent where nothing is to be done. */
  signedLate?(context: Context, signing: Signing, step: BegunStep): Promise<void>
  /** Sees to what began at the bank while its signing was ended; absent where looking for a late signature is enough. */
  begunLate?(context: Context, signing: Signing): Promise<void>
  /** What the page says of it. */
  summarise(context: Context, signing: Signing): Promise<SigningSummary>
}

/** How a step ends whose authorisation the bank no longer knows. */
export type ForgottenState = Pick<AuthorisationState, 'scaStatus' | 'text'> & {
  readonly state: 'signed' | 'refused' | 'cancelled'
}

/** What is known of a signing when its next authorisation begins. */
export type SigningBegun = Pick<Signing, 'partnerId' | 'subjectId' | 'consentId' | 'identityProvider'> & {
  readonly psu: PsuSession | null
}

/** The rooms that take part. */
export type SigningKinds = Readonly<Record<SigningKindName, SigningKind>>

const stateFinal: Readonly<Record<StepState, boolean>> = {
  pending: false,
  open: false,
  signed: true,
  'signed-late': true,
  exempt: true,
  refused: true,
  cancelled: true,
}

/** The statuses in which the outcome is open. */
export const UNDECIDED = ['waiting', 'left'] as const satisfies readonly SigningStatus[]

/**
 * What is signed counts whatever browser comes back where the bank shows it. A consent, by which somebody else would
 * see accounts, and what a person signs for a company count only once the browser that began it is back, or its user
 * has said elsewhere that it was theirs.
 */
const countsOnReturn: Readonly<Record<SigningKindName, boolean>> = {
  consent: true,
  approval: false,
  cancellation: false,
  // The provider shows little or nothing of what is signed: whoever never saw our page has signed nothing.
  onboarding: true,
}

/**
 * Whether a success does not count yet, because nobody knows whose browser it was. While no browser has used the link,
 * nobody was sent to the bank by it: the user signed there unprompted, as in the bank's own app.
 */
export function waitsForWord(signing: Pick<Signing, 'kind' | 'shownBy' | 'trustedAt' | 'browserHash'>): boolean {
  const { browserHash, kind, shownBy, trustedAt } = signing
  return countsOnReturn[kind] && shownBy === 'page' && browserHash !== null && trustedAt === null
}

/**
 * Whether the next authorisation must not begin yet: what was signed before it may be a stranger's, as the tokens that
 * a sign-in left, and it would begin at the bank in their name.
 */
export function nextWaitsForWord(
  signing: Pick<Signing, 'kind' | 'shownBy' | 'trustedAt' | 'browserHash' | 'steps'>,
): boolean {
  return currentStep(signing)?.state === 'pending' && signing.steps.some(isSigned) && waitsForWord(signing)
}

/** The consent under which it is signed at a bank; only what persons sign elsewhere has none. */
export function consentIdOf({ consentId }: Pick<Signing, 'consentId'>): string {
  if (consentId === null) {
    throw new Error('A signing at a bank is under no consent')
  }
  return consentId
}

/** The step whose authorisation was open at the bank, whatever the signing itself came to; undefined when none was. */
export function openStep({ steps }: Pick<Signing, 'steps'>): BegunStep | undefined {
  const step = steps.find(({ state }) => state === 'open')
  const authorisationId = step?.authorisationId ?? null
  return step === undefined || authorisationId === null ? undefined : { ...step, authorisationId }
}

/** Whether the user gave the signature of a step, or the bank asked for none. */
export function isSigned({ state }: { readonly state: AuthorisationState['state'] | StepState }): boolean {
  return state === 'signed' || state === 'signed-late' || state === 'exempt'
}

/** How the user is told that it ended: an approval that its user signed after its end was signed. */
export function outcomeForUser({ kind, outcome, steps }: Pick<Signing, 'kind' | 'outcome' | 'steps'>) {
  const isSignedLate = kind === 'approval' && steps.some(({ state }) => state === 'signed-late')
  return isSignedLate && steps.every(isSigned) ? 'success' : outcome
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
