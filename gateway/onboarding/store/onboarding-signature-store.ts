/** Queries on the results of signatures at identity providers; the proof is stored until it is copied to the signer. */
import type { Context } from '../../context.ts'
import { columnsOf, rowOf } from '../../platform/database/columns.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { hasKey } from '../../platform/database/sql-fragments.ts'
import {
  proofPurpose,
  type Signature,
  type SignatureKey,
  type SignatureProof,
  type SignatureRejection,
  type SignerKey,
} from './onboarding-signer.ts'
import { onboardingTables } from './onboarding-tables.ts'

export type NewSignature = Signature & { readonly identityProvider: string; readonly endedAt: Temporal.Instant }

/** Stores the result; an earlier result of the same signature remains. */
export async function saveSignature({ database, seal }: Context, signature: NewSignature): Promise<void> {
  const { partnerId, id, signerId, identityProvider, state, endedAt } = signature
  const result =
    signature.state === 'rejected'
      ? { rejection: signature.rejection }
      : { proofSealed: signature.proof && seal.seal(JSON.stringify(signature.proof), proofPurpose(signature)) }
  await onboardingTables(database)
    .insertInto('onboarding_signatures')
    .values(rowOf({ partnerId, id, signerId, identityProvider, state, endedAt, ...result }))
    .onConflict((conflict) => conflict.columns(['partner_id', 'id']).doNothing())
    .execute()
}

/** The result of a signature; undefined while it is open. */
export async function findSignature({ database, seal }: Context, key: SignatureKey): Promise<Signature | undefined> {
  const row = await onboardingTables(database)
    .selectFrom('onboarding_signatures')
    .select(columnsOf('signerId', 'rejection', 'proofSealed'))
    .where(hasKey(key))
    .executeTakeFirst()
  if (row === undefined) {
    return undefined
  }
  const { proofSealed, rejection, signerId } = row
  const { partnerId, id } = key
  if (rejection !== null) {
    return { partnerId, id, signerId, state: 'rejected', rejection }
  }
  // The sealed JSON was written by `saveSignature` above: no schema check is needed.
  const proof: SignatureProof | null =
    proofSealed === null ? null : JSON.parse(seal.open(proofSealed, proofPurpose(key)))
  return { partnerId, id, signerId, state: 'signed', proof }
}

/** Why the latest signature of a signer was rejected; null unless it was, and when the signer only left the page. */
export async function findLatestRejection(database: Queryable, key: SignerKey): Promise<SignatureRejection | null> {
  const row = await onboardingTables(database)
    .selectFrom('onboarding_signatures')
    .select('rejection')
    .where('partner_id', '=', key.partnerId)
    .where('signer_id', '=', key.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.rejection ?? null
}

/** Deletes the proof: it was copied to the signer, or the signature does not count. */
export async function deleteProof(database: Queryable, key: SignatureKey): Promise<void> {
  await onboardingTables(database)
    .updateTable('onboarding_signatures')
    .set({ proof_sealed: null })
    .where(hasKey(key))
    .execute()
}
