/** Lists the routes of the console as a gateway serves them, for tests that go through all of them. */
import type { ConsoleRoute } from '../../../console/console-route.ts'
import { consoleRoutes } from '../../../console/routes.ts'
import { openTestDependencies } from '../../webhooks/subscriptions/test-subscription.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'

/** They are listed, not called: the simulation and the sweeps are left out. */
export function routesOfConsole({ context }: Pick<TestGateway, 'context'>): readonly ConsoleRoute[] {
  const callApi = async () => ({ status: 503, body: {} })
  const webhookTests = openTestDependencies(context)
  return consoleRoutes({ ...context, simulation: null, webhookTests, sweeps: () => [], callApi })
}
