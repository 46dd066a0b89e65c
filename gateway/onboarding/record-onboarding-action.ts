/** Notes in the audit log what people did of an onboarding: who by the link they came by, never by name. */
import type { Context } from '../context.ts'
import { writeAudit } from '../operators/write-audit-entry.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import type { OnboardingKey } from './onboarding.ts'

/** What was done. */
export type OnboardingStep = {
  /** `company` for whoever came by the company's link, `signer <id>`, or `operator <name>`. */
  readonly actor: string
  readonly action:
    | 'onboarding submitted'
    | 'onboarding reopened'
    | 'onboarding link made'
    | 'onboarding link revoked'
    | 'onboarding person identified'
    | 'onboarding signed'
    | 'onboarding signature refused'
  /** Whose part it is about; null for what is everybody's. */
  readonly signerId: string | null
}

/** Adds the entry in the transaction that does it. */
export async function noteStep(
  surroundings: Pick<Context, 'clock'> & { readonly database: Queryable },
  { partnerId, id }: OnboardingKey,
  { actor, action, signerId }: OnboardingStep,
): Promise<void> {
  const detail = { signer: signerId }
  await writeAudit(surroundings, { partnerId, actor, action, subject: ['onboarding', id], detail })
}

/** How the audit log calls whoever came by a link. */
export function actorOf({ signerId }: { readonly signerId: string | null }): string {
  return signerId === null ? 'company' : `signer ${signerId}`
}
