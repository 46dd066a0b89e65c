/** Queries on onboardings: insert, find, list, lock and conditional status transitions. */
import { sql } from 'kysely'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { hasKey } from '../../platform/database/sql-fragments.ts'
import {
  isAllowedTransition,
  isOpen,
  type Onboarding,
  type OnboardingKey,
  type OnboardingStatus,
  type OnboardingTransition,
  OPEN_STATUSES,
  RETENTION_HOURS,
} from './onboarding.ts'
import { onboardingTables } from './onboarding-tables.ts'

/** The selected columns of an onboarding. */
export const ONBOARDING = [
  'partner_id as partnerId',
  'id',
  'country_code as countryCode',
  'organisation_number as organisationNumber',
  'organisation_name as organisationName',
  'status',
  'status_reason as statusReason',
  'redirect_url as redirectUrl',
  'link_hash as linkHash',
  'revision',
  'submitted_at as submittedAt',
  'document_hash as documentHash',
  'tasks_done as tasksDone',
  'documents_requested_at as documentsRequestedAt',
  'created_at as createdAt',
  'updated_at as updatedAt',
  'expires_at as expiresAt',
] as const

export async function insertOnboarding(database: Queryable, onboarding: Onboarding): Promise<void> {
  const expiresAt = onboarding.expiresAt?.toString() ?? null
  await onboardingTables(database)
    .insertInto('onboardings')
    .values({
      partner_id: onboarding.partnerId,
      id: onboarding.id,
      country_code: onboarding.countryCode,
      organisation_number: onboarding.organisationNumber,
      organisation_name: onboarding.organisationName,
      status: onboarding.status,
      redirect_url: onboarding.redirectUrl,
      link_hash: onboarding.linkHash,
      created_at: onboarding.createdAt.toString(),
      updated_at: onboarding.updatedAt.toString(),
      expires_at: expiresAt,
      due_at: expiresAt,
    })
    .execute()
}

/** The partner's onboarding with this id. */
export async function findOnboarding(database: Queryable, key: OnboardingKey): Promise<Onboarding | undefined> {
  return await selectOne(database, key).executeTakeFirst()
}

/** The same, with a row lock until the transaction ends. */
export async function lockOnboarding(database: Queryable, key: OnboardingKey): Promise<Onboarding | undefined> {
  return await selectOne(database, key).forUpdate().executeTakeFirst()
}

/** The same; throws when there is none. */
export async function requireOnboarding(database: Queryable, key: OnboardingKey): Promise<Onboarding> {
  const onboarding = await findOnboarding(database, key)
  if (onboarding === undefined) {
    throw new Error(`There is no onboarding ${key.id}`)
  }
  return onboarding
}

function selectOne(database: Queryable, key: OnboardingKey) {
  return onboardingTables(database).selectFrom('onboardings').select(ONBOARDING).where(hasKey(key))
}

