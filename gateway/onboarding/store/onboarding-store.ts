/** Queries on onboardings: insert, find, list, lock and conditional status transitions. */
import { sql } from 'kysely'
import { columnsOf, rowOf } from '../../platform/database/columns.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { hasKey, timestamp } from '../../platform/database/sql-fragments.ts'
import {
  expiryAfter,
  isAllowedTransition,
  type Onboarding,
  type OnboardingKey,
  type OnboardingStatus,
  type OnboardingTransition,
  OPEN_STATUSES,
  RETENTION_HOURS,
} from './onboarding.ts'
import { type OnboardingRow, onboardingTables } from './onboarding-tables.ts'

/** The selected columns of an onboarding. */
const ONBOARDING = columnsOf(
  'partnerId',
  'id',
  'countryCode',
  'organisationNumber',
  'organisationName',
  'status',
  'statusReason',
  'redirectUrl',
  'linkHash',
  'revision',
  'submittedAt',
  'documentHash',
  'tasksDone',
  'documentsRequestedAt',
  'createdAt',
  'updatedAt',
  'expiresAt',
)

export async function insertOnboarding(database: Queryable, onboarding: Onboarding): Promise<void> {
  const row = { ...onboarding, dueAt: onboarding.expiresAt }
  await onboardingTables(database).insertInto('onboardings').values(rowOf(row)).execute()
}

/** The partner's onboarding with this id. */
export async function findOnboarding(database: Queryable, key: OnboardingKey): Promise<Onboarding | undefined> {
  return await selectOnboardings(database).where(hasKey(key)).executeTakeFirst()
}

/** The same, with a row lock until the transaction ends. */
export async function lockOnboarding(database: Queryable, key: OnboardingKey): Promise<Onboarding | undefined> {
  return await selectOnboardings(database).where(hasKey(key)).forUpdate().executeTakeFirst()
}

/** The same; throws when there is none. */
export async function requireOnboarding(database: Queryable, key: OnboardingKey): Promise<Onboarding> {
  const onboarding = await findOnboarding(database, key)
  if (onboarding === undefined) {
    throw new Error(`There is no onboarding ${key.id}`)
  }
  return onboarding
}

function selectOnboardings(database: Queryable) {
  return onboardingTables(database).selectFrom('onboardings').select(ONBOARDING)
}

/** The open onboardings of a company, locked until the transaction ends; in the order of ids, to prevent deadlocks. */
export async function lockOpenOnboardingsOf(
  database: Queryable,
  { partnerId, countryCode, organisationNumber }: Pick<Onboarding, 'partnerId' | 'countryCode' | 'organisationNumber'>,
): Promise<readonly Onboarding[]> {
  return await selectOnboardings(database)
    .where('partner_id', '=', partnerId)
    .where('country_code', '=', countryCode)
    .where('organisation_number', '=', organisationNumber)
    .where('status', 'in', OPEN_STATUSES)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export type OnboardingFilter = {
  /** All partners without one, for operators. */
  readonly partnerId?: string | undefined
  readonly status?: OnboardingStatus | undefined
  /** The forms in which the number may be stored. */
  readonly organisationNumbers?: readonly string[] | undefined
}

/** The matching onboardings, newest first, at most `limit`. */
export async function listMatchingOnboardings(
  database: Queryable,
  { partnerId, status, organisationNumbers }: OnboardingFilter,
  limit: number,
): Promise<readonly Onboarding[]> {
  return await selectOnboardings(database)
    .where((where) =>
      where.and([
        ...(partnerId === undefined ? [] : [where('partner_id', '=', partnerId)]),
        ...(status === undefined ? [] : [where('status', '=', status)]),
        ...(organisationNumbers === undefined ? [] : [where('organisation_number', 'in', organisationNumbers)]),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/**
 * Changes the status, and when it expires without activity, if it does. False when it was changed concurrently, or the
 * transition is not allowed.
 */
export async function transitionOnboarding(
  database: Queryable,
  onboarding: Pick<Onboarding, 'partnerId' | 'id' | 'status'>,
  { status, statusReason, at }: OnboardingTransition,
  expiresAt: Temporal.Instant | null = null,
): Promise<boolean> {
  if (!isAllowedTransition(onboarding, { status, statusReason })) {
    return false
  }
  const endsWithoutDecision = status === 'Cancelled' || status === 'Expired'
  const purgeAt = endsWithoutDecision ? at.add({ hours: RETENTION_HOURS }) : null
  const { numUpdatedRows } = await onboardingTables(database)
    .updateTable('onboardings')
    .set(rowOf({ status, statusReason, updatedAt: at, expiresAt, dueAt: expiresAt, purgeAt, leaseUntil: null }))
    .where(hasKey(onboarding))
    .where('status', '=', onboarding.status)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Extends the expiry of an open onboarding by activity now; undefined in other statuses, and after the expiry. */
export async function extendOnboarding(
  database: Queryable,
  key: OnboardingKey,
  at: Temporal.Instant,
): Promise<Onboarding | undefined> {
  const expiresAt = expiryAfter(at)
  return await onboardingTables(database)
    .updateTable('onboardings')
    .set(rowOf({ updatedAt: at, expiresAt, dueAt: expiresAt }))
    .where(hasKey(key))
    .where('status', 'in', ['Created', 'AwaitingCustomerAction'])
    .where(sql<boolean>`expires_at > ${timestamp(at)} and expires_at < ${timestamp(expiresAt)}`)
    // A fully signed onboarding is due at once: a page view must not postpone its decision.
    .where(sql<boolean>`not ('Signatures' = any(tasks_done))`)
    .returning(ONBOARDING)
    .executeTakeFirst()
}

/** Changes columns whatever the status: when the jobs process it next, its link or its tasks. */
export async function updateOnboarding(
  database: Queryable,
  key: OnboardingKey,
  changes: Partial<Pick<OnboardingRow, 'dueAt' | 'purgeAt' | 'leaseUntil' | 'linkHash' | 'tasksDone'>>,
): Promise<void> {
  await onboardingTables(database).updateTable('onboardings').set(rowOf(changes)).where(hasKey(key)).execute()
}

/** The key of the onboarding with this id; undefined when there is none. */
export async function findOnboardingAcrossPartners(
  database: Queryable,
  id: string,
): Promise<OnboardingKey | undefined> {
  return await selectOnboardings(database).where('id', '=', id).executeTakeFirst()
}
