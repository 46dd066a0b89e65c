/** Queries on the signers of onboardings: their names, links, identities and statuses. */

import type { Context } from '../../context.ts'
import type { Person } from '../../identity/person.ts'
import { columnsOf, rowOf } from '../../platform/database/columns.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { hasKey } from '../../platform/database/sql-fragments.ts'
import type { Onboarding, OnboardingKey } from './onboarding.ts'
import type { NamedSigner } from './onboarding-answers.ts'
import {
  type Signer,
  type SignerKey,
  type SignerStatus,
  signerSecretPurpose,
  signerTransitions,
} from './onboarding-signer.ts'
import { findOnboarding, lockOnboarding } from './onboarding-store.ts'
import { onboardingTables, type SignerRow } from './onboarding-tables.ts'

const SIGNER = columnsOf(
  'partnerId',
  'id',
  'onboardingId',
  'position',
  'namedSealed',
  'status',
  'linkHash',
  'linkRevokedAt',
  'identifiedSealed',
  'signedAt',
)

export type NewSigner = SignerKey & {
  readonly onboardingId: string
  readonly position: number
  readonly named: NamedSigner
  readonly createdAt: Temporal.Instant
}

export async function insertSigners({ database, seal }: Context, signers: readonly NewSigner[]): Promise<void> {
  const rows = signers.map(({ named, ...signer }) => {
    const namedSealed = seal.seal(JSON.stringify(named), signerSecretPurpose('named', signer))
    return { ...signer, namedSealed, status: 'Waiting' as const }
  })
  await onboardingTables(database).insertInto('onboarding_signers').values(rows.map(rowOf)).execute()
}

/** All signers of an onboarding in their order, including revoked ones. */
export async function listSigners(context: Context, { partnerId, id }: OnboardingKey): Promise<readonly Signer[]> {
  const rows = await onboardingTables(context.database)
    .selectFrom('onboarding_signers')
    .select(SIGNER)
    .where('partner_id', '=', partnerId)
    .where('onboarding_id', '=', id)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map((row) => opened(context, row))
}

export async function isSignerOf(context: Context, key: OnboardingKey, signerId: string): Promise<boolean> {
  return (await listSigners(context, key)).some(({ id }) => id === signerId)
}

export async function findSigner(context: Context, key: SignerKey): Promise<Signer | undefined> {
  const row = await onboardingTables(context.database)
    .selectFrom('onboarding_signers')
    .select(SIGNER)
    .where(hasKey(key))
    .executeTakeFirst()
  return row && opened(context, row)
}

/** A signer and the onboarding. */
export type SigningParties = { readonly signer: Signer; readonly onboarding: Onboarding }

/** Undefined once the personal data of the onboarding is deleted. */
export async function findSigningParties(context: Context, key: SignerKey): Promise<SigningParties | undefined> {
  const signer = await findSigner(context, key)
  const onboarding = signer && (await findOnboarding(context.database, { ...key, id: signer.onboardingId }))
  return signer && onboarding && { signer, onboarding }
}

/** The same with the onboarding locked, and the signer as it is under the lock. */
export async function lockSigningParties(context: Context, key: SignerKey): Promise<SigningParties | undefined> {
  const found = await findSigner(context, key)
  const onboarding = found && (await lockOnboarding(context.database, { ...key, id: found.onboardingId }))
  const signer = onboarding && (await findSigner(context, key))
  return signer && onboarding && { signer, onboarding }
}

/** The values that change with a signer's status. */
export type SignerTransition = {
  readonly status: SignerStatus
  readonly at: Temporal.Instant
  readonly identified?: Person
  /** The identity provider's signed ID token for the signature. */
  readonly evidence?: string
}

/** Changes a signer's status; false when it was changed concurrently, or the transition is not allowed. */
export async function transitionSigner(
  context: Context,
  signer: Pick<Signer, 'partnerId' | 'id' | 'status'>,
  { status, at, identified, evidence }: SignerTransition,
): Promise<boolean> {
  if (!signerTransitions[signer.status].includes(status)) {
    return false
  }
  const { numUpdatedRows } = await onboardingTables(context.database)
    .updateTable('onboarding_signers')
    .set({
      status,
      signed_at: status === 'Signed' ? at.toString() : null,
      ...(status === 'Revoked' ? { link_revoked_at: at.toString() } : {}),
      ...(identified === undefined ? {} : { identified_sealed: sealedPerson(context, signer, identified) }),
      ...(evidence === undefined
        ? {}
        : { evidence_sealed: context.seal.seal(evidence, signerSecretPurpose('evidence', signer)) }),
    })
    .where(hasKey(signer))
    .where('status', '=', signer.status)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Stores the identity of a signer who has not signed yet. */
export async function saveIdentifiedPerson(context: Context, key: SignerKey, identified: Person): Promise<void> {
  await onboardingTables(context.database)
    .updateTable('onboarding_signers')
    .set({ identified_sealed: sealedPerson(context, key, identified) })
    .where(hasKey(key))
    .where('status', 'in', ['Waiting', 'Declined'])
    .execute()
}

/** Sets a signer's link in place of an earlier one, or revokes it (null). */
export async function setSignerLink(
  database: Queryable,
  key: SignerKey,
  link: { readonly linkHash: string; readonly linkRevokedAt: null } | { readonly linkRevokedAt: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await onboardingTables(database)
    .updateTable('onboarding_signers')
    .set(rowOf(link))
    .where(hasKey(key))
    .where('status', 'in', ['Waiting', 'Declined'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

function sealedPerson({ seal }: Context, key: SignerKey, person: Person): Buffer {
  return seal.seal(JSON.stringify(person), signerSecretPurpose('identified', key))
}

function opened({ seal }: Context, { namedSealed, identifiedSealed, ...row }: SignerRow): Signer {
  // The sealed JSON was written by this file: no schema check is needed.
  const named: NamedSigner = JSON.parse(seal.open(namedSealed, signerSecretPurpose('named', row)))
  const identified: Person | null =
    identifiedSealed === null ? null : JSON.parse(seal.open(identifiedSealed, signerSecretPurpose('identified', row)))
  return { ...row, ...named, identified }
}
