/** What a provider's connector depends on: a transport and a rate limiter. */
import type { CallRateLimiter } from './call-rate-limiter.ts'
import type { ProviderTransport } from './provider-transport.ts'

export type ConnectorContext = {
  readonly transport: Pick<ProviderTransport, 'send'>
  readonly rateLimiter: CallRateLimiter
}
