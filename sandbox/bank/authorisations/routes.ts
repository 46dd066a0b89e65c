/** The authorisation operations of XS2A: the same four for payments, cancellations, consents and baskets. */

import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { findRow } from '../../rows.ts'
import { type Context, inTransaction } from '../context.ts'
import { requireKnownUser } from '../require-known-user.ts'
import { idParameterOf, ok, part, route, type Xs2aAnswer, type Xs2aCall, type Xs2aRoute } from '../xs2a/xs2a-call.ts'
import { linkTo } from '../xs2a/xs2a-links.ts'
import { requireBody, type Xs2aError, xs2aError } from '../xs2a-error.ts'
import { appResponseFields } from './app-authorisations.ts'
import { type Authorisation, isEnded, type ScaSubject } from './authorisation.ts'
import { type LocatedAuthorisation, linksOnReading } from './authorisation-links.ts'
import { authorisationsOf } from './authorisation-store.ts'
import { confirmAuthorisation } from './confirm-authorisation.ts'
import { approachNames, awaitsMethod, selectMethod } from './sca-approach.ts'
import type { ScaResource, ScaTarget } from './sca-target.ts'
import { collectionOf, type StartedAuthorisation, startAuthorisation } from './start-authorisation.ts'

const confirmationCheck = Compile(Type.Object({ confirmationCode: Type.String({ minLength: 1, maxLength: 200 }) }))

/** The target, its path, and the approach. */
export type AuthorisedResource = {
  readonly subject: ScaSubject
  readonly path: string
  find(call: Xs2aCall): Promise<ScaResource>
}

const operationNames: Readonly<Record<ScaSubject, string>> = {
  payment: 'Payment',
  cancellation: 'PaymentCancellation',
  consent: 'Consent',
  basket: 'SigningBasket',
}

export function authorisationRoutes(context: Context, resource: AuthorisedResource): readonly Xs2aRoute[] {
  const collection = `${resource.path}/${collectionOf(resource.subject)}`
  const one = `${collection}/:authorisationId`
  const name = operationNames[resource.subject]
  return [
    route('POST', collection, `start${name}Authorisation`, (call) => begin(context, resource, call)),
    route('GET', collection, `list${name}Authorisations`, (call) => list(context, resource, call)),
    route('GET', one, `get${name}ScaStatus`, async (call) =>
      scaStatus(context, call, await locateAuthorisation(context, resource, call)),
    ),
    route(
      'PUT',
      one,
      `update${name}PsuData`,
      async (call) => await updateAuthorisation(context, call, await locateAuthorisation(context, resource, call)),
    ),
  ]
}

async function begin(context: Context, resource: AuthorisedResource, call: Xs2aCall): Promise<Xs2aAnswer> {
  const target = await resource.find(call)
  const { authorisation, links, reported } = await startExplicitAuthorisation(context, call, resource.subject, target)
  return {
    status: 201,
    headers: { 'ASPSP-SCA-Approach': approachNames[authorisation.approach] },
    body: { scaStatus: authorisation.sca_status, authorisationId: authorisation.id, ...reported, _links: links },
  }
}

async function list(context: Context, resource: AuthorisedResource, call: Xs2aCall): Promise<Xs2aAnswer> {
  const target = await resource.find(call)
  const all = await authorisationsOf(context, resource.subject, target.id)
  const member = resource.subject === 'cancellation' ? call.bank.cancellationList : 'authorisationIds'
  return ok({ [member]: all.map(({ id }) => id) })
}

async function locateAuthorisation(
  context: Context,
  resource: AuthorisedResource,
  call: Xs2aCall,
): Promise<LocatedAuthorisation> {
  const authorisation = await requireAuthorisation(context, resource, call)
  const template = `${resource.path}/${collectionOf(resource.subject)}/:authorisationId`
  return { authorisation, path: template.replaceAll(/:(\w+)/g, (_whole, name) => part(call, String(name))) }
}

