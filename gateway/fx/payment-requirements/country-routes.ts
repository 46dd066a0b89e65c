/** Registers the operations on destination countries and their payment requirements. */
import { operations } from '../../../contract/operations.ts'
import type { PartnerIdentity, Serve } from '../../platform/http/operations/served-operation.ts'
import { currencyErrors, paymentRequirementOf } from './get-payment-requirement.ts'
import { listCountries } from './list-countries.ts'
import { listRegulatoryCodes } from './list-regulatory-codes.ts'

export function serveCountries<Partner extends PartnerIdentity, Consent>(serve: Serve<Partner, Consent>): void {
  serve(operations.listCountries, async () => listCountries())
  serve(operations.getPaymentRequirement, {
    rules: ({ params, query }, isValid) => (isValid('.currency') ? currencyErrors(params.country, query.currency) : []),
    handle: async ({ params, query }) => paymentRequirementOf(params.country, query.currency),
  })
  serve(operations.listRegulatoryCodes, async ({ params }) => listRegulatoryCodes(params.countryCode))
}
