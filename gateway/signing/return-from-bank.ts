/** Receives the user's browser from the bank: what happened there is asked of the bank, never read from the address. */
import type { Context } from '../context.ts'
import { type Standing, settleIfReadable } from './settle-signing.ts'
import type { Signing, SigningKind } from './signing.ts'
import { findSigning } from './signing-store.ts'

/** How the signing stands, with the signing as it is now. */
export type Returned = Standing & { readonly signing: Signing }

/** A bank that cannot be read, or has not decided, leaves the user on a page that waits. */
export async function returnFromBank(context: Context, kind: SigningKind, signing: Signing): Promise<Returned> {
  const standing = await settleIfReadable(context, kind, signing)
  const kept = await findSigning(context.database, signing)
  return { ...standing, signing: kept ?? signing }
}
