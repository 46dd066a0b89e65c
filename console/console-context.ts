/** The context of the console's routes: that of the gateway's modules, and in the sandbox its simulation. */

import type { Context } from '../gateway/context.ts'
import { apiError } from '../gateway/platform/http/errors/api-error.ts'
import type { Sweep } from '../gateway/platform/jobs/sweep.ts'
import type { Simulation } from '../gateway/simulation/simulation.ts'
import type { TestDependencies } from '../gateway/webhooks/subscriptions/test-subscription.ts'
import type { CallApi } from './home/first-steps/call-api.ts'

export type ConsoleContext = Context & {
  /** Null in production. */
  readonly simulation: Simulation | null
  /** Shared with the API, so that one limit applies to both. */
  readonly webhookTests: TestDependencies
  /** The jobs that workers run, of which the console shows what is due. */
  readonly sweeps: () => readonly Sweep[]
  /** Calls the API of this gateway as a partner does. */
  readonly callApi: CallApi
}

/** Throws in production. */
export function requireSimulation({ simulation }: Pick<ConsoleContext, 'simulation'>): Simulation {
  if (simulation === null) {
    throw apiError('unavailable', 'This gateway has no sandbox')
  }
  return simulation
}
