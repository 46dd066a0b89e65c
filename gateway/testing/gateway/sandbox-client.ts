/** Creates the API client of a partner in a sandbox, by default the demo partner. It repeats no request. */
import { demoCredentials } from '../../../contract/examples/demo-fixture.ts'
import { createHavnClient, type HavnClient, type HavnClientSettings } from '../../../sdk/index.ts'

export function sandboxClient(baseUrl: string, changes: Partial<HavnClientSettings> = {}): HavnClient {
  return createHavnClient({ baseUrl, environment: 'sandbox', maxRetries: 0, ...demoCredentials, ...changes })
}
