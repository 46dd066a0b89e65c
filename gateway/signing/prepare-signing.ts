/** Prepares a signing: begins the first authorisation at the bank, and gives the partner a link or a code for the user. */
import type { Sca } from '../../contract/sca.ts'
import { beginStep, type StepBegun, stepPurpose } from '../authorisations/authorisation/start-step-authorisation.ts'
import type { ShownThing } from '../authorisations/signature-summary.ts'
import { findSigning, insertSigning, type NewSigning } from '../authorisations/store/sca-session-store.ts'
import type { SigningTransaction } from '../authorisations/store/sca-session-tables.ts'
import type { AuthorisationAsked } from '../banks/connector/sca-authorisation.ts'
import type { Bank } from '../banks/directory/bank.ts'
import { requireBank } from '../banks/directory/require-bank.ts'
import type { Context } from '../context.ts'
import type { Clock } from '../platform/clock.ts'
import type { PsuSession } from '../platform/http/operations/psu-session.ts'
import { hashToken, newId, newToken } from '../platform/ids.ts'
import { linkPurpose, signerPurpose } from './link-of.ts'
import { scaOfCode } from './present-code.ts'
import { settleSigning } from './settle-signing.ts'
import { isSignedByCode, isSignedInApp } from './signed-in-app.ts'
import type { Signing, SigningKind, SigningKindName, TargetType } from './signing.ts'

/** What is to be signed, by whom, until when. */
export type SigningWanted = {
  readonly partnerId: string
  readonly kind: SigningKindName
  readonly subjectId: string
  readonly callbackUrl: string
  readonly expiresAt: Temporal.Instant
  readonly psu: PsuSession | null
  /** The user's id at the bank, kept sealed as evidence. */
  readonly userId: string | null
  /** How the user would like to sign; null leaves it to the bank. */
  readonly preferred: AuthorisationAsked['preferred']
  /** Whether the partner can be given a code to show; else we show it, on the page behind the link. */
  readonly codeForPartner: boolean
  /** Whether what is shown is kept sealed, as are the salaries that it comes to. */
  readonly isShownSealed?: boolean
  readonly steps: readonly {
    readonly targetType: TargetType
    readonly targetId: string
    readonly shown: readonly ShownThing[]
  }[]
} & (AtBank | AtIdentityProvider)

type AtBank = { readonly consentId: string; readonly bic: string; readonly identityProvider?: undefined }
/** A person signs; there is no bank, and no consent. */
type AtIdentityProvider = {
  readonly identityProvider: string
  readonly bic?: undefined
  readonly consentId?: undefined
}

/** A signing that is begun at the bank and not kept yet. */
export type PreparedSigning = {
  /** The link; also where a code was wanted and the bank has none. */
  readonly url: string
  /** What the partner is told; nothing where the bank wants no signature. */
  readonly sca: Sca | undefined
  readonly signing: NewSigning
}

/** Banks end an authorisation after their own time; nobody's may take longer than this. */
const AUTHORISATION_SECONDS_MAX = 600

/** When an authorisation ends that begins now. */
export function authorisationEnd(clock: Pick<Clock, 'now'>, { profile }: Bank): Temporal.Instant {
  return clock.now().add({ seconds: Math.min(profile.authorisationTtlSeconds, AUTHORISATION_SECONDS_MAX) })
}

/**
 * Begins the first authorisation, unless that is for the user's app: apps wait for seconds only, so it begins once the
 * user is on our page. A code for the partner to show begins at once. Throws the bank's refusal.
 */
export async function prepareSigning(
  context: Context,
  kind: SigningKind,
  wanted: SigningWanted,
): Promise<PreparedSigning> {
  const id = newId()
  const [first] = wanted.steps
  if (first === undefined) {
    throw new Error('A signing needs something to sign')
  }
  const { isForPartner, waits } = await beginningOf(context, wanted)
  const started = waits ? null : await beginStep(context, kind, { ...wanted, ...placeColumns(wanted), id }, first)
  const code = isForPartner ? (started?.code ?? null) : null
  const linkToken = newToken()
  const url = `${context.config.baseUrl}/signing/${wanted.partnerId}/${id}/${linkToken}`
  const signing = {
    ...signingOf(context, wanted, { id, begun: started?.begun ?? null, isShownByPartner: code !== null }),
    linkHash: hashToken(linkToken),
    linkSealed: code === null ? context.seal.seal(url, linkPurpose(id)) : null,
  }
  const link = { type: 'redirect', url } as const
  const isNothingLeft = signing.steps.every(({ state }) => state === 'exempt')
  return { url, sca: code !== null ? scaOfCode(context, code) : isNothingLeft ? undefined : link, signing }
}

