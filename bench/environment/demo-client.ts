/** Makes the client of the partner that everything is measured with. */
import { createHavnClient, type HavnClient } from '../../sdk/client.ts'

/** Business time is moved on through every reading of hundreds of orders. */
const TIMEOUT_SECONDS = 600
const DEMO = { clientId: 'demo-partner', clientSecret: 'demo-partner-secret' }

export function demoClient(baseUrl: string): HavnClient {
  return createHavnClient({ baseUrl, environment: 'sandbox', timeoutSeconds: TIMEOUT_SECONDS, ...DEMO })
}
