/** Starts an SCA session: the first authorisation at the bank, then the session itself, with a link or QR code for the user. */
import type { Sca } from '../../contract/sca.ts'
import { type Bank, chooseScaApproach } from '../banks/connector/bank.ts'
import type { AuthorisationRequest, StartedAuthorisation } from '../banks/connector/sca-authorisation.ts'
import { requireBank } from '../banks/directory/bank-directory.ts'
import type { Context } from '../context.ts'
import { type Clock, earlierOf } from '../platform/clock.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import type { PsuSession } from '../platform/http/operations/served-operation.ts'
import { hashToken, newId, newToken } from '../platform/ids.ts'
import { scaSealPurpose, startStepAuthorisation } from './authorisation/start-step-authorisation.ts'
import { reloadScaSession } from './find-sca-sessions.ts'
import { formatScaQr } from './get-qr-code.ts'
import { refreshScaSession } from './refresh-sca-session.ts'
import type { ScaSession, ScaSubject, ScaSubjectType, ScaTargetType } from './sca-session.ts'
import type { SummaryItem } from './signature-summary.ts'
import { insertScaSession, type NewScaSession } from './store/sca-session-store.ts'
import type { StepStart } from './store/sca-session-tables.ts'

/** What is to be signed, by whom, until when, and where. */
export type ScaSessionRequest = ScaSessionTerms & (SignedAtBank | SignedAtIdentityProvider)

type ScaSessionTerms = {
  readonly partnerId: string
  readonly kind: ScaSubjectType
  readonly subjectId: string
  readonly callbackUrl: string
  /** When an authorisation expires that starts now. */
  readonly expiresAt: Temporal.Instant
  /** By when everything must be signed, if that is limited; ends the session if it is sooner. */
  readonly signBy?: Temporal.Instant | null
  readonly psu: PsuSession | null
  /** The user's id at the bank, stored sealed as evidence. */
  readonly userId: string | null
  /** The SCA method that the user prefers; null leaves it to the bank. */
  readonly preferred: AuthorisationRequest['preferred']
  /** Whether the partner can show a QR code; otherwise it is on the page behind the link. */
  readonly codeForPartner: boolean
  /** Whether the summary is stored sealed, as salaries must be. */
  readonly isSummarySealed?: boolean
  readonly steps: readonly {
    readonly targetType: ScaTargetType
    readonly targetId: string
    readonly shown: readonly SummaryItem[]
  }[]
  /** Begins the first authorisation of what is not stored yet; absent where its module finds it stored. */
  readonly begin?: (request: AuthorisationRequest) => Promise<StartedAuthorisation>
}

type SignedAtBank = { readonly consentId: string; readonly bic: string; readonly identityProvider?: undefined }
/** Signed by a person, without a bank or a consent. */
type SignedAtIdentityProvider = {
  readonly identityProvider: string
  readonly bic?: undefined
  readonly consentId?: undefined
}

type StartedScaSession = {
  /** The link; also where a code was requested and the bank has none. */
  readonly url: string
  /** What the partner gets; undefined where the bank requires no signature. */
  readonly sca: Sca | undefined
}

/** One that is not stored yet. */
type PreparedScaSession = StartedScaSession & { readonly session: NewScaSession }

/** Upper limit for the banks' own times to live. */
const AUTHORISATION_SECONDS_MAX = 600

/** When an authorisation that starts now expires. */
export function authorisationExpiry(clock: Pick<Clock, 'now'>, { profile }: Bank): Temporal.Instant {
  return clock.now().add({ seconds: Math.min(profile.authorisationTtlSeconds, AUTHORISATION_SECONDS_MAX) })
}

/**
 * Starts a session, and stores it in the transaction in which `store` stores what it signs. One for which the bank requires
 * no signature is completed, but for a consent: its user still confirms it on our page. Throws the bank's error, and then
 * stores nothing.
 */
export async function startScaSession(
  context: Context,
  subject: ScaSubject,
  request: ScaSessionRequest,
  store: (context: Context, sca: Sca | undefined) => Promise<unknown>,
): Promise<StartedScaSession> {
  const { session, sca, url } = await prepareScaSession(context, subject, request)
  await inTransaction(context, async (within) => {
    await store(within, sca)
    await insertScaSession(within.database, session)
  })
  if (request.kind !== 'consent' && sca === undefined) {
    await refreshScaSession(context, subject, await reloadScaSession(context, session))
  }
  return { url, sca }
}

