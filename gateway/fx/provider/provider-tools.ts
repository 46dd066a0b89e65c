/** All that a provider's connector gets of the world: a way to call it, a budget of calls, and secrets to call with. */
import type { CallBudget } from '../providers/call-rate-limiter.ts'
import type { ProviderLine } from '../providers/provider-transport.ts'

export type ProviderTools = {
  readonly line: Pick<ProviderLine, 'send'>
  readonly budget: CallBudget
}
