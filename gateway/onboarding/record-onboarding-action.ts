/** Records user actions of an onboarding in the audit log; the actor is the link that was used, never a name. */
import type { Context } from '../context.ts'
import { writeAuditEntry } from '../operators/write-audit-entry.ts'
import type { OnboardingKey } from './onboarding.ts'

/** The recorded action. */
export type OnboardingAction = {
  /** `company` for users of the company's link, `signer <id>`, or `operator <name>`. */
  readonly actor: string
  readonly action:
    | 'onboarding submitted'
    | 'onboarding reopened'
    | 'onboarding link made'
    | 'onboarding link revoked'
    | 'onboarding person identified'
    | 'onboarding signed'
    | 'onboarding signature refused'
  /** The signer concerned; null for actions on the whole onboarding. */
  readonly signerId: string | null
}

/** Writes the entry in the transaction of the action. */
export async function recordOnboardingAction(
  surroundings: Context,
  { partnerId, id }: OnboardingKey,
  { actor, action, signerId }: OnboardingAction,
): Promise<void> {
  const detail = { signer: signerId }
  await writeAuditEntry(surroundings, { partnerId, actor, action, subject: ['onboarding', id], detail })
}

/** The actor name in the audit log for the user of a link. */
export function actorOf({ signerId }: { readonly signerId: string | null }): string {
  return signerId === null ? 'company' : `signer ${signerId}`
}
