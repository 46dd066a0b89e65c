/** Gets the reason why a signer's latest signature was rejected. */
import type { Context } from '../../context.ts'
import type { SignatureRejection } from './onboarding-signature.ts'
import { findLatestRejection } from './onboarding-signature-store.ts'
import type { SignerKey } from './onboarding-signer.ts'

/** Null when none was rejected, or the signer only left the page. */
export async function getSignatureRejection({ database }: Context, key: SignerKey): Promise<SignatureRejection | null> {
  return await findLatestRejection(database, key)
}