/** The open onboardings of a company, locked until the transaction ends; in the order of ids, to prevent deadlocks. */
export async function lockOpenOnboardingsOf(
  database: Queryable,
  { partnerId, countryCode, organisationNumber }: Pick<Onboarding, 'partnerId' | 'countryCode' | 'organisationNumber'>,
): Promise<readonly Onboarding[]> {
  return await onboardingTables(database)
    .selectFrom('onboardings')
    .select(ONBOARDING)
    .where('partner_id', '=', partnerId)
    .where('country_code', '=', countryCode)
    .where('organisation_number', '=', organisationNumber)
    .where('status', 'in', OPEN_STATUSES)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export type OnboardingFilter = {
  readonly status?: OnboardingStatus
  /** The forms in which the number may be stored. */
  readonly organisationNumbers?: readonly string[]
}

/** The partner's onboardings, newest first, at most `limit`. */
export async function listOnboardingsOf(
  database: Queryable,
  partnerId: string,
  { status, organisationNumbers }: OnboardingFilter,
  limit: number,
): Promise<readonly Onboarding[]> {
  let query = onboardingTables(database)
    .selectFrom('onboardings')
    .select(ONBOARDING)
    .where('partner_id', '=', partnerId)
  if (status !== undefined) {
    query = query.where('status', '=', status)
  }
  if (organisationNumbers !== undefined) {
    query = query.where('organisation_number', 'in', organisationNumbers)
  }
  return await query.orderBy('id', 'desc').limit(limit).execute()
}

/** When an onboarding expires and is next processed after a transition. */
export type TransitionTimes = { readonly expiresAt: Temporal.Instant | null; readonly dueAt: Temporal.Instant | null }

const NEVER: TransitionTimes = { expiresAt: null, dueAt: null }

/** Changes the status; false when it was changed concurrently, or the transition is not allowed. */
export async function transitionOnboarding(
  database: Queryable,
  onboarding: Pick<Onboarding, 'partnerId' | 'id' | 'status'>,
  next: OnboardingTransition,
  times: TransitionTimes = NEVER,
): Promise<boolean> {
  if (!isAllowedTransition(onboarding, next)) {
    return false
  }
  const endedWithoutDecision = !isOpen(next) && (next.status === 'Cancelled' || next.status === 'Expired')
  const { numUpdatedRows } = await onboardingTables(database)
    .updateTable('onboardings')
    .set({
      status: next.status,
      status_reason: next.statusReason,
      updated_at: next.at.toString(),
      expires_at: times.expiresAt?.toString() ?? null,
      due_at: times.dueAt?.toString() ?? null,
      purge_at: endedWithoutDecision ? next.at.add({ hours: RETENTION_HOURS }).toString() : null,
      lease_until: null,
    })
    .where(hasKey(onboarding))
    .where('status', '=', onboarding.status)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Extends the expiry of an open onboarding; no change in other statuses. */
export async function extendOnboarding(
  database: Queryable,
  key: OnboardingKey,
  { at, expiresAt }: { readonly at: Temporal.Instant; readonly expiresAt: Temporal.Instant },
): Promise<void> {
  await onboardingTables(database)
    .updateTable('onboardings')
    .set({ updated_at: at.toString(), expires_at: expiresAt.toString(), due_at: expiresAt.toString() })
    .where(hasKey(key))
    .where('status', 'in', ['Created', 'AwaitingCustomerAction'])
    .where(sql<boolean>`expires_at < ${expiresAt.toString()}`)
    // A fully signed onboarding is due at once: a page view must not postpone its decision.
    .where(sql<boolean>`not ('Signatures' = any(tasks_done))`)
    .execute()
}

/** Sets when the job processes the onboarding next; null for never. */
export async function setOnboardingDue(
  database: Queryable,
  key: OnboardingKey,
  dueAt: Temporal.Instant | null,
): Promise<void> {
  await onboardingTables(database)
    .updateTable('onboardings')
    .set({ due_at: dueAt?.toString() ?? null, lease_until: null })
    .where(hasKey(key))
    .execute()
}

/** Sets when the answers are deleted; null for never. */
export async function setOnboardingPurgeAt(
  database: Queryable,
  key: OnboardingKey,
  forgetAt: Temporal.Instant | null,
): Promise<void> {
  await onboardingTables(database)
    .updateTable('onboardings')
    .set({ purge_at: forgetAt?.toString() ?? null, lease_until: null })
    .where(hasKey(key))
    .execute()
}

/** Replaces the link that was returned to the partner. */
export async function setOnboardingLink(database: Queryable, key: OnboardingKey, linkHash: string): Promise<void> {
  await onboardingTables(database).updateTable('onboardings').set({ link_hash: linkHash }).where(hasKey(key)).execute()
}

/** The key of the onboarding with this id; undefined when there is none. */
export async function findOnboardingAcrossPartners(
  database: Queryable,
  id: string,
): Promise<OnboardingKey | undefined> {
  return await onboardingTables(database)
    .selectFrom('onboardings')
    .select(['partner_id as partnerId', 'id'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The matching onboardings, newest first, at most `limit`. */
export async function listOnboardingsAcrossPartners(
  database: Queryable,
  { partnerId, status }: { readonly partnerId?: string; readonly status?: OnboardingStatus },
  limit: number,
): Promise<readonly Onboarding[]> {
  let query = onboardingTables(database).selectFrom('onboardings').select(ONBOARDING)
  if (partnerId !== undefined) {
    query = query.where('partner_id', '=', partnerId)
  }
  if (status !== undefined) {
    query = query.where('status', '=', status)
  }
  return await query.orderBy('id', 'desc').limit(limit).execute()
}
