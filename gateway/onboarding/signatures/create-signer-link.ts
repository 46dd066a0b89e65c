/** Creates and revokes a signer's personal link, which opens only that signer's part of the onboarding. */

import type { Context } from '../../context.ts'
import type { AuditAction } from '../../operators/audit-actions.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { hashToken, newToken } from '../../platform/ids.ts'
import { recordOnboardingAction } from '../record-onboarding.ts'
import { buildOnboardingLink, maySign } from '../store/onboarding.ts'
import { endSessions } from '../store/onboarding-session-store.ts'
import { type Signer, type SignerKey, signerTransitions } from '../store/onboarding-signer.ts'
import { lockSigningParties, setSignerLink, transitionSigner } from '../store/onboarding-signer-store.ts'
import { extendOnboarding } from '../store/onboarding-store.ts'

/**
 * The new link; only its digest is stored, and an earlier link and its sessions are revoked. A signer who declined is
 * asked again. Undefined when the signer has signed, or the onboarding does not await signatures.
 */
export async function createSignerLink(context: Context, key: SignerKey): Promise<string | undefined> {
  const token = newToken()
  const done = { actor: 'company', action: 'onboarding link made' } as const
  const signer = await replaceSignerLink(context, key, { linkHash: hashToken(token), linkRevokedAt: null }, done)
  return (
    signer &&
    buildOnboardingLink(context.config.onboardingUrl, { partnerId: key.partnerId, id: signer.onboardingId }, token)
  )
}

/** Revokes a signer's link and its sessions. False when the signer has signed, or no signature is awaited. */
export async function revokeSignerLink(context: Context, actor: string, key: SignerKey): Promise<boolean> {
  const done = { actor, action: 'onboarding link revoked' } as const
  return (await replaceSignerLink(context, key, { linkRevokedAt: context.clock.now() }, done)) !== undefined
}

async function replaceSignerLink(
  context: Context,
  key: SignerKey,
  link: Parameters<typeof setSignerLink>[2],
  done: { readonly actor: string; readonly action: AuditAction },
): Promise<Signer | undefined> {
  const { clock } = context
  return await inTransaction(context, async (context) => {
    const found = await lockSigningParties(context, key)
    if (found === undefined || !maySign(found.onboarding)) {
      return undefined
    }
    const { signer, onboarding } = found
    const at = clock.now()
    if ('linkHash' in link && signerTransitions[signer.status].includes('Waiting')) {
      await transitionSigner(context, signer, { status: 'Waiting', at })
    }
    const changed = await setSignerLink(context.database, key, link)
    await endSessions(context.database, onboarding, signer.id)
    await extendOnboarding(context.database, onboarding, at)
    if (!changed) {
      return undefined
    }
    await recordOnboardingAction(context, onboarding, { ...done, detail: { signer: signer.id } })
    return signer
  })
}
