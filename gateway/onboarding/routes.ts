/** Serves the operations on companies. */
import { operations } from '../../contract/operations.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { Context } from '../context.ts'
import type { Serve } from '../foundation/http/served-operation.ts'
import { listCompanies } from './list-companies.ts'

export function serveOnboarding<Consent>(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  serve(operations.listCompanies, ({ caller }) => listCompanies(context, caller))
}
