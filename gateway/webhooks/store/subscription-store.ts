/** Queries on subscriptions and the versions of their endpoints. */
import { type Kysely, sql } from 'kysely'
import {
  WEBHOOK_SUBSCRIPTIONS_LISTED_MAX,
  type WebhookSelection,
} from '../../../contract/webhooks/webhook-subscriptions.ts'
import type { Seal } from '../../platform/crypto/envelope-encryption.ts'
import { columnsOf, rowOf, type TableOf } from '../../platform/database/columns.ts'
import { executePrepared, type Queryable } from '../../platform/database/in-transaction.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { type Endpoint, endpointPurpose, type Subscription, type SubscriptionKey } from './subscription.ts'

type Tables = {
  webhook_subscriptions: TableOf<Omit<Subscription, 'targetUrl' | 'hasBearerToken'>>
  webhook_endpoints: TableOf<
    EndpointKey & {
      readonly targetUrl: string
      readonly origin: string
      readonly signingSecretSealed: Buffer | null
      readonly bearerTokenSealed: Buffer | null
      readonly referencedBelowId: string | null
    }
  >
}

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

export type EndpointKey = { readonly partnerId: string; readonly subscriptionId: string; readonly version: number }

/** Inserts a subscription whose first endpoint version exists. */
export async function insertSubscription(
  database: Queryable,
  subscription: SubscriptionKey & Pick<Subscription, 'eventTypes'>,
  at: Temporal.Instant,
): Promise<void> {
  const state = { enabled: true, endpointVersion: FIRST_ENDPOINT_VERSION, createdAt: at, updatedAt: at }
  await tables(database)
    .insertInto('webhook_subscriptions')
    .values(rowOf({ ...subscription, ...state }))
    .execute()
}

export const FIRST_ENDPOINT_VERSION = 1

export async function insertEndpoint(
  database: Queryable,
  seal: Seal,
  key: EndpointKey,
  { targetUrl, signingSecret, bearerToken }: Endpoint,
): Promise<void> {
  const sealed = (what: Parameters<typeof endpointPurpose>[0], secret: string) =>
    seal.seal(secret, endpointPurpose(what, key))
  const secrets = {
    signingSecretSealed: sealed('signing secret', signingSecret),
    bearerTokenSealed: bearerToken === null ? null : sealed('bearer token', bearerToken),
  }
  await tables(database)
    .insertInto('webhook_endpoints')
    .values(rowOf({ ...key, targetUrl, origin: new URL(targetUrl).origin, ...secrets }))
    .execute()
}

/** Marks a version as replaced: no delivery with an id from this one on refers to it. */
export async function recordEndpointReplacement(
  database: Queryable,
  { partnerId, subscriptionId, version }: EndpointKey,
  referredBelow: string,
): Promise<void> {
  await tables(database)
    .updateTable('webhook_endpoints')
    .set({ referenced_below_id: referredBelow })
    .where('partner_id', '=', partnerId)
    .where('subscription_id', '=', subscriptionId)
    .where('version', '=', version)
    .execute()
}

/**
 * An endpoint version with its secrets; the signing secret is empty once it was deleted, and nothing is signed any
 * more.
 */
export async function findEndpoint(database: Queryable, seal: Seal, key: EndpointKey): Promise<Endpoint | undefined> {
  const row = await tables(database)
    .selectFrom('webhook_endpoints')
    .select(columnsOf('targetUrl', 'signingSecretSealed', 'bearerTokenSealed'))
    .where('partner_id', '=', key.partnerId)
    .where('subscription_id', '=', key.subscriptionId)
    .where('version', '=', key.version)
    .executeTakeFirst()
  if (row === undefined) {
    return undefined
  }
  const open = (what: Parameters<typeof endpointPurpose>[0], sealed: Buffer) =>
    seal.open(sealed, endpointPurpose(what, key))
  return {
    targetUrl: row.targetUrl,
    signingSecret: row.signingSecretSealed === null ? '' : open('signing secret', row.signingSecretSealed),
    bearerToken: row.bearerTokenSealed === null ? null : open('bearer token', row.bearerTokenSealed),
  }
}

/** How many endpoint versions with one URL are tried; receivers know as many secrets as there were rotations. */
const SIGNING_SECRETS_MAX = 20

