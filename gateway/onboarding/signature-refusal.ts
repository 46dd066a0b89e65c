/** Tells a signer why the last signature was not taken. */
import type { Context } from '../context.ts'
import type { SignatureRefusal } from './signatures/onboarding-signature.ts'
import { latestRefusal } from './signatures/onboarding-signature-store.ts'
import type { SignerKey } from './signatures/onboarding-signer.ts'

/** Null where none was refused, or the signer only left. */
export async function signatureRefusal(
  { database }: Pick<Context, 'database'>,
  key: SignerKey,
): Promise<SignatureRefusal | null> {
  return await latestRefusal(database, key)
}
