/** The authorisation operations of XS2A: the same four for payments, cancellations, consents and baskets. */
import type { BankContext } from '../context.ts'
import { refuse } from '../refusal.ts'
import type { BankProfile } from '../world-shape.ts'
import { idPart, type Xs2aAnswer, type Xs2aCall, type Xs2aRoute } from '../xs2a/call.ts'
import { type Authorisation, isEnded, type ScaSubject } from './authorisation.ts'
import { authorisationById, authorisationsOf } from './authorisation-store.ts'
import { beginAuthorisation } from './begin-authorisation.ts'
import { collectionOf, type ScaTarget } from './start-authorisation.ts'

/** What is authorised, where it is found, and how. */
export type AuthorisedResource = {
  readonly subject: ScaSubject
  readonly path: string
  find(call: Xs2aCall): Promise<ScaTarget>
}

const operationNames: Readonly<Record<ScaSubject, string>> = {
  payment: 'Payment',
  cancellation: 'PaymentCancellation',
  consent: 'Consent',
  basket: 'SigningBasket',
}

export function authorisationRoutes(context: BankContext, resource: AuthorisedResource): readonly Xs2aRoute[] {
  const collection = `${resource.path}/${collectionOf(resource.subject)}`
  const one = `${collection}/:authorisationId`
  const name = operationNames[resource.subject]
  return [
    {
      method: 'POST',
      path: collection,
      operation: `start${name}Authorisation`,
      handle: async (call) => await begin(context, resource, call),
    },
    {
      method: 'GET',
      path: collection,
      operation: `list${name}Authorisations`,
      handle: async (call) => await list(context, resource, call),
    },
    {
      method: 'GET',
      path: one,
      operation: `get${name}ScaStatus`,
      handle: async (call) => scaStatus(call.bank, await requireAuthorisation(context, resource, call)),
    },
    {
      method: 'PUT',
      path: one,
      operation: `update${name}PsuData`,
      handle: async (call) => {
        await requireAuthorisation(context, resource, call)
        throw refuse(405, 'SERVICE_INVALID', "Users of this bank identify on the bank's own pages")
      },
    },
  ]
}

async function begin(context: BankContext, resource: AuthorisedResource, call: Xs2aCall): Promise<Xs2aAnswer> {
  const target = await resource.find(call)
  const { authorisation, links } = await beginAuthorisation(context, call, resource.subject, target)
  return {
    status: 201,
    headers: { 'ASPSP-SCA-Approach': 'REDIRECT' },
    body: { scaStatus: authorisation.sca_status, authorisationId: authorisation.id, _links: links },
  }
}

async function list(context: BankContext, resource: AuthorisedResource, call: Xs2aCall): Promise<Xs2aAnswer> {
  const target = await resource.find(call)
  const all = await authorisationsOf(context.database.query, resource.subject, target.id)
  const member = resource.subject === 'cancellation' ? call.bank.cancellationList : 'authorisationIds'
  return { status: 200, body: { [member]: all.map(({ id }) => id) } }
}

function scaStatus(bank: BankProfile, authorisation: Authorisation): Xs2aAnswer {
  if (bank.endedSca === 'refused' && isEnded(authorisation) && isOfPayment(authorisation)) {
    throw refuse(400, 'SCA_INVALID', 'The authorisation is over; read the payment')
  }
  const { sca_status, psu_message: psuMessage } = authorisation
  return { status: 200, body: { scaStatus: sca_status, ...(psuMessage === null ? {} : { psuMessage }) } }
}

async function requireAuthorisation(
  context: BankContext,
  resource: AuthorisedResource,
  call: Xs2aCall,
): Promise<Authorisation> {
  const target = await resource.find(call)
  const unknown = () => refuse(403, 'RESOURCE_UNKNOWN', 'The bank knows no such authorisation')
  const found = await authorisationById(context.database.query, idPart(call, 'authorisationId', unknown))
  if (found === undefined || found.resource_id !== target.id || found.subject !== resource.subject) {
    throw unknown()
  }
  return found
}

function isOfPayment({ subject }: Authorisation): boolean {
  return subject === 'payment' || subject === 'cancellation'
}
