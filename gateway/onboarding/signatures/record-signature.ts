/** Records a signature, or that the signer declined, once; after the last signature `decideOnboarding` decides. */
import type { Context } from '../../context.ts'
import { matchesExpectedPerson, type Person } from '../../identity/person.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { actorOf, recordOnboardingAction } from '../record-onboarding.ts'
import { isOverdue, maySign } from '../store/onboarding.ts'
import { allSigned, currentSigners, type Signer, type SignerKey } from '../store/onboarding-signer.ts'
import { listSigners, lockSigningParties, transitionSigner } from '../store/onboarding-signer-store.ts'
import { extendOnboarding, updateOnboarding } from '../store/onboarding-store.ts'

export type SignerDecision =
  /** `evidence` is the identity provider's signed ID token; it is stored encrypted. */
  { readonly did: 'sign'; readonly identified: Person; readonly evidence: string } | { readonly did: 'refuse' }

/**
 * True when it was recorded, now or by the same call before a crash; false when no signature is awaited, the signer has
 * decided otherwise, or the same person has already signed as another signer. With the last signature the onboarding is
 * due at once: the caller decides it, and the sweep does if that process crashes. Callers must ensure that a signer who
 * declines has identified.
 */
export async function recordSignature(context: Context, key: SignerKey, act: SignerDecision): Promise<boolean> {
  const { clock } = context
  return await inTransaction(context, async (context) => {
    const found = await lockSigningParties(context, key)
    if (found === undefined) {
      return false
    }
    const { signer, onboarding } = found
    const status = act.did === 'sign' ? 'Signed' : 'Declined'
    if (signer.status === status) {
      return true
    }
    if (act.did === 'sign' && hasAlreadySigned(await listSigners(context, onboarding), signer, act.identified)) {
      return false
    }
    const at = clock.now()
    const { did: _did, ...proof } = act
    const mayCount = maySign(onboarding) && !isOverdue(onboarding, at)
    if (!mayCount || !(await transitionSigner(context, signer, { status, at, ...proof }))) {
      return false
    }
    const action = act.did === 'sign' ? 'onboarding signed' : 'onboarding signature refused'
    const actor = actorOf({ signerId: signer.id })
    await recordOnboardingAction(context, onboarding, { actor, action, detail: { signer: signer.id } })
    await extendOnboarding(context.database, onboarding, at)
    if (allSigned(await listSigners(context, onboarding))) {
      // Due at once, so that the job decides if this process crashes.
      const tasksDone = [...onboarding.tasksDone, 'Signatures'] as const
      await updateOnboarding(context.database, onboarding, { tasksDone, dueAt: at })
    }
    return true
  })
}

/** Whether the same person has signed as another signer: two signatures need two persons. */
function hasAlreadySigned(signers: readonly Signer[], { id }: Signer, person: Person): boolean {
  const others = currentSigners(signers).filter((other) => other.id !== id && other.status === 'Signed')
  return others.some(({ identified }) => identified !== null && matchesExpectedPerson(person, identified))
}
