/** Receives the user's browser from the bank: what happened there is asked of the bank, never read from the address. */
import type { Context } from '../context.ts'
import { hashToken } from '../foundation/ids.ts'
import { findAgain, type Standing, settleIfReadable, standingOf } from './settle-signing.ts'
import type { Signing, SigningKind } from './signing.ts'
import { markStepReturned } from './signing-step-store.ts'

/** How the signing stands, with the signing as it is now. */
export type Returned = Standing & { readonly signing: Signing }

/** Whoever loads the address again and again makes the bank be asked so often and no more. */
const ASK_EVERY = { seconds: 1 }

/** A bank that cannot be read, or has not decided, leaves the user on a page that waits. */
export async function returnFromBank(
  context: Context,
  kind: SigningKind,
  signing: Signing,
  returnToken: string,
): Promise<Returned> {
  const at = context.clock.real()
  const times = { at, quietSince: at.subtract(ASK_EVERY) }
  const isToAsk = await markStepReturned(context.database, signing, hashToken(returnToken), times)
  const standing = isToAsk ? await settleIfReadable(context, kind, signing) : standingOf(signing)
  return { ...standing, signing: await findAgain(context, signing) }
}
