/** Gets what a partner shows its user for SCA: the link, or the QR code of the app as the bank shows it at this moment. */
import type { Sca, ScaQr, ScaRedirect } from '../../contract/sca.ts'
import { BankError } from '../banks/connector/bank-error.ts'
import type { QrCode } from '../banks/connector/sca-authorisation.ts'
import type { Context } from '../context.ts'
import { formatTimestamp } from '../platform/clock.ts'
import { readAuthorisation } from './authorisation/read-authorisation.ts'
import { scaSealPurpose } from './authorisation/start-step-authorisation.ts'
import { findLatestScaSession, reloadScaSession } from './find-sca-sessions.ts'
import { refreshScaSessionIfStale } from './refresh-sca-session.ts'
import { openScaStep, type ScaSession, type ScaStep, type ScaSubject } from './sca-session.ts'
import { isOver } from './sca-session-state.ts'

/**
 * Refreshes the latest session of a consent, an approval or a cancellation, and returns what the partner gets until it
 * has ended or expired: the link, or the code to show.
 */
export async function refreshScaForPartner(
  context: Context,
  kind: ScaSubject,
  subject: Pick<ScaSession, 'partnerId' | 'kind' | 'subjectId'>,
): Promise<{ sca?: Sca }> {
  const session = await findLatestScaSession(context, subject)
  const refreshed = session && (await refreshScaSessionIfStale(context, kind, session))
  if (session === undefined || refreshed?.at === 'end') {
    return {}
  }
  if (session.shownBy === 'page') {
    return isOver(context, session) ? {} : scaLinkOf(context, session)
  }
  const code = await getQrCode(context, kind, await reloadScaSession(context, session))
  return code === null ? {} : { sca: formatScaQr(context, code) }
}

/**
 * The current code. While the bank cannot be read, or creates its next order, the last code is returned, so that the
 * image does not disappear. Null where no code was started, or the session has expired.
 */
export async function getQrCode(context: Context, kind: ScaSubject, session: ScaSession): Promise<QrCode | null> {
  if (isOver(context, session)) {
    return null
  }
  const fresh = await readQrCode(context, kind, session)
  // Some banks answer that an order has begun before its first code exists.
  if (fresh !== null && (fresh.image !== null || fresh.code !== null)) {
    cacheQrCode(session, fresh)
    return fresh
  }
  return qrCodeCache.get(session.id) ?? initialQrCode(context, session)
}

async function readQrCode(context: Context, kind: ScaSubject, session: ScaSession): Promise<QrCode | null> {
  const step = openScaStep(session)
  if (step?.approach !== 'code' || session.outcome !== null) {
    return null
  }
  try {
    const { state, qr } = await readAuthorisation(context, kind, session, step)
    return state === 'open' ? (qr ?? decryptQrCode(context, session, step)) : null
  } catch (error) {
    if (error instanceof BankError) {
      return null
    }
    throw error
  }
}

/** Codes expire in real time; the API reports business time, as every other timestamp. */
export function formatScaQr({ clock }: Context, { image, code, kind, validUntil }: QrCode): ScaQr {
  const end = clock.now().add(validUntil.since(clock.real()))
  return { type: 'qr', image: image ?? '', code, kind, validUntil: formatTimestamp(end) }
}

/** The last code per session in this process; another process falls back to the first code of the authorisation. */
const qrCodeCache = new Map<string, QrCode>()
const QR_CODE_CACHE_MAX = 500

function cacheQrCode({ id }: ScaSession, code: QrCode): void {
  qrCodeCache.delete(id)
  qrCodeCache.set(id, code)
  for (const oldest of qrCodeCache.keys()) {
    if (qrCodeCache.size <= QR_CODE_CACHE_MAX) {
      return
    }
    qrCodeCache.delete(oldest)
  }
}

/** The first code of the latest started authorisation. */
function initialQrCode(context: Context, session: ScaSession): QrCode | null {
  const start = session.steps.findLast(({ codeSealed }) => codeSealed !== null)
  return start === undefined ? null : decryptQrCode(context, session, start)
}

function decryptQrCode(context: Context, { id }: ScaSession, { codeSealed }: ScaStep): QrCode | null {
  if (codeSealed === null) {
    return null
  }
  const stored: Record<keyof QrCode, string | null> = JSON.parse(
    context.seal.open(codeSealed, scaSealPurpose('code', id)),
  )
  return {
    image: stored.image,
    code: stored.code,
    kind: stored.kind === 'Static' ? 'Static' : 'Dynamic',
    validUntil: Temporal.Instant.from(stored.validUntil ?? ''),
  }
}

/** The link, until the outcome is decided; once a browser has used it, it works in that browser only. */
export function scaLinkOf({ seal }: Context, { id, linkSealed }: ScaSession): { sca?: ScaRedirect } {
  return linkSealed === null
    ? {}
    : { sca: { type: 'redirect', url: seal.open(linkSealed, scaSealPurpose('link', id)) } }
}
