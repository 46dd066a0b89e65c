/** Limits how often a client may call: a window of its own for each key, told in `RateLimit-*` headers. */
import rateLimitPlugin from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from './refusal.ts'

/** So many requests in so many seconds. */
export type RateRule = { readonly name: string; readonly max: number; readonly windowSeconds: number }

/** Counts a request under a key, once however often it is asked; throws `too-many-requests` when the key has used its window up. */
export type LimitRate = (request: FastifyRequest, reply: FastifyReply, key: string) => Promise<void>

/** Clients that are remembered at a time; the least recent make room. */
const KEYS_MAX = 20_000

/** Readies a server for limits. */
export async function registerRateLimits(server: FastifyInstance): Promise<void> {
  await server.register(rateLimitPlugin, { global: false, cache: KEYS_MAX })
}

/** Makes a limit. */
export function openRateLimit(server: FastifyInstance, rule: RateRule): LimitRate {
  const keys = new WeakMap<FastifyRequest, string>()
  const count = server.createRateLimit({
    max: rule.max,
    timeWindow: rule.windowSeconds * 1000,
    keyGenerator: (request) => keys.get(request) ?? '',
  })
  return async (request, reply, key) => {
    const counter = `${rule.name} ${key}`
    if (keys.get(request) === counter) {
      return
    }
    keys.set(request, counter)
    const counted = await count(request)
    if (counted.isAllowed) {
      return
    }
    reply.headers({
      'ratelimit-limit': String(counted.max),
      'ratelimit-remaining': String(counted.remaining),
      'ratelimit-reset': String(counted.ttlInSeconds),
    })
    if (counted.isExceeded) {
      const message = `No more than ${rule.max} such requests in ${rule.windowSeconds} s; wait ${counted.ttlInSeconds} s`
      throw refuse('too-many-requests', message, { retryAfterSeconds: Math.max(1, counted.ttlInSeconds) })
    }
  }
}
