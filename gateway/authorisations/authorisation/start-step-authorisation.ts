/** Begins one authorisation at the bank, and seals what must not be readable while it is under way. */
import type {
  AuthorisationAsked,
  AuthorisationWay,
  QrCode,
  ReturnAddresses,
} from '../../banks/connector/sca-authorisation.ts'
import type { Context } from '../../context.ts'
import type { PsuSession } from '../../platform/http/operations/psu-session.ts'
import { hashToken, newToken } from '../../platform/ids.ts'
import type { Signing, SigningKind, SigningStep, StepWay } from '../../signing/signing.ts'

/** For whom an authorisation begins. */
export type StepBeginner = Pick<
  Signing,
  'partnerId' | 'id' | 'subjectId' | 'consentId' | 'identityProvider' | 'preferred'
> & {
  /** The user's session, when the user is there. */
  readonly psu: PsuSession | null
}

/** An authorisation that has begun, as its step keeps it. */
export type StepBegun = Pick<SigningStep, 'redirectSealed' | 'textSealed' | 'codeSealed' | 'returnSecretSealed'> & {
  readonly authorisationId: string
  readonly way: StepWay
  readonly returnHash: string
  /** Wall time. */
  readonly startedAt: Temporal.Instant
  /** `exempt` where the bank wants no signature. */
  readonly state: 'open' | 'exempt'
}

/** Begins it, and answers the code that it begins with, where there is one. Throws the bank's refusal. */
export async function beginStep(
  context: Context,
  kind: SigningKind,
  signing: StepBeginner,
  { targetType, targetId }: Pick<SigningStep, 'targetType' | 'targetId'>,
): Promise<{ readonly begun: StepBegun; readonly code: QrCode | null }> {
  const returnToken = newToken()
  const asked: AuthorisationAsked = {
    back: returnAddresses(context, signing, returnToken),
    preferred: signing.preferred,
  }
  const { authorisationId, way, returnSecret } = await kind.begin(context, signing, { targetType, targetId }, asked)
  const seal = (what: SealedOfStep, plain: string | null) =>
    plain === null ? null : context.seal.seal(plain, stepPurpose(what, signing.id))
  const code = way.type === 'decoupled' ? way.qr : null
  const begun: StepBegun = {
    authorisationId,
    way: wordFor(way),
    redirectSealed: seal('redirect', way.type === 'redirect' ? way.url : null),
    textSealed: seal('text', way.type === 'decoupled' ? way.text : null),
    codeSealed: seal('code', code === null ? null : JSON.stringify(code)),
    returnSecretSealed: seal('return secret', returnSecret),
    returnHash: hashToken(returnToken),
    startedAt: context.clock.real(),
    state: way.type === 'none' ? 'exempt' : 'open',
  }
  return { begun, code }
}

/** What of a step is sealed. */
export type SealedOfStep = 'redirect' | 'text' | 'code' | 'return secret' | 'shown'

/** What a sealed value of a step is bound to. */
export function stepPurpose(what: SealedOfStep, signingId: string): string {
  return `signing ${what} ${signingId}`
}

/** Addresses that come back without a token of ours carry the partner beside the random part. */
export function returnAddresses(
  { config }: Pick<Context, 'config'>,
  { partnerId, id }: Pick<Signing, 'partnerId' | 'id'>,
  returnToken: string,
): ReturnAddresses {
  const base = `${config.baseUrl}/signing/${partnerId}/${id}`
  const hintToken = hintTokenOf(hashToken(returnToken))
  return {
    success: `${base}/return/${returnToken}`,
    failure: `${base}/return/${returnToken}?refused=1`,
    notification: `${config.baseUrl}/hints/signings/${partnerId}/${id}/${hintToken}`,
  }
}

/** A token of its own: whoever is told where to send hints cannot come back in a browser's place with it. */
export function hintTokenOf(returnHash: string): string {
  return hashToken(`hint ${returnHash}`)
}

function wordFor(way: AuthorisationWay): StepWay {
  switch (way.type) {
    case 'decoupled':
      return way.qr === null ? 'app' : 'code'
    case 'redirect':
    case 'none':
      return way.type
  }
}