function scaStatus(context: Context, { bank }: Xs2aCall, found: LocatedAuthorisation): Xs2aAnswer {
  const { authorisation } = found
  // A code that was not scanned has started nothing that could be over.
  const isOver = isEnded(authorisation) && authorisation.outcome !== 'lapsed'
  if (bank.endedSca === 'rejected' && isOver && isOfPayment(authorisation)) {
    throw xs2aError(400, 'SCA_INVALID', 'The authorisation has ended; read the payment')
  }
  const { sca_status, psu_message: psuMessage } = authorisation
  const links = linksOnReading(context, bank, found)
  return ok({
    scaStatus: sca_status,
    ...appResponseFields(context, bank, authorisation),
    ...(psuMessage === null ? {} : { psuMessage }),
    ...(Object.keys(links).length === 0 ? {} : { _links: links }),
  })
}

/** Accepts the choice of a method and the confirmation code only; the banks of the sandbox accept no user credentials from third parties. */
async function updateAuthorisation(context: Context, call: Xs2aCall, found: LocatedAuthorisation): Promise<Xs2aAnswer> {
  const { authorisation, path } = found
  if (authorisation.approach === 'embedded') {
    throw xs2aError(401, 'PSU_CREDENTIALS_INVALID', 'The password is wrong')
  }
  if (awaitsMethod(authorisation)) {
    return await methodSelected(context, call, found)
  }
  if (!call.bank.signing.confirmation) {
    throw xs2aError(405, 'SERVICE_INVALID', "Users of this bank identify on the bank's own pages or in its app")
  }
  const { confirmationCode } = requireBody(confirmationCheck, call.body)
  const confirmed = (await confirmAuthorisation(context, authorisation, confirmationCode)) ?? rejectUnknown()
  const links = { scaStatus: linkTo(context.addresses, call.bank, path) }
  return ok({ scaStatus: confirmed, _links: links })
}

async function methodSelected(context: Context, call: Xs2aCall, found: LocatedAuthorisation): Promise<Xs2aAnswer> {
  const { chosen, method } = (await selectMethod(context, found.authorisation, call.body)) ?? rejectUnknown()
  const links = { scaStatus: linkTo(context.addresses, call.bank, found.path) }
  const body = { ...appResponseFields(context, call.bank, chosen), chosenScaMethod: method, _links: links }
  const headers = { 'ASPSP-SCA-Approach': approachNames[chosen.approach] }
  return { status: 200, headers, body: { scaStatus: chosen.sca_status, ...body } }
}

async function requireAuthorisation(
  context: Context,
  resource: AuthorisedResource,
  call: Xs2aCall,
): Promise<Authorisation> {
  const target = await resource.find(call)
  const found = await findRow(context, 'authorisations', { id: idParameterOf(call, 'authorisationId', unknown) })
  return found?.resource_id === target.id && found.subject === resource.subject ? found : rejectUnknown()
}

function unknown(): Xs2aError {
  return xs2aError(403, 'RESOURCE_UNKNOWN', 'The bank knows no such authorisation')
}

function rejectUnknown(): never {
  throw unknown()
}

function isOfPayment({ subject }: Authorisation): boolean {
  return subject === 'payment' || subject === 'cancellation'
}

async function startExplicitAuthorisation(
  context: Context,
  call: Xs2aCall,
  subject: ScaSubject,
  found: ScaResource,
): Promise<StartedAuthorisation> {
  requireKnownUser(context, call)
  return await inTransaction(context, async (context) => {
    const target = await context.scaTargets[subject](context, found.id)
    if (target === undefined) {
      throw xs2aError(403, 'RESOURCE_UNKNOWN', 'The bank no longer holds this')
    }
    await target.requireStartable?.(call)
    requireOpen(target)
    requireNewSigner(call, target)
    const resource = { ...target.resource, ...(await storeNotificationTarget(call, target)) }
    return await startAuthorisation(context, call, { subject, path: target.path, resource })
  })
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
