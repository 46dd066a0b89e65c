/** The connector to banks that speak NextGenPSD2 XS2A 1.3: what they offer, assembled over one way of fetching. */
import type { Connector, ConnectorTools } from '../connector.ts'
import { accountProduct } from './accounts.ts'
import { consentProduct } from './consents.ts'
import { domesticPaymentProduct } from './payments.ts'

/** Makes the connector. */
export function berlinGroup({ fetch }: ConnectorTools): Connector {
  return {
    consents: consentProduct(fetch),
    accounts: accountProduct(fetch),
    domesticPayments: domesticPaymentProduct(fetch),
  }
}
