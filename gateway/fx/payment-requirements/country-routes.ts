/** Serves the operations on countries that money is paid to. */
import { operations } from '../../../contract/operations.ts'
import type { PartnerIdentity, Serve } from '../../platform/http/operations/served-operation.ts'
import { listCountries } from '../list-countries.ts'
import { currencyProblems, showPaymentRequirement } from './get-payment-requirement.ts'
import { listRegulatoryCodes } from './list-regulatory-codes.ts'

export function serveCountries<Partner extends PartnerIdentity, Consent>(serve: Serve<Partner, Consent>): void {
  serve(operations.listCountries, async () => listCountries())
  serve(operations.getPaymentRequirement, {
    rules: ({ params, query }, isSound) =>
      isSound('.currency') ? currencyProblems(params.country, query.currency) : [],
    handle: async ({ params, query }) => showPaymentRequirement(params.country, query.currency),
  })
  serve(operations.listRegulatoryCodes, async ({ params }) => listRegulatoryCodes(params.countryCode))
}