/** The signing secrets of a partner's endpoints with this URL, of current and replaced versions; newest first. */
export async function listSigningSecrets(
  database: Queryable,
  seal: Seal,
  { partnerId, targetUrl }: { readonly partnerId: string; readonly targetUrl: string },
): Promise<readonly string[]> {
  const rows = await tables(database)
    .selectFrom('webhook_endpoints')
    .select(columnsOf('subscriptionId', 'version', 'signingSecretSealed'))
    .where('partner_id', '=', partnerId)
    .where('target_url', '=', targetUrl)
    .orderBy('subscription_id', 'desc')
    .orderBy('version', 'desc')
    .limit(SIGNING_SECRETS_MAX)
    .execute()
  return rows.flatMap(({ signingSecretSealed: sealed, ...key }) =>
    sealed === null ? [] : [seal.open(sealed, endpointPurpose('signing secret', { partnerId, ...key }))],
  )
}

/** A partner's subscription. Throws 404 when it does not exist or belongs to another partner. */
export async function requireSubscription(database: Queryable, key: SubscriptionKey): Promise<Subscription> {
  const subscription = await selectSubscriptions(database, key.partnerId).where('s.id', '=', key.id).executeTakeFirst()
  if (subscription === undefined) {
    throw apiError('not-found', 'There is no webhook subscription with this id')
  }
  return subscription
}

/** Throws 404 for a disabled one, to which nothing is delivered. */
export function requireEnabled(subscription: Subscription): Subscription {
  if (!subscription.enabled) {
    throw apiError('not-found', 'This webhook subscription is disabled')
  }
  return subscription
}

/** The partner's subscriptions: enabled ones first, then disabled ones; newest first in both. */
export async function listSubscriptions(database: Queryable, partnerId: string): Promise<readonly Subscription[]> {
  return await selectSubscriptions(database, partnerId)
    .orderBy('s.enabled', 'desc')
    .orderBy('s.id', 'desc')
    .limit(WEBHOOK_SUBSCRIPTIONS_LISTED_MAX)
    .execute()
}

/** How many subscriptions of the partner are enabled. */
export async function countEnabledSubscriptions(database: Queryable, partnerId: string): Promise<number> {
  const { count } = await tables(database)
    .selectFrom('webhook_subscriptions')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('partner_id', '=', partnerId)
    .where('enabled', '=', true)
    .executeTakeFirstOrThrow()
  return count
}

/** The types and families that the partner's enabled subscriptions select. */
export async function listSelectedTypes(database: Queryable, partnerId: string): Promise<readonly WebhookSelection[]> {
  const statement = sql<{ type: WebhookSelection }>`
    select distinct unnest(event_types) as type from webhook_subscriptions where partner_id = ${partnerId} and enabled`
  return (await executePrepared(database, statement)).rows.map(({ type }) => type)
}

/** The partners with an enabled subscription. */
export async function listSubscribers(database: Queryable): Promise<readonly string[]> {
  const rows = await tables(database)
    .selectFrom('webhook_subscriptions')
    .select('partner_id as partnerId')
    .distinct()
    .where('enabled', '=', true)
    .orderBy('partner_id')
    .execute()
  return rows.map(({ partnerId }) => partnerId)
}

export async function updateStoredSubscription(
  database: Queryable,
  { partnerId, id }: SubscriptionKey,
  change: Partial<Pick<Subscription, 'enabled' | 'pausedAfter' | 'eventTypes' | 'endpointVersion'>>,
  updatedAt: Temporal.Instant,
): Promise<void> {
  await tables(database)
    .updateTable('webhook_subscriptions')
    .set(rowOf({ ...change, updatedAt }))
    .where('partner_id', '=', partnerId)
    .where('id', '=', id)
    .execute()
}

const SUBSCRIPTION = columnsOf(
  'partnerId',
  'id',
  'enabled',
  'pausedAfter',
  'eventTypes',
  'endpointVersion',
  'createdAt',
  'updatedAt',
)

function selectSubscriptions(database: Queryable, partnerId: string) {
  return tables(database)
    .selectFrom('webhook_subscriptions as s')
    .innerJoin('webhook_endpoints as e', (join) =>
      join
        .onRef('e.partner_id', '=', 's.partner_id')
        .onRef('e.subscription_id', '=', 's.id')
        .onRef('e.version', '=', 's.endpoint_version'),
    )
    .select(SUBSCRIPTION.map((column) => `s.${column}` as const))
    .select('e.target_url as targetUrl')
    .select(sql<boolean>`e.bearer_token_sealed is not null`.as('hasBearerToken'))
    .where('s.partner_id', '=', partnerId)
}
