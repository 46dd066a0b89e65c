/** The queries on onboardings themselves: kept, found, listed, and moved on in one conditional update. */
import { sql } from 'kysely'
import type { Queryable } from '../platform/database/in-transaction.ts'
import {
  FORGET_AFTER_HOURS,
  isOpen,
  mayMove,
  type Onboarding,
  type OnboardingKey,
  type OnboardingMove,
  type OnboardingStatus,
  OPEN,
} from './onboarding.ts'
import { onboardingTables } from './onboarding-tables.ts'

/** What is read of one. */
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
  'documents_asked_at as documentsAskedAt',
  'created_at as createdAt',
  'updated_at as updatedAt',
  'expires_at as expiresAt',
] as const

/** Keeps a new onboarding. */
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

/** One onboarding of the partner. */
export async function findOnboarding(database: Queryable, key: OnboardingKey): Promise<Onboarding | undefined> {
  return await selectOne(database, key).executeTakeFirst()
}

/** The same, held until the transaction ends. */
export async function lockOnboarding(database: Queryable, key: OnboardingKey): Promise<Onboarding | undefined> {
  return await selectOne(database, key).forUpdate().executeTakeFirst()
}

function selectOne(database: Queryable, { partnerId, id }: OnboardingKey) {
  return onboardingTables(database)
    .selectFrom('onboardings')
    .select(ONBOARDING)
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
}

/** The open onboardings of a company, held until the transaction ends; always in one order, so that nobody waits in a ring. */
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
    .where('status', 'in', OPEN)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** What narrows a list. */
export type OnboardingFilter = {
  readonly status?: OnboardingStatus
  /** Forms in which the number may be kept. */
  readonly organisationNumbers?: readonly string[]
}

/** The partner's onboardings, newest first, `limit` at most. */
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

/** When a moved onboarding is looked at again. */
export type MoveTimes = { readonly expiresAt: Temporal.Instant | null; readonly dueAt: Temporal.Instant | null }

const NEVER: MoveTimes = { expiresAt: null, dueAt: null }

/** Moves an onboarding on; false when somebody else did, or the table knows no such move. */
export async function moveOnboarding(
  database: Queryable,
  onboarding: Pick<Onboarding, 'partnerId' | 'id' | 'status'>,
  next: OnboardingMove,
  times: MoveTimes = NEVER,
): Promise<boolean> {
  if (!mayMove(onboarding, next)) {
    return false
  }
  const cameToNothing = !isOpen(next) && (next.status === 'Cancelled' || next.status === 'Expired')
  const { numUpdatedRows } = await onboardingTables(database)
    .updateTable('onboardings')
    .set({
      status: next.status,
      status_reason: next.statusReason,
      updated_at: next.at.toString(),
      expires_at: times.expiresAt?.toString() ?? null,
      due_at: times.dueAt?.toString() ?? null,
      forget_at: cameToNothing ? next.at.add({ hours: FORGET_AFTER_HOURS }).toString() : null,
      lease_until: null,
    })
    .where('partner_id', '=', onboarding.partnerId)
    .where('id', '=', onboarding.id)
    .where('status', '=', onboarding.status)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Gives the company's people as much time again; nothing happens where that time does not run. */
export async function touchOnboarding(
  database: Queryable,
  { partnerId, id }: OnboardingKey,
  { at, expiresAt }: { readonly at: Temporal.Instant; readonly expiresAt: Temporal.Instant },
): Promise<void> {
  await onboardingTables(database)
    .updateTable('onboardings')
    .set({ updated_at: at.toString(), expires_at: expiresAt.toString(), due_at: expiresAt.toString() })
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .where('status', 'in', ['Created', 'AwaitingCustomerAction'])
    .where(sql<boolean>`expires_at < ${expiresAt.toString()}`)
    // What everybody has signed is due now, and is decided whoever looks at it meanwhile.
    .where(sql<boolean>`not ('Signatures' = any(tasks_done))`)
    .execute()
}

/** Has an onboarding looked at again at a time, or not at all. */
export async function setOnboardingDue(
  database: Queryable,
  { partnerId, id }: OnboardingKey,
  dueAt: Temporal.Instant | null,
): Promise<void> {
  await onboardingTables(database)
    .updateTable('onboardings')
    .set({ due_at: dueAt?.toString() ?? null, lease_until: null })
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .execute()
}

/** Says when what people wrote is forgotten. */
export async function setOnboardingForgotten(
  database: Queryable,
  { partnerId, id }: OnboardingKey,
  forgetAt: Temporal.Instant | null,
): Promise<void> {
  await onboardingTables(database)
    .updateTable('onboardings')
    .set({ forget_at: forgetAt?.toString() ?? null, lease_until: null })
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .execute()
}

/** Puts another link in place of the one that the partner was given. */
export async function setOnboardingLink(
  database: Queryable,
  { partnerId, id }: OnboardingKey,
  linkHash: string,
): Promise<void> {
  await onboardingTables(database)
    .updateTable('onboardings')
    .set({ link_hash: linkHash })
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .execute()
}