/**
 * Starts the first authorisation, unless it is decoupled: apps wait for seconds only, so it starts once the user is on
 * our page. A code for the partner to show starts at once. At an identity provider, too, the session starts once the user
 * is on our page: it is bound to that browser. Throws the bank's error.
 */
export async function prepareScaSession(
  context: Context,
  subject: ScaSubject,
  request: ScaSessionRequest,
): Promise<PreparedScaSession> {
  const [first] = request.steps
  if (first === undefined) {
    throw new Error('An SCA session needs at least one step')
  }
  const { bic = null, consentId = null, identityProvider = null, preferred, partnerId } = request
  const bank = bic === null ? undefined : await requireBank(context.banks, bic)
  const approach = bank && chooseScaApproach(bank.profile, preferred)
  const isForPartner = request.codeForPartner && preferred === 'qr' && approach === 'qr'
  const isDeferred = !isForPartner && approach !== 'redirect'
  const key = { ...request, bic, consentId, identityProvider, id: newId() }
  const begin = request.begin ?? ((authorisation) => subject.begin(context, key, first, authorisation))
  const started = isDeferred ? null : await startStepAuthorisation(context, key, begin)
  const code = isForPartner ? (started?.code ?? null) : null
  const linkToken = newToken()
  const url = `${context.config.baseUrl}/signing/${partnerId}/${key.id}/${linkToken}`
  const session = {
    ...newScaSession(context, key, { start: started?.start ?? null, isShownByPartner: code !== null }),
    linkHash: hashToken(linkToken),
    linkSealed: code === null ? context.seal.seal(url, scaSealPurpose('link', key.id)) : null,
  }
  const isFullyExempt = session.steps.every(({ state }) => state === 'exempt')
  const link = isFullyExempt ? undefined : ({ type: 'redirect', url } as const)
  return { url, sca: code === null ? link : formatScaQr(context, code), session }
}

const PENDING = {
  authorisationId: null,
  approach: null,
  redirectSealed: null,
  textSealed: null,
  codeSealed: null,
  methodsSealed: null,
  returnSecretSealed: null,
  returnHash: null,
  notificationHash: null,
  startedAt: null,
  state: 'pending',
} as const

/**
 * The process that stores an exempt session completes it at once; the poll job does so after this if that process dies.
 */
const END_AFTER = { seconds: 5 }

/** A session that the partner shows is in flight from now on: no browser will open the link. */
function newScaSession(
  { clock, seal }: Context,
  request: ScaSessionTerms & Pick<ScaSession, 'id' | 'bic' | 'consentId' | 'identityProvider'>,
  { start, isShownByPartner }: { readonly start: StepStart | null; readonly isShownByPartner: boolean },
): Omit<NewScaSession, 'linkHash' | 'linkSealed'> {
  const { partnerId, id, kind, subjectId, callbackUrl, preferred, userId, psu, steps, signBy } = request
  const { bic, consentId, identityProvider, isSummarySealed = false } = request
  const createdAt = clock.now()
  const expiresAt = earlierOf(request.expiresAt, signBy ?? request.expiresAt)
  const isExempt = kind !== 'consent' && steps.length === 1 && start?.state === 'exempt'
  const client = isShownByPartner ? psu : null
  const signer = {
    userSealed: userId === null ? null : seal.seal(userId, scaSealPurpose('user', id)),
    ipAddress: client?.ipAddress ?? null,
    userAgent: client?.userAgent ?? null,
  }
  return {
    ...{ partnerId, id, kind, subjectId, bic, consentId, identityProvider, callbackUrl, preferred },
    createdAt,
    expiresAt,
    stepSeconds: Math.round(request.expiresAt.since(createdAt).total('seconds')),
    shownBy: isShownByPartner ? 'partner' : 'page',
    status: isShownByPartner ? 'left' : 'waiting',
    dueAt: isShownByPartner ? createdAt : isExempt ? createdAt.add(END_AFTER) : expiresAt,
    steps: steps.map(({ targetType, targetId, shown }, position) => ({
      targetType,
      targetId,
      shown: isSummarySealed ? [] : shown,
      shownSealed: isSummarySealed ? seal.seal(JSON.stringify(shown), scaSealPurpose('shown', id)) : null,
      ...signer,
      ...(position === 0 && start !== null ? start : PENDING),
      renewals: 0,
      position,
    })),
  }
}
