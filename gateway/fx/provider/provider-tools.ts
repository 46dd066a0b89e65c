/** All that a provider's connector gets of the world: a way to call it, a budget of calls, and secrets to call with. */
import type { CallBudget } from './call-budget.ts'
import type { ProviderLine } from './provider-line.ts'

export type ProviderTools = {
  readonly line: Pick<ProviderLine, 'send'>
  readonly budget: CallBudget
}
