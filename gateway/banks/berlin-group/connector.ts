/** The connector to banks that speak NextGenPSD2 XS2A 1.3: what they offer, assembled over one line to them. */
import type { Connector } from '../connector.ts'
import type { ConnectorTools } from '../connector-tools.ts'
import { accountProduct } from './accounts.ts'
import { basketProduct } from './baskets.ts'
import { bulkPaymentProduct } from './bulk.ts'
import { consentProduct } from './consents.ts'
import { lineOf } from './line.ts'
import { signInProduct } from './oauth.ts'
import { crossBorderPaymentProduct, domesticPaymentProduct } from './payments.ts'

/** Makes the connector. */
export function berlinGroup(tools: ConnectorTools): Connector {
  const line = lineOf(tools)
  return {
    consents: consentProduct(line),
    accounts: accountProduct(line),
    domesticPayments: domesticPaymentProduct(line),
    crossBorderPayments: crossBorderPaymentProduct(line),
    bulkPayments: bulkPaymentProduct(line),
    baskets: basketProduct(line),
    oauth: signInProduct(line),
  }
}
