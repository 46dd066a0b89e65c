/** Starts an authorisation that a third party requests explicitly, if its target is still open. */
import type { Context } from '../context.ts'
import { requireKnownUser } from '../require-known-user.ts'
import type { Xs2aCall } from '../xs2a/xs2a-call.ts'
import { xs2aError } from '../xs2a-error.ts'
import type { ScaSubject } from './authorisation.ts'
import type { ScaResource, ScaTarget } from './sca-target.ts'
import { type StartedAuthorisation, startAuthorisation } from './start-authorisation.ts'

/** Starts it, and returns the notifications of the authorisations that it replaces. */
export async function startExplicitAuthorisation(
  context: Context,
  call: Xs2aCall,
  subject: ScaSubject,
  found: ScaResource,
): Promise<StartedAuthorisation> {
  const { bank, headers } = call
  if (headers.psuId !== null) {
    requireKnownUser(context, bank, headers.psuId, headers.psuCorporateId)
  }
  const started = await context.database.query.transaction().execute(async (transaction) => {
    const target = await context.scaTargets[subject](context, transaction, found.id)
    if (target === undefined) {
      throw xs2aError(403, 'RESOURCE_UNKNOWN', 'The bank no longer holds this')
    }
    await target.requireStartable(call)
    requireOpen(target)
    requireNewSigner(call, target)
    const resource = { ...target.resource, ...(await storeNotificationTarget(call, target)) }
    return await startAuthorisation(context, transaction, { bank, subject, headers, targetPath: target.path }, resource)
  })
  context.push.send(started.notifications)
  return started
}

function requireOpen({ isOpen, resource }: ScaTarget): void {
  if (!isOpen) {
    throw xs2aError(409, 'STATUS_INVALID', `It is ${resource.status} and accepts no more authorisations`)
  }
}

/** Where several signatures are required, each user authorises once. */
function requireNewSigner({ headers }: Xs2aCall, { signedBy }: ScaTarget): void {
  if (headers.psuId !== null && signedBy.has(headers.psuId)) {
    throw xs2aError(409, 'STATUS_INVALID', 'This user has signed it already; another user has to sign', 'PSU-ID')
  }
}

/** A notification URL given here replaces the one given at creation. */
async function storeNotificationTarget({ bank, headers }: Xs2aCall, target: ScaTarget): Promise<object> {
  if (headers.notificationUri === null || !bank.notifies) {
    return {}
  }
  const given = { notification_uri: headers.notificationUri, notification_content: headers.notificationContent }
  await target.storeNotificationTarget(given)
  return given
}
