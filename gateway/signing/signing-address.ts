/** Finds the signing that an address with a token belongs to, and writes the status into the partner's callback. */
import { timingSafeEqual } from 'node:crypto'
import { hintTokenOf } from '../authorisations/authorisation/start-step-authorisation.ts'
import { findSigning } from '../authorisations/store/sca-session-store.ts'
import type { Context } from '../context.ts'
import { hashToken, isId } from '../platform/ids.ts'
import type { Signing, SigningOutcome } from './signing.ts'

/** What stands in such an address. */
export type SigningAddress = { readonly partnerId: string; readonly signingId: string; readonly token: string }

/** The signing of a user's link, or undefined when the token is not its. */
export async function openByLink(context: Context, address: SigningAddress): Promise<Signing | undefined> {
  const signing = await findByAddress(context, address)
  return signing !== undefined && isToken(address.token, signing.linkHash) ? signing : undefined
}

/** The signing that a bank sends the browser back to, or undefined when the token is none of its steps'. */
export async function openByReturn(context: Context, address: SigningAddress): Promise<Signing | undefined> {
  const signing = await findByAddress(context, address)
  const isReturn = signing?.steps.some(({ returnHash }) => returnHash !== null && isToken(address.token, returnHash))
  return isReturn === true ? signing : undefined
}

/** The signing that a bank gives a hint about, or undefined when the token is none of its steps'. */
export async function openByHint(context: Context, address: SigningAddress): Promise<Signing | undefined> {
  const signing = await findByAddress(context, address)
  const hash = hashToken(address.token)
  const isHint = signing?.steps.some(({ returnHash }) => returnHash !== null && isToken(hintTokenOf(returnHash), hash))
  return isHint === true ? signing : undefined
}

/** The partner's address with what the bank confirmed; a status that stands there already is replaced. */
export function withStatus(callbackUrl: string, outcome: SigningOutcome): string {
  const url = new URL(callbackUrl)
  url.searchParams.set('status', outcome)
  return url.href
}

async function findByAddress(context: Context, { partnerId, signingId }: SigningAddress): Promise<Signing | undefined> {
  const isPlausible = isId(partnerId) && isId(signingId)
  return isPlausible ? await findSigning(context.database, { partnerId, id: signingId }) : undefined
}

function isToken(token: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(hashToken(token)), Buffer.from(hash))
}
