/** Takes a bank's hint that a signing may have changed: the bank is asked soon, and nothing is believed. */
import type { Context } from '../context.ts'
import { openByReturn, type SigningAddress } from './signing-address.ts'
import { hastenSigning } from './signing-due-store.ts'

/** Whether the hint is known or not is told to nobody. */
export async function answerHint(context: Context, address: SigningAddress): Promise<void> {
  const signing = await openByReturn(context, address)
  if (signing !== undefined) {
    await hastenSigning(context.database, signing, context.clock.now())
  }
}
