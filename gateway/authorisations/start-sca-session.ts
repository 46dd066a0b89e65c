/** Starts an SCA session: the first authorisation at the bank, then the session itself, with a link or QR code for the user. */
import type { Sca } from '../../contract/sca.ts'
import type { Bank } from '../banks/connector/bank.ts'
import { isDecoupledSca, isQrCodeSca } from '../banks/connector/bank.ts'
import type { AuthorisationRequest, StartedAuthorisation } from '../banks/connector/sca-authorisation.ts'
import { requireBank } from '../banks/directory/bank-directory.ts'
import type { Context } from '../context.ts'
import type { Clock } from '../platform/clock.ts'
import type { PsuSession } from '../platform/http/operations/psu-session.ts'
import { hashToken, newId, newToken } from '../platform/ids.ts'
import { scaStepPurpose, startStepAuthorisation } from './authorisation/start-step-authorisation.ts'
import { reloadScaSession } from './find-sca-sessions.ts'
import { formatScaQr, scaLinkPurpose, scaUserPurpose } from './get-qr-code.ts'
import { refreshScaSession } from './refresh-sca-session.ts'
import type { ScaSession, ScaSubject, ScaSubjectType, ScaTargetType } from './sca-session.ts'
import { sooner } from './sca-session-state.ts'
import type { SummaryItem } from './signature-summary.ts'
import { insertScaSession, type NewScaSession } from './store/sca-session-store.ts'
import type { ScaSessionTransaction, StepStart } from './store/sca-session-tables.ts'

/** What is to be signed, by whom, until when. */
export type ScaSessionRequest = {
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
} & (SignedAtBank | SignedAtIdentityProvider)

type SignedAtBank = { readonly consentId: string; readonly bic: string; readonly identityProvider?: undefined }
/** Signed by a person, without a bank or a consent. */
type SignedAtIdentityProvider = {
  readonly identityProvider: string
  readonly bic?: undefined
  readonly consentId?: undefined
}

/** A session that is started at the bank. */
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
 * Starts a session, and stores it in the transaction in which `store` stores what it signs, unless that returns false.
 * One for which the bank requires no signature is completed. Throws the bank's error, and then stores nothing.
 */
export async function startScaSession(
  context: Context,
  subject: ScaSubject,
  request: ScaSessionRequest,
  store: (transaction: ScaSessionTransaction, sca: Sca | undefined) => Promise<boolean>,
): Promise<StartedScaSession & { readonly isStored: boolean }> {
  const { session, sca, url } = await prepareScaSession(context, subject, request)
  const isStored = await context.database.query.transaction().execute(async (transaction) => {
    const isOpen = await store(transaction, sca)
    if (isOpen) {
      await insertScaSession(transaction, session)
    }
    return isOpen
  })
  if (isStored && completesUnseen(request) && sca === undefined) {
    await refreshScaSession(context, subject, await reloadScaSession(context, session))
  }
  return { url, sca, isStored }
}

/** A user for whose consent the bank requires no signature still confirms it on our page. */
function completesUnseen({ kind }: Pick<ScaSessionRequest, 'kind'>): boolean {
  return kind !== 'consent'
}

/**
 * Starts the first authorisation, unless it is decoupled: apps wait for seconds only, so it starts once the user is on
 * our page. A code for the partner to show starts at once. Throws the bank's error.
 */
export async function prepareScaSession(
  context: Context,
  kind: ScaSubject,
  request: ScaSessionRequest,
): Promise<PreparedScaSession> {
  const id = newId()
  const [first] = request.steps
  if (first === undefined) {
    throw new Error('An SCA session needs at least one step')
  }
  const { isForPartner, isDeferred } = await startModeOf(context, request)
  const key = { ...request, ...providerColumns(request), id }
  const begin = request.begin ?? ((authorisation) => kind.begin(context, key, first, authorisation))
  const started = isDeferred ? null : await startStepAuthorisation(context, key, begin)
  const code = isForPartner ? (started?.code ?? null) : null
  const linkToken = newToken()
  const url = `${context.config.baseUrl}/signing/${request.partnerId}/${id}/${linkToken}`
  const session = {
    ...scaSessionOf(context, request, { id, start: started?.start ?? null, isShownByPartner: code !== null }),
    linkHash: hashToken(linkToken),
    linkSealed: code === null ? context.seal.seal(url, scaLinkPurpose(id)) : null,
  }
  const link = { type: 'redirect', url } as const
  const isFullyExempt = session.steps.every(({ state }) => state === 'exempt')
  return { url, sca: code !== null ? formatScaQr(context, code) : isFullyExempt ? undefined : link, session }
}

/** At an identity provider, too, the session starts once the user is on our page: it is bound to that browser. */
async function startModeOf(
  { banks }: Context,
  request: ScaSessionRequest,
): Promise<{ readonly isForPartner: boolean; readonly isDeferred: boolean }> {
  if (request.bic === undefined) {
    return { isForPartner: false, isDeferred: true }
  }
  const bank = await requireBank(banks, request.bic)
  const isForPartner = request.codeForPartner && isQrCodeSca(bank, request.preferred)
  return { isForPartner, isDeferred: !isForPartner && isDecoupledSca(bank, request.preferred) }
}

function providerColumns({ bic, consentId, identityProvider }: ScaSessionRequest) {
  return { bic: bic ?? null, consentId: consentId ?? null, identityProvider: identityProvider ?? null }
}

type FirstStart = { readonly id: string; readonly start: StepStart | null; readonly isShownByPartner: boolean }

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
function scaSessionOf(
  context: Context,
  request: ScaSessionRequest,
  { id, start, isShownByPartner }: FirstStart,
): Omit<NewScaSession, 'linkHash' | 'linkSealed'> {
  const { partnerId, kind, subjectId, callbackUrl, preferred, userId, psu, steps, signBy = null } = request
  const createdAt = context.clock.now()
  const expiresAt = sooner(request.expiresAt, signBy)
  const evidence = {
    userSealed: userId === null ? null : context.seal.seal(userId, scaUserPurpose(id)),
    ...(isShownByPartner && psu !== null ? { ipAddress: psu.ipAddress, userAgent: psu.userAgent } : {}),
  }
  const isExempt = completesUnseen(request) && steps.length === 1 && start?.state === 'exempt'
  const status: ScaSession['status'] = isShownByPartner ? 'left' : 'waiting'
  return {
    ...{ partnerId, id, kind, subjectId, callbackUrl, preferred },
    ...providerColumns(request),
    createdAt,
    expiresAt,
    stepSeconds: Math.round(request.expiresAt.since(createdAt).total('seconds')),
    shownBy: isShownByPartner ? 'partner' : 'page',
    status,
    dueAt: isShownByPartner ? createdAt : isExempt ? createdAt.add(END_AFTER) : expiresAt,
    steps: steps.map((step, position) => ({
      ...step,
      ...(request.isSummarySealed === true
        ? { shown: [], shownSealed: context.seal.seal(JSON.stringify(step.shown), scaStepPurpose('shown', id)) }
        : { shownSealed: null }),
      ...evidence,
      ...(position === 0 && start !== null ? start : PENDING),
      renewals: 0,
      overAt: null,
      position,
    })),
  }
}
