/** Creates the API client of the measured partner. */
import { demoCredentials } from '../../contract/examples/demo-fixture.ts'
import { createHavnClient, type HavnClient } from '../../sdk/index.ts'

/** A move of business time passes through many status requests for hundreds of orders. */
const TIMEOUT_SECONDS = 600

export function demoClient(baseUrl: string): HavnClient {
  return createHavnClient({
    baseUrl,
    environment: 'sandbox',
    maxRetries: 0,
    timeoutSeconds: TIMEOUT_SECONDS,
    ...demoCredentials,
  })
}
