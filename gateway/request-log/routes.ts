/** Serves the request log to partners. */
import { operations } from '../../contract/operations.ts'
import type { Context } from '../context.ts'
import type { PartnerIdentity, Serve } from '../platform/http/operations/served-operation.ts'
import { validateInstants } from '../platform/http/parse-time-parameter.ts'
import { getLoggedRequest, listLoggedRequests } from './list-logged-requests.ts'

/** Whether credentials may see requests of payrolls, whose bodies are about salaries. */
export type MaySeePayrolls = (caller: PartnerIdentity) => Promise<boolean>

export function serveRequestLog<Caller extends PartnerIdentity, Consent>(
  serve: Serve<Caller, Consent>,
  context: Context,
  maySeePayrolls: MaySeePayrolls,
): void {
  const scopeOf = async (caller: PartnerIdentity) => ({
    partnerId: caller.partnerId,
    payrolls: await maySeePayrolls(caller),
  })
  serve(operations.listRequests, {
    rules: ({ query: { from, before } }, isSound) => validateInstants({ from, before }, isSound),
    handle: async ({ caller, query }) => listLoggedRequests(context, await scopeOf(caller), query),
  })
  serve(operations.getRequest, async ({ caller, params }) =>
    getLoggedRequest(context, await scopeOf(caller), params.svcRequestId),
  )
}
