/** The control API, by which tests and the gateway's sandbox control the provider without a browser. */
import { createPublicKey } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { ControlError, guardControlScope } from '../control-scope.ts'
import { faultRoutes } from '../fault-routes.ts'
import { startIdentification } from './authorisation-endpoint.ts'
import { DECISIONS, decide } from './decide-identification.ts'
import { EIDS } from './eids.ts'
import { FAULT_EFFECTS } from './faults.ts'
import type { ProviderState } from './provider-state.ts'
import { TEST_PERSONS } from './test-persons.ts'

const Line = Type.Optional(Type.String())
const Journey = Type.Object(
  {
    address: Type.String({ maxLength: 8_000 }),
    decision: Type.Union(DECISIONS.map((decision) => Type.Literal(decision))),
    userId: Line,
    given: Line,
    family: Line,
    birthDate: Line,
    nationalId: Line,
    groups: Line,
  },
  { additionalProperties: false },
)
const Fault = Type.Object(
  {
    effect: Type.Union(FAULT_EFFECTS.map((effect) => Type.Literal(effect))),
    times: Type.Optional(Type.Integer({ minimum: 1 })),
    milliseconds: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  { additionalProperties: false },
)
const ClientKey = Type.Object({ publicKey: Type.Union([Type.String(), Type.Null()]) }, { additionalProperties: false })

export function controlRoutes(state: ProviderState, scope: FastifyInstance): void {
  guardControlScope(scope, state.log)
  scope.get('/people', () => TEST_PERSONS)
  scope.post<{ Body: Static<typeof Journey> }>('/browser', { schema: { body: Journey } }, ({ body }) => ({
    redirect: simulateDecision(state, body),
  }))
  faultRoutes(state, Fault, scope)
  scope.post('/rotate-keys', () => {
    state.keys.rotate()
    return {}
  })
  scope.post<{ Body: Static<typeof ClientKey> }>('/client-key', { schema: { body: ClientKey } }, ({ body }) => {
    state.client.publicKey = body.publicKey === null ? null : createPublicKey(body.publicKey)
    return {}
  })
}

/** Simulates a browser from the redirect to the provider on; returns the final redirect, null for none. */
function simulateDecision(
  state: ProviderState,
  { address, decision, ...played }: Static<typeof Journey>,
): string | null {
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
  const decided = 'stored' in requested ? decide(state, requested.stored, decision, played) : requested
  if (decided === undefined || 'validationError' in decided) {
    throw new ControlError(409, decided?.validationError ?? 'There is nothing to decide')
  }
  return decided.redirect
}
