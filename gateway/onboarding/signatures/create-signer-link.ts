/** Makes a signer's own link, which leads to that signer's part and nothing else, and takes it back again. */
import type { Context } from '../../context.ts'
import { atomically } from '../../platform/database/in-transaction.ts'
import { hashToken, newToken } from '../../platform/ids.ts'
import { expiryAfter, maySign, onboardingAddress } from '../onboarding.ts'
import { lockOnboarding, touchOnboarding } from '../onboarding-store.ts'
import { noteStep, type OnboardingStep } from '../record-onboarding-action.ts'
import { endSessionsOfSigner } from '../sessions/onboarding-session-store.ts'
import { type Signer, type SignerKey, signerMayBecome } from './onboarding-signer.ts'
import { findSigner, moveSigner, setSignerLink } from './onboarding-signer-store.ts'

/**
 * The link, which is shown this once and kept as a digest; an earlier one and its sessions are void. Whoever refused is
 * asked again. Undefined when the signer has signed, or nothing is being signed.
 */
export async function forwardToSigner(context: Context, key: SignerKey): Promise<string | undefined> {
  const token = newToken()
  const done = { actor: 'company', action: 'onboarding link made' } as const
  const signer = await changeLink(context, key, { hash: hashToken(token) }, done)
  return (
    signer &&
    onboardingAddress(context.config.onboardingUrl, { partnerId: key.partnerId, id: signer.onboardingId }, token)
  )
}

/** Takes a signer's link back; its sessions end with it. False when the signer has signed, or nothing is being signed. */
export async function revokeSignerLink(context: Context, actor: string, key: SignerKey): Promise<boolean> {
  const done = { actor, action: 'onboarding link revoked' } as const
  return (await changeLink(context, key, { revokedAt: context.clock.now() }, done)) !== undefined
}

async function changeLink(
  context: Context,
  key: SignerKey,
  link: Parameters<typeof setSignerLink>[2],
  done: Pick<OnboardingStep, 'actor' | 'action'>,
): Promise<Signer | undefined> {
  const { seal, clock } = context
  return await atomically(context.database, async (database) => {
    const signer = await findSigner({ database, seal }, key)
    const onboarding = signer && (await lockOnboarding(database, { partnerId: key.partnerId, id: signer.onboardingId }))
    if (signer === undefined || onboarding === undefined || !maySign(onboarding)) {
      return undefined
    }
    const at = clock.now()
    if ('hash' in link && signerMayBecome[signer.status].includes('Waiting')) {
      await moveSigner({ database, seal }, signer, { status: 'Waiting', at })
    }
    const changed = await setSignerLink(database, key, link)
    await endSessionsOfSigner(database, key)
    await touchOnboarding(database, onboarding, { at, expiresAt: expiryAfter(at) })
    if (!changed) {
      return undefined
    }
    await noteStep({ database, clock }, onboarding, { ...done, signerId: signer.id })
    return signer
  })
}
