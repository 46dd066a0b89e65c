/** Creates the API client of the measured partner. */
import { createHavnClient, type HavnClient } from '../../sdk/index.ts'

/** A move of business time passes through many status requests for hundreds of orders. */
const TIMEOUT_SECONDS = 600
const DEMO = { clientId: 'demo-partner', clientSecret: 'demo-partner-secret' }

export function demoClient(baseUrl: string): HavnClient {
  return createHavnClient({ baseUrl, environment: 'sandbox', maxRetries: 0, timeoutSeconds: TIMEOUT_SECONDS, ...DEMO })
}
