/** Takes a signature, or a signer's no, once; who decides what the last signature comes to is `decideOnboarding`. */
import type { Context } from '../../context.ts'
import { isExpected, type Person } from '../../identity/person.ts'
import { atomically } from '../../platform/database/in-transaction.ts'
import { noteSignaturesDone } from '../answers/onboarding-answers-store.ts'
import { expiryAfter, maySign } from '../onboarding.ts'
import { lockOnboarding, touchOnboarding } from '../onboarding-store.ts'
import { actorOf, noteStep } from '../record-onboarding-action.ts'
import { allSigned, currentSigners, type Signer, type SignerKey } from './onboarding-signer.ts'
import { findSigner, listSigners, moveSigner } from './onboarding-signer-store.ts'

/** What a signer did. */
export type SignerAct =
  /** `evidence` is the identity provider's signed word; it is kept sealed. */
  { readonly did: 'sign'; readonly identified: Person; readonly evidence: string } | { readonly did: 'refuse' }

/**
 * True when it was taken, now or by the same call before a crash; false when nothing is being signed any more, the
 * signer has done otherwise, or the same person has signed as somebody else already. With the last signature the
 * onboarding falls due at once: whoever takes it decides, and the sweep does if that process dies. A no is taken from
 * whoever has identified; callers see to that.
 */
export async function takeSignature(context: Context, key: SignerKey, act: SignerAct): Promise<boolean> {
  const { seal, clock } = context
  return await atomically(context.database, async (database) => {
    const found = await findSigner({ database, seal }, key)
    const onboarding = found && (await lockOnboarding(database, { partnerId: key.partnerId, id: found.onboardingId }))
    // Under the lock: another call may have taken it in the meantime.
    const signer = await findSigner({ database, seal }, key)
    if (signer === undefined || onboarding === undefined) {
      return false
    }
    const status = act.did === 'sign' ? 'Signed' : 'Refused'
    if (signer.status === status) {
      return true
    }
    if (act.did === 'sign' && isTwice(await listSigners({ database, seal }, onboarding), signer, act.identified)) {
      return false
    }
    const at = clock.now()
    const { did: _did, ...proof } = act
    if (!maySign(onboarding) || !(await moveSigner({ database, seal }, signer, { status, at, ...proof }))) {
      return false
    }
    const action = act.did === 'sign' ? 'onboarding signed' : 'onboarding signature refused'
    const actor = actorOf({ signerId: signer.id })
    await noteStep({ database, clock }, onboarding, { actor, action, signerId: signer.id })
    await touchOnboarding(database, onboarding, { at, expiresAt: expiryAfter(at) })
    if (allSigned(await listSigners({ database, seal }, onboarding))) {
      await noteSignaturesDone(database, onboarding, at)
    }
    return true
  })
}

/** Whether the same person has signed as another of the signers: two signatures are two people's. */
function isTwice(signers: readonly Signer[], { id }: Signer, person: Person): boolean {
  const others = currentSigners(signers).filter((other) => other.id !== id && other.status === 'Signed')
  return others.some(({ identified }) => identified !== null && isExpected(person, identified))
}
