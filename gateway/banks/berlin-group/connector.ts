/** The connector to banks that speak NextGenPSD2 XS2A 1.3: what they offer, assembled over one way of fetching. */
import type { Connector, ConnectorTools } from '../connector.ts'
import { accountProduct } from './accounts.ts'
import { consentProduct } from './consents.ts'
import { domesticPaymentProduct } from './payments.ts'
import { signingFetch } from './signing-fetch.ts'

/** Makes the connector. */
export function berlinGroup(tools: ConnectorTools): Connector {
  const fetch = signingFetch(tools)
  return {
    consents: consentProduct(fetch),
    accounts: accountProduct(fetch),
    domesticPayments: domesticPaymentProduct(fetch),
  }
}
