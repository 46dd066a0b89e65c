/** Serves the sandbox operations on the webhook inbox. */
import { operations } from '../../../contract/operations.ts'
import type { PartnerCaller } from '../../auth/partner-caller.ts'
import type { Context } from '../../context.ts'
import type { Serve } from '../../platform/http/operations/served-operation.ts'
import { validateInstants } from '../../platform/http/parse-time-parameter.ts'
import { listReceived, openInbox } from './inbox.ts'

export function serveInbox<Consent>(serve: Serve<PartnerCaller, Consent>, context: Context): void {
  serve(operations.openSandboxInbox, async ({ caller }) => ({ url: await openInbox(context, caller.partnerId) }))
  serve(operations.listSandboxInboxDeliveries, {
    rules: ({ query }) => validateInstants({ receivedSince: query.receivedSince }),
    handle: ({ caller, query }) => listReceived(context, caller, query),
  })
}