/** An identity provider is asked once the user is on our page, too: what begins there is for that browser. */
async function beginningOf(
  { banks }: Context,
  wanted: SigningWanted,
): Promise<{ readonly isForPartner: boolean; readonly waits: boolean }> {
  if (wanted.bic === undefined) {
    return { isForPartner: false, waits: true }
  }
  const bank = await requireBank(banks, wanted.bic)
  const isForPartner = wanted.codeForPartner && isSignedByCode(bank, wanted.preferred)
  return { isForPartner, waits: !isForPartner && isSignedInApp(bank, wanted.preferred) }
}

function placeColumns({ bic, consentId, identityProvider }: SigningWanted) {
  return { bic: bic ?? null, consentId: consentId ?? null, identityProvider: identityProvider ?? null }
}

/** Keeps a prepared signing in the transaction that keeps what it is about. */
export async function keepSigning(transaction: SigningTransaction, { signing }: PreparedSigning): Promise<void> {
  await insertSigning(transaction, signing)
}

/** Once it is kept: ends a signing for which the bank wants no signature at all. */
export async function endIfExempt(context: Context, kind: SigningKind, prepared: PreparedSigning): Promise<void> {
  const kept = prepared.sca === undefined ? await findSigning(context.database, prepared.signing) : undefined
  if (kept !== undefined) {
    await settleSigning(context, kind, kept)
  }
}

type FirstBegun = { readonly id: string; readonly begun: StepBegun | null; readonly isShownByPartner: boolean }

const PENDING = {
  authorisationId: null,
  way: null,
  redirectSealed: null,
  textSealed: null,
  codeSealed: null,
  returnSecretSealed: null,
  returnHash: null,
  startedAt: null,
  state: 'pending',
} as const

/** Whoever keeps a signing that the bank does not want ends it at once; should that one die, a sweep does after this. */
const END_AFTER = { seconds: 5 }

/** What the partner shows is under way from now on: no browser will come by. */
function signingOf(
  context: Context,
  wanted: SigningWanted,
  { id, begun, isShownByPartner }: FirstBegun,
): Omit<NewSigning, 'linkHash' | 'linkSealed'> {
  const { userId, psu, steps, codeForPartner: _codeForPartner, isShownSealed = false, ...rest } = wanted
  const createdAt = context.clock.now()
  const evidence = {
    userSealed: userId === null ? null : context.seal.seal(userId, signerPurpose(id)),
    ...(isShownByPartner && psu !== null ? { ipAddress: psu.ipAddress, userAgent: psu.userAgent } : {}),
  }
  const isUnwanted = wanted.kind !== 'consent' && steps.length === 1 && begun?.state === 'exempt'
  const status: Signing['status'] = isShownByPartner ? 'left' : 'waiting'
  return {
    ...rest,
    ...placeColumns(wanted),
    id,
    createdAt,
    stepSeconds: Math.round(wanted.expiresAt.since(createdAt).total('seconds')),
    shownBy: isShownByPartner ? 'partner' : 'page',
    status,
    dueAt: isShownByPartner ? createdAt : isUnwanted ? createdAt.add(END_AFTER) : wanted.expiresAt,
    steps: steps.map((step, position) => ({
      ...step,
      ...(isShownSealed
        ? { shown: [], shownSealed: context.seal.seal(JSON.stringify(step.shown), stepPurpose('shown', id)) }
        : { shownSealed: null }),
      ...evidence,
      ...(position === 0 && begun !== null ? begun : PENDING),
      renewals: 0,
      overAt: null,
      position,
    })),
  }
}
