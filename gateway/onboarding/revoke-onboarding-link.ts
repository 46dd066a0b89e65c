/** Revokes a leaked onboarding link and ends its browser sessions, for operators. */
import type { Context } from '../context.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { hashToken, newToken } from '../platform/ids.ts'
import { recordOnboardingAction } from './record-onboarding.ts'
import { revokeSignerLink } from './signatures/create-signer-link.ts'
import { OnboardingActionRejected, type OnboardingKey } from './store/onboarding.ts'
import { endCompanyLinkSessions } from './store/onboarding-session-store.ts'
import { listSigners } from './store/onboarding-signer-store.ts'
import { setOnboardingLink } from './store/onboarding-store.ts'

/** Revokes the company's link, or that of one signer. Throws `OnboardingActionRejected` when there is no link to revoke. */
export async function revokeOnboardingLink(
  context: Context,
  actor: string,
  key: OnboardingKey,
  signerId: string | null,
): Promise<void> {
  if (signerId === null) {
    await inTransaction(context, async (context) => {
      // The hash of a random token that is never returned: no link opens the onboarding.
      await setOnboardingLink(context.database, key, hashToken(newToken()))
      await endCompanyLinkSessions(context.database, key)
      await recordOnboardingAction(context, key, {
        actor,
        action: 'onboarding link revoked',
        signerId: null,
      })
    })
  } else if (
    !(await isSignerOf(context, key, signerId)) ||
    !(await revokeSignerLink(context, actor, { partnerId: key.partnerId, id: signerId }))
  ) {
    throw new OnboardingActionRejected(`The onboarding has no signer ${signerId} with a link that can be revoked`)
  }
}

async function isSignerOf(context: Context, key: OnboardingKey, signerId: string): Promise<boolean> {
  return (await listSigners(context, key)).some(({ id }) => id === signerId)
}
