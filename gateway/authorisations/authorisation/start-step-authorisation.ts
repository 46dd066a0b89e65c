/** Starts one authorisation at the bank, and seals its secrets while it is in flight. */
import type {
  AuthorisationRequest,
  QrCode,
  ReturnUrls,
  ScaApproachDetails,
  StartedAuthorisation,
} from '../../banks/connector/sca-authorisation.ts'
import type { Context } from '../../context.ts'
import { hashToken, newToken } from '../../platform/ids.ts'
import type { ScaSession, ScaStepApproach } from '../sca-session.ts'
import type { StepApproach, StepStart } from '../store/sca-session-tables.ts'

/** Starts an authorisation and returns it with its first QR code, if it has one. Throws the bank's error. */
export async function startStepAuthorisation(
  context: Context,
  session: Pick<ScaSession, 'partnerId' | 'id' | 'preferred'>,
  begin: (request: AuthorisationRequest) => Promise<StartedAuthorisation>,
): Promise<{ readonly start: StepStart; readonly code: QrCode | null }> {
  const returnToken = newToken()
  const request: AuthorisationRequest = {
    back: returnUrlsOf(context, session, returnToken),
    preferred: session.preferred,
  }
  const { authorisationId, approach, returnSecret } = await begin(request)
  const start: StepStart = {
    ...sealStepApproach(context, session, approach),
    authorisationId,
    returnSecretSealed: sealed(context, session, 'return secret', returnSecret),
    returnHash: hashToken(returnToken),
    notificationHash: hashToken(notificationTokenOf(returnToken)),
    startedAt: context.clock.real(),
  }
  return { start, code: approach.type === 'decoupled' ? approach.qr : null }
}

/** Null depends on whether the app shows a code. */
const stepApproachByType = {
  decoupled: null,
  'method-choice': 'app',
  redirect: 'redirect',
  none: 'none',
} as const satisfies Readonly<Record<ScaApproachDetails['type'], ScaStepApproach | null>>

/** The approach of a step with its secrets sealed. */
export function sealStepApproach(
  context: Context,
  session: Pick<ScaSession, 'id'>,
  approach: ScaApproachDetails,
): StepApproach {
  const code = approach.type === 'decoupled' ? approach.qr : null
  const methods = approach.type === 'method-choice' ? JSON.stringify(approach.methods) : null
  return {
    approach: stepApproachByType[approach.type] ?? (code === null ? 'app' : 'code'),
    redirectSealed: sealed(context, session, 'redirect', approach.type === 'redirect' ? approach.url : null),
    textSealed: sealed(context, session, 'text', approach.type === 'decoupled' ? approach.text : null),
    codeSealed: sealed(context, session, 'code', code === null ? null : JSON.stringify(code)),
    methodsSealed: sealed(context, session, 'methods', methods),
    state: approach.type === 'none' ? 'exempt' : 'open',
  }
}

function sealed(
  { seal }: Context,
  { id }: Pick<ScaSession, 'id'>,
  what: ScaSecret,
  plain: string | null,
): Buffer | null {
  return plain === null ? null : seal.seal(plain, scaSealPurpose(what, id))
}

/** What of a session is stored sealed. */
export type ScaSecret = 'link' | 'user' | 'redirect' | 'text' | 'code' | 'methods' | 'return secret' | 'shown'

/** The purpose that a sealed value of a session is bound to. */
export function scaSealPurpose(what: ScaSecret, scaSessionId: string): string {
  return `signing ${what} ${scaSessionId}`
}

/** Return URLs, which are called without an access token, carry the partner id and a random part. */
export function returnUrlsOf(
  { config }: Context,
  { partnerId, id }: Pick<ScaSession, 'partnerId' | 'id'>,
  returnToken: string,
): ReturnUrls {
  const base = `${config.baseUrl}/signing/${partnerId}/${id}`
  return {
    success: `${base}/return/${returnToken}`,
    failure: `${base}/return/${returnToken}?refused=1`,
    notification: `${config.baseUrl}/hints/signings/${partnerId}/${id}/${notificationTokenOf(returnToken)}`,
  }
}

/** Derived from the return token, so that the receiver of the notification URL cannot forge a browser's return. */
function notificationTokenOf(returnToken: string): string {
  return hashToken(`hint ${hashToken(returnToken)}`)
}
