/** Caches endpoints with their decrypted secrets: a version never changes, and decrypting costs more than signing. */
import type { Context } from '../../context.ts'
import type { ClaimedDelivery } from '../store/delivery.ts'
import type { Endpoint } from '../store/subscription.ts'
import { findEndpoint } from '../store/subscription-store.ts'

/** A few megabytes; evicted first in, first out. */
const REMEMBERED_MAX = 10_000

/** The endpoint version with which a delivery was queued. */
export type FindDeliveryEndpoint = (
  delivery: Pick<ClaimedDelivery, 'partnerId' | 'subscriptionId' | 'endpointVersion'>,
) => Promise<Endpoint>

export function endpointCache({ database, seal }: Context): FindDeliveryEndpoint {
  const remembered = new Map<string, Promise<Endpoint>>()
  const remember = (key: string, found: Promise<Endpoint>) => {
    const [oldest] = remembered.size < REMEMBERED_MAX ? [] : remembered.keys()
    remembered.delete(oldest ?? '')
    remembered.set(key, found)
    found.catch(() => remembered.delete(key))
    return found
  }
  return ({ partnerId, subscriptionId, endpointVersion: version }) => {
    const key = `${partnerId} ${subscriptionId} ${version}`
    return remembered.get(key) ?? remember(key, find({ partnerId, subscriptionId, version }))
  }

  async function find(key: Parameters<typeof findEndpoint>[2]): Promise<Endpoint> {
    const endpoint = await findEndpoint(database, seal, key)
    if (endpoint === undefined) {
      throw new Error(`Webhook subscription ${key.subscriptionId} has no endpoint of version ${key.version}`)
    }
    return endpoint
  }
}
