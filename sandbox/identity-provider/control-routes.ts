/** The control API, by which tests and the gateway's sandbox control the provider without a browser. */

import { createPublicKey, type KeyObject } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { closed } from '../../gateway/platform/closed-schema.ts'
import { ControlError, guardControlScope, onPost } from '../control-scope.ts'
import { faultRoutes } from '../fault-routes.ts'
import { startIdentification } from './authorisation-endpoint.ts'
import { decide, FORM_FIELDS } from './decide-identification.ts'
import { EIDS } from './eids.ts'
import { Fault } from './faults.ts'
import type { ProviderState } from './provider-state.ts'
import { TEST_PERSONS } from './test-persons.ts'

const Journey = closed({ ...FORM_FIELDS, address: Type.String({ maxLength: 8_000 }) })
const ClientKey = closed({ publicKey: Type.Union([Type.String(), Type.Null()]) })

export function controlRoutes(state: ProviderState, scope: FastifyInstance): void {
  guardControlScope(scope, state.log)
  scope.get('/people', () => TEST_PERSONS)
  onPost(scope, '/browser', Journey, (journey) => ({ redirect: simulateDecision(state, journey) }))
  faultRoutes(state, Fault, scope)
  scope.post('/rotate-keys', () => {
    state.keys.rotate()
    return {}
  })
  onPost(scope, '/client-key', ClientKey, ({ publicKey }) => {
    state.client.publicKey = publicKey === null ? null : parsePublicKey(publicKey)
    return {}
  })
}

/** Simulates a browser from the redirect to the provider on; returns the final redirect, null for none. */
function simulateDecision(state: ProviderState, { address, ...form }: Static<typeof Journey>): string | null {
  const url = URL.parse(address)
  const eid = EIDS.find(
    ({ path }) => url?.pathname === `/${path}/authorize` && url.origin === new URL(state.url).origin,
  )
  if (url === null || eid === undefined) {
    throw new ControlError(400, `${JSON.stringify(address.slice(0, 100))} is not the URL of an authorisation request`)
  }
  const requested = startIdentification(state, eid, Object.fromEntries(url.searchParams))
  if ('redirect' in requested) {
    return requested.redirect
  }
  const decided = 'stored' in requested ? decide(state, requested.stored, form) : requested
  if (decided === undefined || 'validationError' in decided) {
    throw new ControlError(409, decided?.validationError ?? 'There is nothing to decide')
  }
  return decided.redirect
}

function parsePublicKey(pem: string): KeyObject {
  try {
    return createPublicKey(pem)
  } catch {
    throw new ControlError(400, 'publicKey is no public key in PEM')
  }
}
