/** Lets operators make a link void that fell into wrong hands, with the sessions of whoever came by it. */
import type { Context } from '../context.ts'
import { atomically } from '../platform/database/in-transaction.ts'
import { hashToken, newToken } from '../platform/ids.ts'
import type { OnboardingKey } from './onboarding.ts'
import { setOnboardingLink } from './onboarding-store.ts'
import { noteStep } from './record-onboarding-action.ts'
import { endSessionsOf } from './sessions/onboarding-session-store.ts'
import { revokeSignerLink } from './signatures/create-signer-link.ts'
import { listSigners } from './signatures/onboarding-signer-store.ts'

/** The company's link, or that of one signer. Throws, in words for operators, when there is none to revoke. */
export async function revokeLink(
  context: Context,
  actor: string,
  key: OnboardingKey,
  signerId: string | null,
): Promise<void> {
  const { clock, database } = context
  if (signerId === null) {
    await atomically(database, async (within) => {
      // Nobody knows the token of this hash.
      await setOnboardingLink(within, key, hashToken(newToken()))
      await endSessionsOf(within, key)
      await noteStep({ database: within, clock }, key, { actor, action: 'onboarding link revoked', signerId: null })
    })
  } else if (
    !(await isSignerOf(context, key, signerId)) ||
    !(await revokeSignerLink(context, actor, { partnerId: key.partnerId, id: signerId }))
  ) {
    throw new Error(`There is no signer ${signerId} whose link could be revoked`)
  }
}

async function isSignerOf({ database, seal }: Context, key: OnboardingKey, signerId: string): Promise<boolean> {
  return (await listSigners({ database, seal }, key)).some(({ id }) => id === signerId)
}
