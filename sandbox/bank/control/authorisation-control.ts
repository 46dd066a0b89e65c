/** Control of authorisations: lists them, and plays the user without a browser. */
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { lapseOrder } from '../authorisations/app-orders.ts'
import type { Decision } from '../authorisations/authorisation.ts'
import { type Authorisation, isEnded } from '../authorisations/authorisation.ts'
import { authorisationById, latestAuthorisations } from '../authorisations/authorisation-store.ts'
import { openAuthorisation } from '../authorisations/identify-signer.ts'
import type { BankContext } from '../bank-context.ts'
import { ControlRefusal } from './control-error.ts'
import { playSigner } from './simulate-signer.ts'

/** More authorisations than any test looks at. */
const LISTED_MAX = 1_000
const Id = Type.Object({ id: Type.String() })
const Signer = Type.Union([Type.Object({ userId: Type.Optional(Type.String()) }), Type.Null()])
const Wanted = Type.Object(
  {
    bank: Type.Optional(Type.String()),
    /** Id of a payment, consent or basket. */
    resource: Type.Optional(Type.String({ format: 'uuid' })),
    /** Only those that are not over. */
    open: Type.Optional(Type.Literal('true')),
  },
  { additionalProperties: false },
)
type Wanted = Static<typeof Wanted>

/** What tests say, and the button it stands for. */
export const decisions = { sign: 'approve', reject: 'reject', leave: 'cancel' } as const satisfies Record<
  string,
  Decision
>

export function authorisationControl(context: BankContext, scope: FastifyInstance): void {
  scope.get<{ Querystring: Wanted }>(
    '/authorisations',
    { schema: { querystring: Wanted } },
    async ({ query }) => await listAuthorisations(context, query),
  )
  for (const [word, decision] of Object.entries(decisions)) {
    scope.post<{ Params: Static<typeof Id>; Body: Static<typeof Signer> | undefined }>(
      `/authorisations/:id/${word}`,
      async ({ params, body }) => {
        const found = await requireAuthorisation(context, params.id)
        return { redirect: await playSigner(context, found, { decision, userId: body?.userId }) }
      },
    )
  }
  for (const word of ['open', 'scan']) {
    scope.post<{ Params: Static<typeof Id> }>(`/authorisations/:id/${word}`, async ({ params }) => {
      await openAuthorisation(context, await requireAuthorisation(context, params.id))
      return {}
    })
  }
  scope.post<{ Params: Static<typeof Id> }>('/authorisations/:id/expire', async ({ params }) => {
    if (!(await lapseOrder(context, await requireAuthorisation(context, params.id)))) {
      throw new ControlRefusal(409, 'There is no code that waits to be scanned')
    }
    return {}
  })
}

/** Oldest first. */
async function listAuthorisations(context: BankContext, { bank, resource, open }: Wanted): Promise<readonly object[]> {
  const found = await latestAuthorisations(context.database.query, {
    bank: bank ?? null,
    resourceId: resource ?? null,
    onlyOpen: open === 'true',
    limit: LISTED_MAX,
  })
  return found.toReversed().map(describe)
}

function describe(authorisation: Authorisation): object {
  const { id, bank, subject, resource_id, approach, sca_status, outcome, psu_id, signer_id } = authorisation
  return {
    authorisationId: id,
    bank,
    kind: subject,
    resourceId: resource_id,
    approach,
    scaStatus: sca_status,
    outcome,
    isOpen: !isEnded(authorisation),
    psuId: psu_id,
    signerId: signer_id,
    createdAt: authorisation.created_at.toString(),
    /** Business time. */
    dueAt: authorisation.due_at?.toString() ?? null,
    /** Wall time; until then a code that nobody has scanned is good. */
    codeLapsesAt: authorisation.code_lapses_at?.toString() ?? null,
  }
}

async function requireAuthorisation(context: BankContext, id: string): Promise<Authorisation> {
  const found = await authorisationById(context.database.query, id)
  if (found === undefined) {
    throw new ControlRefusal(404, 'The bank knows no such authorisation')
  }
  return found
}
