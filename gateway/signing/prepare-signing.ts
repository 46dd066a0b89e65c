/** Prepares a signing: begins the first authorisation at the bank and makes the link for the user. */
import type { ScaRedirect } from '../../contract/sca.ts'
import type { ReturnAddresses } from '../banks/connector.ts'
import type { Context } from '../context.ts'
import type { PsuSession } from '../foundation/http/psu-session.ts'
import { hashToken, newId, newToken } from '../foundation/ids.ts'
import type { Shown, Signing, SigningKind, SigningKindName } from './signing.ts'
import { insertSigning, type NewSigning, type SigningTransaction } from './signing-store.ts'

/** What is to be signed, by whom, until when. */
export type SigningWanted = {
  readonly partnerId: string
  readonly kind: SigningKindName
  readonly subjectId: string
  readonly consentId: string
  readonly bic: string
  readonly callbackUrl: string
  readonly expiresAt: Temporal.Instant
  readonly psu: PsuSession | null
  /** The user's id at the bank, kept sealed as evidence. */
  readonly userId: string | null
  readonly steps: readonly {
    readonly targetType: 'consent' | 'payment'
    readonly targetId: string
    readonly shown: Shown
  }[]
}

/** A signing that is begun at the bank and not kept yet. */
export type PreparedSigning = { readonly url: string; readonly signing: NewSigning }

/** Begins the first authorisation. Throws the bank's refusal. */
export async function prepareSigning(
  context: Context,
  kind: SigningKind,
  wanted: SigningWanted,
): Promise<PreparedSigning> {
  const id = newId()
  const linkToken = newToken()
  const { userId, psu: _psu, steps, ...rest } = wanted
  const [first, ...others] = steps
  if (first === undefined) {
    throw new Error('A signing needs something to sign')
  }
  const createdAt = context.clock.now()
  const url = `${context.config.baseUrl}/signing/${wanted.partnerId}/${id}/${linkToken}`
  const begun = await beginStep(context, kind, { ...wanted, id }, first.targetId)
  const evidence = { userSealed: userId === null ? null : context.seal.seal(userId, signerPurpose(id)) }
  const pending = { authorisationId: null, redirectSealed: null, returnHash: null, startedAt: null }
  const signing: NewSigning = {
    ...rest,
    id,
    linkHash: hashToken(linkToken),
    linkSealed: context.seal.seal(url, linkPurpose(id)),
    createdAt,
    stepSeconds: Math.round(wanted.expiresAt.since(createdAt).total('seconds')),
    steps: [
      { ...first, ...evidence, ...begun, position: 0, state: 'open' },
      ...others.map((step, index) => ({
        ...step,
        ...evidence,
        ...pending,
        position: index + 1,
        state: 'pending' as const,
      })),
    ],
  }
  return { url, signing }
}

/** Keeps a prepared signing in the transaction that keeps what it is about. */
export async function keepSigning(transaction: SigningTransaction, { signing }: PreparedSigning): Promise<void> {
  await insertSigning(transaction, signing)
}

/** Begins one authorisation at the bank and seals where the browser goes. */
export async function beginStep(
  context: Context,
  kind: SigningKind,
  signing: Pick<SigningWanted, 'partnerId' | 'subjectId' | 'consentId' | 'psu'> & { readonly id: string },
  targetId: string,
): Promise<{ authorisationId: string; redirectSealed: Buffer; returnHash: string; startedAt: Temporal.Instant }> {
  const returnToken = newToken()
  const started = await kind.begin(context, signing, { targetId }, returnAddresses(context, signing, returnToken))
  return {
    authorisationId: started.authorisationId,
    redirectSealed: context.seal.seal(started.redirectUrl, redirectPurpose(signing.id)),
    returnHash: hashToken(returnToken),
    startedAt: context.clock.real(),
  }
}

/** Where the user is sent, for as long as nobody has used the link. */
export function linkOf({ seal }: Context, { id, status, linkSealed }: Signing): { sca?: ScaRedirect } {
  return linkSealed === null || status !== 'waiting'
    ? {}
    : { sca: { type: 'redirect', url: seal.open(linkSealed, linkPurpose(id)) } }
}

/** What a sealed bank address is bound to. */
export function redirectPurpose(signingId: string): string {
  return `signing redirect ${signingId}`
}

/** What a sealed link is bound to. */
export function linkPurpose(signingId: string): string {
  return `signing link ${signingId}`
}

/** What the sealed id of the user who signs is bound to. */
export function signerPurpose(signingId: string): string {
  return `signing user ${signingId}`
}

/** Addresses that come back without a token of ours carry the partner beside the random part. */
function returnAddresses(
  { config }: Context,
  { partnerId, id }: { readonly partnerId: string; readonly id: string },
  returnToken: string,
): ReturnAddresses {
  const base = `${config.baseUrl}/signing/${partnerId}/${id}`
  return {
    success: `${base}/return/${returnToken}`,
    failure: `${base}/return/${returnToken}?refused=1`,
    notification: `${config.baseUrl}/hints/signings/${partnerId}/${id}/${returnToken}`,
  }
}
