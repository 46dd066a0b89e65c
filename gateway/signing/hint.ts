/** Takes a bank's hint that a signing may have changed: the bank is asked soon, and nothing is believed. */

import { hastenSigning } from '../authorisations/store/sca-session-poll-store.ts'
import type { Context } from '../context.ts'
import { openByHint, type SigningAddress } from './signing-address.ts'

/** At most one read within this time comes of hints. */
const QUIET = { seconds: 10 }

/** Whether the hint is known or not is told to nobody. */
export async function answerHint(context: Context, address: SigningAddress): Promise<void> {
  const signing = await openByHint(context, address)
  if (signing !== undefined) {
    const at = context.clock.real()
    await hastenSigning(context.database, signing, {
      dueAt: context.clock.now(),
      at,
      quietSince: at.subtract(QUIET),
    })
  }
}
